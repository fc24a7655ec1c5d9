import { parseProviderReference } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { eachReference, refersToAny, withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import type { RollbackOption } from '@cairn/wire';
import { repointed, repointedOutputs } from '../../decide/repoint.js';
import type { CreatedAgain } from '../../decide/repoint.js';
import { decideUndo, isSameObject } from '../../decide/undo.js';
import type { Undo } from '../../decide/undo.js';
import type { Cell } from '../../model/cell.js';
import type { Recorder } from '../../record/recorder.js';
import { Before } from './before.js';
import type { UndoPart } from '../../model/undo-part.js';

/** Resource with a change to undo. */
export interface UndoSubject {
  readonly urn: Urn;
  readonly part: UndoPart;
  readonly imported: boolean;
  /** Option of the resource. Undefined if it has none: then the operation decides. */
  readonly option: RollbackOption | undefined;
  /** Affected entry, if it is not the one that owns the URN. */
  readonly cell?: Cell | undefined;
  /** True if it was deleted without a call, because it was to be deleted with another object. Defaults to false. */
  readonly withContainer?: boolean | undefined;
  /** Entry that the step has deleted, if it is known and it was a delete. */
  readonly deleted?: ResourceEntry | undefined;
  /** Resources whose later steps built on it. */
  readonly followers: readonly Urn[];
}

/** Undo of a subject, with the affected cells. */
export interface UndoPlan {
  readonly undo: Undo;
  /** Cell of the entry that owns the URN, or of the named one. */
  readonly cell: Cell | undefined;
  /** Cell of the original beside it, pending delete. */
  readonly original: Cell | undefined;
}

/**
 * Knowledge of an operation for its undos: the earlier state, and the objects that had to be created again since. All
 * undos share one planner. Each undo is planned separately, so that earlier undos count.
 */
export class UndoPlanner {
  #before: Before | undefined;
  #started = false;
  #makeBefore: () => Before = () => new Before([]);
  readonly #again = new Map<Urn, CreatedAgain>();
  /**
   * Entries that this run has found or taken over: their objects already had this state, regardless of the stored one.
   */
  readonly #found = new Map<Urn, ResourceEntry>();
  /** Resources with values of others that have been created again since. */
  readonly #unsettled = new Set<Urn>();
  /** Resources whose undo did not take place, or failed. */
  readonly #kept = new Set<Urn>();
  /** Those of them that refer to a resource, by its URN. */
  readonly #keptUsers = new Map<Urn, Urn[]>();

  readonly #deletedFirst = new Set<Urn>();
  readonly #restored = new Set<Urn>();

  readonly #recorder: Pick<Recorder, 'live'>;
  readonly #option: RollbackOption;
  /** Resources for which a person has agreed to a new object. */
  readonly #consents: ReadonlySet<string>;
  /** Returns true if the object of an entry holds data. */
  readonly #holds: (entry: ResourceEntry) => boolean;

  constructor(
    recorder: Pick<Recorder, 'live'>,
    option: RollbackOption = 'auto',
    consents: ReadonlySet<string> = new Set(),
    holds: (entry: ResourceEntry) => boolean = () => false,
  ) {
    this.#recorder = recorder;
    this.#option = option;
    this.#consents = consents;
    this.#holds = holds;
  }

  /** Sets the state to return to: entries in snapshot order. Called once, before any change. */
  startsFrom(entries: readonly ResourceEntry[], renamed?: ReadonlyMap<Urn, Urn>): void {
    this.#started = true;
    this.#before = undefined;
    this.#makeBefore = () => new Before(entries, renamed);
  }

  /** True if the state to return to is known. */
  get started(): boolean {
    return this.#started;
  }

  /** Earlier state. */
  get before(): Before {
    return (this.#before ??= this.#makeBefore());
  }

  /** Records the state of an object before any change to it, as a look at it or its import has found it. */
  found(entry: ResourceEntry): void {
    this.#found.set(entry.urn, entry);
  }

  /** Records an object that was created again in place of the one that `before` represented. */
  createdAgain(before: ResourceEntry, since: ResourceEntry): void {
    this.#again.set(before.urn, { before, since });
    for (const user of this.before.usersOf(before.urn)) this.#unsettled.add(user.urn);
  }

  /** Objects created again so far. */
  get again(): Iterable<CreatedAgain> {
    return this.#again.values();
  }

  /** Records an object that was deleted to be created again, because it cannot be changed back in place. */
  deletedFirst(urn: Urn): void {
    this.#deletedFirst.add(urn);
  }

  /** Returns true if a person has agreed to a new object for the resource. */
  mayReplace(urn: Urn): boolean {
    return this.#consents.has(urn);
  }

  /** Takes the resources whose objects must be created again, each once. */
  takeDeletedFirst(): readonly Urn[] {
    const urns = [...this.#deletedFirst];
    this.#deletedFirst.clear();
    return urns;
  }

  /** Records that the undo of a resource did not take place: the resources it needs stay as well. */
  kept(urn: Urn): void {
    if (this.#kept.has(urn)) return;
    this.#kept.add(urn);
    const entry = this.#recorder.live.live(urn)?.entry;
    if (entry === undefined) return;
    eachReference(entry, (needed) => {
      const users = this.#keptUsers.get(needed);
      if (users === undefined) this.#keptUsers.set(needed, [urn]);
      else users.push(urn);
    });
  }

  isKept(urn: Urn): boolean {
    return this.#kept.has(urn);
  }

  /** Returns true if the settings of a provider have changed. Then objects are brought back through the earlier one. */
  providerDiffers(reference: ProviderReference): boolean {
    const { urn } = parseProviderReference(reference);
    const was = this.before.entry(urn);
    const now = this.#recorder.live.live(urn)?.entry;
    return was !== undefined && now !== undefined && !equalMaps(was.inputs, now.inputs);
  }

  /** Records that the undo of a resource took place. */
  restored(urn: Urn): void {
    this.#restored.add(urn);
  }

  isRestored(urn: Urn): boolean {
    return this.#restored.has(urn);
  }

  /**
   * Returns the entry to which the undo of a resource leads: the earlier one, with the values of objects that were
   * created again. `asFound` includes the object as this run has found it.
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

  /** Plans the undo of the subject for the present state. */
  plan(subject: UndoSubject): UndoPlan {
    const { live } = this.#recorder;
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
      option: subject.option ?? this.#option,
      holdsData: subject.option === undefined && this.#holdsData(now ?? was),
      goesToo: (urn) => this.before.entry(urn) === undefined,
      neededBy: this.#neededBy(subject, was === undefined),
      mayReplace: this.mayReplace(subject.urn),
    });
    return { undo, cell, original };
  }

  /** Takes the URNs whose values have changed because an object was created again, each once. */
  takeUnsettled(): readonly Urn[] {
    const urns = [...this.#unsettled];
    this.#unsettled.clear();
    return urns;
  }

  /** Returns true if the earlier object of a URN still exists, even if it is pending delete. */
  #stands(urn: Urn): boolean {
    const { live } = this.#recorder;
    const was = this.before.entry(urn);
    if (was === undefined) return false;
    const owner = live.live(urn);
    return [...(owner === undefined ? [] : [owner]), ...live.leaving(urn)].some(({ entry }) =>
      isSameObject(was, entry),
    );
  }

  #holdsData(entry: ResourceEntry | undefined): boolean {
    return entry !== undefined && this.#holds(entry);
  }

  #originalOf(was: ResourceEntry, subject: UndoSubject): Cell | undefined {
    const { live } = this.#recorder;
    const cells = [...live.leaving(subject.urn), ...(was.urn === subject.urn ? [] : live.leaving(was.urn))];
    return cells.find((cell) => cell !== subject.cell && isSameObject(was, cell.entry));
  }

  /**
   * Returns a resource that still exists and refers to this one: a follower that the change created, or a resource
   * whose own undo did not take place. If the resource itself `vanishes`, any follower counts.
   */
  #neededBy({ urn, followers }: UndoSubject, vanishes: boolean): Urn | undefined {
    const { live } = this.#recorder;
    return [...followers, ...(this.#keptUsers.get(urn) ?? [])].find((follower) => {
      const entry = live.live(follower)?.entry;
      if (entry === undefined || entry.urn === urn) return false;
      const refers = refersToAny(entry, new Set([urn]));
      if (!refers || vanishes) return refers;
      return this.#kept.has(entry.urn) || this.before.entry(entry.urn, entry.aliases) === undefined;
    });
  }
}

/** Returns the fields that describe the object rather than the program's goal. */
function objectOf(entry: ResourceEntry): Partial<ResourceEntry> {
  const { id, inputs, outputs, created, modified, initErrors, refreshBeforeUpdate } = entry;
  return { id, inputs, outputs, created, modified, initErrors, refreshBeforeUpdate };
}
