import { parseProviderReference } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { refersToAny, withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import { repointed, repointedOutputs } from '../../decide/repoint.js';
import type { CreatedAgain } from '../../decide/repoint.js';
import { decideUndo, isSameObject } from '../../decide/undo.js';
import type { Undo, UndoPart } from '../../decide/undo.js';
import type { RollbackOption } from '../../model/goal.js';
import type { Cell } from '../../model/cell.js';
import type { Recorder } from '../../record/recorder.js';
import { Before } from './before.js';

/** One resource of which something is to be undone. */
export interface UndoSubject {
  readonly urn: Urn;
  readonly part: UndoPart;
  readonly imported: boolean;
  /** What the resource says; undefined: nothing, so the operation decides. */
  readonly option: RollbackOption | undefined;
  /** The entry concerned, when it is not the one that owns the URN. */
  readonly cell?: Cell | undefined;
  /** It was deleted without a call, because it was to go with another object. Absent: no. */
  readonly withContainer?: boolean | undefined;
  /** The entry that the step has deleted, if it is known and it was a delete. */
  readonly deleted?: ResourceEntry | undefined;
  /** Resources whose steps came after and built on it. */
  readonly followers: readonly Urn[];
}

/** How a subject is undone, with the cells concerned. */
export interface UndoPlan {
  readonly undo: Undo;
  /** Cell of the entry that owns the URN, or of the one that was named. */
  readonly cell: Cell | undefined;
  /** Cell of the original beside it, pending delete. */
  readonly original: Cell | undefined;
}

/**
 * What an operation knows for its undos: how everything was before, and what had to be created again since.
 * One for all of them; asked anew for each of them, so that what others have undone meanwhile counts.
 */
export class UndoPlanner {
  #before: Before | undefined;
  #started = false;
  #makeBefore: () => Before = () => new Before([]);
  readonly #again = new Map<Urn, CreatedAgain>();
  /** What this run has found or taken over: it was like that before, whatever the state said. */
  readonly #found = new Map<Urn, ResourceEntry>();
  /** Resources with values of others that have been created again since. */
  readonly #unsettled = new Set<Urn>();
  /** Resources whose undo did not take place, or failed. */
  readonly #kept = new Set<Urn>();

  readonly #deletedFirst = new Set<Urn>();
  readonly #restored = new Set<Urn>();

  constructor(
    private readonly recorder: Pick<Recorder, 'live'>,
    private readonly option: RollbackOption = 'auto',
    /** Resources for which a person has agreed to a new object. */
    private readonly consents: ReadonlySet<string> = new Set(),
    /** Whether the object of an entry holds data. */
    private readonly holds: (entry: ResourceEntry) => boolean = () => false,
  ) {}

  /** Where undoing leads to: entries in snapshot order. Called once, before anything changes. */
  startsFrom(entries: readonly ResourceEntry[], renamed?: ReadonlyMap<Urn, Urn>): void {
    this.#started = true;
    this.#before = undefined;
    this.#makeBefore = () => new Before(entries, renamed);
  }

  /** Whether it is known where undoing leads to. */
  get started(): boolean {
    return this.#started;
  }

  /** How everything was. */
  get before(): Before {
    return (this.#before ??= this.#makeBefore());
  }

  /** A look at an object, or the take-over of one, says what it was like before anything was done to it. */
  found(entry: ResourceEntry): void {
    this.#found.set(entry.urn, entry);
  }

  /** An object was created again in place of the one that `before` stood for. */
  createdAgain(before: ResourceEntry, since: ResourceEntry): void {
    this.#again.set(before.urn, { before, since });
    for (const user of this.before.usersOf(before.urn)) this.#unsettled.add(user.urn);
  }

  /** What was created again so far. */
  get again(): Iterable<CreatedAgain> {
    return this.#again.values();
  }

  /** An object was deleted to be created again as it was, because it cannot be changed back in place. */
  deletedFirst(urn: Urn): void {
    this.#deletedFirst.add(urn);
  }

  /** Whether a person has agreed to a new object for the resource. */
  mayReplace(urn: Urn): boolean {
    return this.consents.has(urn);
  }

  /** Resources whose objects are to be created again, each once. */
  takeDeletedFirst(): readonly Urn[] {
    const urns = [...this.#deletedFirst];
    this.#deletedFirst.clear();
    return urns;
  }

  /** The undo of a resource did not take place: what it needs stays as well. */
  kept(urn: Urn): void {
    this.#kept.add(urn);
  }

  isKept(urn: Urn): boolean {
    return this.#kept.has(urn);
  }

  /** The settings of a provider are not what they were: objects are brought back through it as it was. */
  providerDiffers(reference: ProviderReference): boolean {
    const { urn } = parseProviderReference(reference);
    const was = this.before.entry(urn);
    const now = this.recorder.live.live(urn)?.entry;
    return was !== undefined && now !== undefined && !equalMaps(was.inputs, now.inputs);
  }

  /** The undo of a resource took place. */
  restored(urn: Urn): void {
    this.#restored.add(urn);
  }

  isRestored(urn: Urn): boolean {
    return this.#restored.has(urn);
  }

  /**
   * The entry that the undo of a resource leads to: as it was, apart from what was created again. `asFound`: with the
   * object as this run has found it.
   */
  expected(urn: Urn, aliases: readonly Urn[] = [], asFound = true): ResourceEntry | undefined {
    const was = this.before.entry(urn, aliases);
    const found = asFound ? this.#found.get(urn) : undefined;
    if (was === undefined) return found;
    const base = found === undefined ? was : withEntry(was, objectOf(found));
    const again = this.#again.get(was.urn);
    const entry = again === undefined ? base : withEntry(base, objectOf(again.since));
    if (this.#again.size === 0) return entry;
    if (!entry.custom) {
      const anew = [...this.#again.values()];
      const inputs = repointedOutputs(base.inputs, anew);
      return withEntry(entry, { inputs, outputs: repointedOutputs(base.outputs, anew) });
    }
    const inputs = repointed(base, (needed) => this.#again.get(needed));
    return inputs === entry.inputs ? entry : withEntry(entry, { inputs });
  }

  /** How the subject is undone as things are now. */
  plan(subject: UndoSubject): UndoPlan {
    const { live } = this.recorder;
    const owner = live.live(subject.urn);
    const cell = subject.cell ?? owner;
    const now = cell?.gone === true ? undefined : cell?.entry;
    const was = this.expected(subject.urn, now?.aliases, subject.part === 'restore');
    const original = was && this.#originalOf(was, subject);
    const undo = decideUndo({
      part: subject.part,
      was,
      now,
      original: original !== undefined,
      leftOver: subject.cell?.entry.delete === true,
      wasLeaving: subject.deleted?.delete === true && this.before.wasLeaving(subject.deleted),
      imported: subject.imported,
      containerStands:
        subject.withContainer === true && was?.deletedWith !== undefined && this.#stands(was.deletedWith),
      option: subject.option ?? this.option,
      holdsData: subject.option === undefined && this.#holdsData(now ?? was),
      goesToo: (urn) => this.before.entry(urn) === undefined,
      neededBy: this.#neededBy(subject, was === undefined),
      mayReplace: this.mayReplace(subject.urn),
    });
    return { undo, cell, original };
  }

  /** URNs whose values have changed because something was created again, each once. */
  takeUnsettled(): readonly Urn[] {
    const urns = [...this.#unsettled];
    this.#unsettled.clear();
    return urns;
  }

  /** The very object that a URN stood for before is there, whether it is to go or not. */
  #stands(urn: Urn): boolean {
    const { live } = this.recorder;
    const was = this.before.entry(urn);
    if (was === undefined) return false;
    const owner = live.live(urn);
    return [...(owner === undefined ? [] : [owner]), ...live.leaving(urn)].some(({ entry }) =>
      isSameObject(was, entry),
    );
  }

  #holdsData(entry: ResourceEntry | undefined): boolean {
    return entry !== undefined && this.holds(entry);
  }

  #originalOf(was: ResourceEntry, subject: UndoSubject): Cell | undefined {
    const { live } = this.recorder;
    const cells = [...live.leaving(subject.urn), ...(was.urn === subject.urn ? [] : live.leaving(was.urn))];
    return cells.find((cell) => cell !== subject.cell && isSameObject(was, cell.entry));
  }

  /**
   * A follower that is still there and refers to the resource: it was made by the change or its own undo did not take
   * place; when the resource itself `vanishes`, any follower.
   */
  #neededBy({ urn, followers }: UndoSubject, vanishes: boolean): Urn | undefined {
    const { live } = this.recorder;
    return followers.find((follower) => {
      const entry = live.live(follower)?.entry;
      if (entry === undefined || entry.urn === urn) return false;
      const refers = refersToAny(entry, new Set([urn]));
      if (!refers || vanishes) return refers;
      return this.#kept.has(entry.urn) || this.before.entry(entry.urn, entry.aliases) === undefined;
    });
  }
}

/** The fields that say what the object is, not what the program wants of it. */
function objectOf(entry: ResourceEntry): Partial<ResourceEntry> {
  const { id, inputs, outputs, created, modified, initErrors, refreshBeforeUpdate } = entry;
  return { id, inputs, outputs, created, modified, initErrors, refreshBeforeUpdate };
}
