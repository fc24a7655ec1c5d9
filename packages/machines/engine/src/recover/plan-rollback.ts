import type { Urn } from '@cairn/addresses';
import { eachReference, entryGraph } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import type { RollbackOption } from '@cairn/wire';
import type { CreatedAgain } from '../decide/repoint.js';
import { isSameObject } from '../decide/undo.js';
import type { Before } from '../execute/undo/before.js';
import { objectKey } from '../model/history.js';
import type { PastTask } from '../model/history.js';
import type { Cell } from '../model/cell.js';
import { isStepKind } from '../model/step-kinds.js';
import { UNDO_PART } from '../model/undo-part.js';
import type { UndoPart } from '../model/undo-part.js';

/** Facts from which the plan of a rollback is made. */
export interface RollbackFacts {
  readonly before: Before;
  /** Entries that were pending delete before. */
  readonly leavingBefore: readonly ResourceEntry[];
  /** Present cells, in snapshot order. */
  readonly present: readonly Cell[];
  /** Tasks of the lineage's changes, in order. */
  readonly past: readonly PastTask[];
  /** Objects that the lineage created, by `objectKey`. Undefined if they are not known. */
  readonly made?: ReadonlySet<string> | undefined;
  /** Findings of refreshes and imports about objects before the lineage changed them: their state before. */
  readonly found?: ReadonlyMap<Urn, ResourceEntry> | undefined;
  /** Objects that the operation itself has created again in a rollback of its own steps. Defaults to none. */
  readonly again?: Iterable<CreatedAgain> | undefined;
  /** Resources to roll back. Defaults to all. */
  readonly only?: ReadonlySet<Urn> | undefined;
}

/** One part of one resource to roll back. */
export interface PlannedUndo {
  readonly urn: Urn;
  readonly part: UndoPart;
  readonly imported: boolean;
  readonly option: RollbackOption | undefined;
  /** True if it was deleted without a call, because it was to be deleted with another object. */
  readonly withContainer: boolean;
  /** Affected entry, if it does not own the URN. */
  readonly cell: Cell | undefined;
  /** Indexes of the undos that this one came after: it is rolled back before them. */
  readonly after: readonly number[];
}

/** Actions of a rollback. */
export interface RollbackPlan {
  /** Undos in the order in which the steps were done; they run in reverse. */
  readonly undos: readonly PlannedUndo[];
  /** Objects that an earlier rollback of the lineage has created again already. */
  readonly createdAgain: readonly CreatedAgain[];
  /** Resources whose objects a refresh found missing: there is nothing to restore. */
  readonly vanished: readonly Urn[];
}

/** History of one resource in the lineage, as its tasks record it. */
interface History {
  /** Position of the latest task, by part, in the order of all tasks. */
  readonly latest: Partial<Record<UndoPart, number>>;
  imported: boolean;
  option: RollbackOption | undefined;
  /** True if its deletion was rolled back, or may have been: the present object may be the result. */
  createdAgain: boolean;
  /** True if a step was to delete it. */
  deleted: boolean;
  /** True if that step made no call, because the object was to be deleted with another one. */
  withContainer: boolean;
}

type Wanted = Omit<PlannedUndo, 'after'> & { readonly at: number };

/**
 * Plans the rollback of a lineage to its beginning [REC-12], from the previous state, the present state and the tasks
 * of the lineage. Pure. The same call after an interrupted rollback gives the remaining part. A difference in the entry
 * alone, not in its object, is not part of the plan. O(V+E).
 */
export function planRollback(facts: RollbackFacts): RollbackPlan {
  const histories = historiesOf(facts.past);
  const { createdAgain, expectedEntries } = alreadyAgain(facts, histories);
  const concerned = (urn: Urn) => facts.only === undefined || facts.only.has(urn);
  const vanished: Urn[] = [];
  const present = ofPresent(facts, histories, expectedEntries, (urn) => vanished.push(urn));
  const wanted = [...present, ...ofAbsent(facts, histories)]
    .filter(({ urn }) => concerned(urn))
    .sort((a, b) => a.at - b.at);
  return { undos: withOrder(wanted, facts), createdAgain, vanished: vanished.filter(concerned) };
}

function historiesOf(past: readonly PastTask[]): ReadonlyMap<Urn, History> {
  const histories = new Map<Urn, History>();
  past.forEach((task, at) => {
    const part = isStepKind(task.kind) ? UNDO_PART[task.kind] : undefined;
    if (part === undefined || task.status === 'do') return;
    const known = histories.get(task.urn);
    const history: History = known ?? {
      latest: {},
      imported: false,
      option: undefined,
      createdAgain: false,
      deleted: false,
      withContainer: false,
    };
    if (known === undefined) histories.set(task.urn, history);
    // The position of a task that only undoes does not tell when the step was done.
    const onlyUndoes = task.undone || task.undoesOnly === true;
    if (!onlyUndoes || history.latest[part] === undefined) history.latest[part] = at;
    if (part === 'remove') history.imported ||= task.kind.startsWith('import');
    if (part === 'recreate' && task.status !== 'hold') {
      history.deleted = true;
      history.withContainer = task.withContainer === true;
    }
    const mayBeUndone = task.undone || task.status === 'undoing' || task.undoWasInDoubt === true;
    if (part === 'recreate' && mayBeUndone) history.createdAgain = true;
    history.option = task.rollback ?? history.option;
  });
  return histories;
}

/**
 * Finds the objects that an earlier rollback of the lineage created again: beside an object to be deleted, or in place.
 */
function alreadyAgain(
  { before, leavingBefore, present, made, again = [] }: RollbackFacts,
  histories: ReadonlyMap<Urn, History>,
): {
  readonly createdAgain: readonly CreatedAgain[];
  readonly expectedEntries: ReadonlyMap<Urn, ResourceEntry>;
} {
  const expectedEntries = new Map<Urn, ResourceEntry>();
  const createdAgain: CreatedAgain[] = [];
  // Entries that are pending delete come last, so that one of them overrides the owner of the URN.
  const cells = [...present].sort((a, b) => Number(a.entry.delete) - Number(b.entry.delete));
  for (const { entry } of cells) {
    if (entry.pendingReplacement || entry.viewOf !== undefined) continue;
    const was = before.entry(entry.urn, entry.aliases);
    if (historyOf(histories, entry.urn, was?.urn)?.createdAgain !== true) continue;
    if (was === undefined || isSameObject(was, entry) || made?.has(objectKey(entry)) === true) continue;
    if (entry.delete && leavingBefore.some((left) => left.urn === entry.urn && left.id === entry.id))
      continue;
    expectedEntries.set(was.urn, { ...entry, delete: false });
  }
  const known = [...again].map((each) => [each.before.urn, each.since] as const);
  for (const [urn, since] of expectedEntries) {
    const was = before.entry(urn);
    if (was !== undefined) createdAgain.push({ before: was, since });
  }
  return { createdAgain, expectedEntries: new Map([...expectedEntries, ...known]) };
}

function* ofPresent(
  { before, leavingBefore, present, found }: RollbackFacts,
  histories: ReadonlyMap<Urn, History>,
  expectedEntries: ReadonlyMap<Urn, ResourceEntry>,
  onVanished: (urn: Urn) => void,
): Iterable<Wanted> {
  const leaving = present.filter(({ entry }) => entry.delete);
  const owned = new Set(present.filter(({ entry }) => !entry.delete).map(({ entry }) => entry.urn));
  for (const cell of present) {
    const { entry } = cell;
    const { urn } = entry;
    if (entry.viewOf !== undefined) continue;
    const was = before.entry(urn, entry.aliases);
    const expected = was && (expectedEntries.get(was.urn) ?? was);
    const history = historyOf(histories, urn, was?.urn);
    const want = (part: UndoPart, cell?: Cell) => wish(urn, part, history, cell);
    if (entry.delete) {
      if (leavingBefore.some((left) => left.urn === urn && left.id === entry.id)) continue;
      if (expected === undefined || !isSameObject(expected, entry)) yield want('remove', cell);
      else if (!owned.has(urn)) yield want('restore', cell);
      continue;
    }
    if (expected === undefined) {
      yield want('remove');
      continue;
    }
    if (isSameObject(expected, entry)) {
      const asFound = was && expectedEntries.has(was.urn) ? undefined : found?.get(urn);
      if (differs(asFound ?? expected, entry)) yield want('restore');
      continue;
    }
    if (!entry.pendingReplacement) yield want('remove');
    const hasOriginal = leaving.some((cell) => cell.entry.urn === urn && isSameObject(expected, cell.entry));
    if (hasOriginal || !expected.custom || expected.external || expected.pendingReplacement) continue;
    if (entry.pendingReplacement || history?.deleted === true) yield want('recreate');
    else onVanished(expected.urn);
  }
}

/**
 * Yields resources that existed and are missing. A resource is recreated if a step has deleted it. One that a refresh
 * found missing stays away.
 */
function* ofAbsent(
  { before, present }: RollbackFacts,
  histories: ReadonlyMap<Urn, History>,
): Iterable<Wanted> {
  const there = new Set<Urn>();
  for (const { entry } of present) {
    const was = before.entry(entry.urn, entry.aliases);
    if (was !== undefined) there.add(was.urn);
  }
  for (const { urn, viewOf } of before.entries()) {
    if (there.has(urn) || viewOf !== undefined) continue;
    if (histories.get(urn)?.deleted === true) yield wish(urn, 'recreate', histories.get(urn), undefined);
  }
}

/**
 * Returns the history of a resource that may have had another URN. Steps from that time are recorded under the old URN.
 */
function historyOf(
  histories: ReadonlyMap<Urn, History>,
  urn: Urn,
  former: Urn | undefined,
): History | undefined {
  const own = histories.get(urn);
  const then = former === undefined || former === urn ? undefined : histories.get(former);
  if (own === undefined || then === undefined) return own ?? then;
  return {
    latest: { ...then.latest, ...own.latest },
    imported: own.imported || then.imported,
    option: own.option ?? then.option,
    createdAgain: own.createdAgain || then.createdAgain,
    deleted: own.deleted || then.deleted,
    withContainer: own.deleted ? own.withContainer : then.withContainer,
  };
}

function wish(urn: Urn, part: UndoPart, history: History | undefined, cell: Cell | undefined): Wanted {
  const at = history?.latest[part] ?? history?.latest.remove ?? -1;
  const { imported = false, option } = history ?? {};
  const withContainer = part === 'recreate' && history?.withContainer === true;
  return { urn, part, imported, option, withContainer, cell, at };
}

/** Tells whether the inputs show that the object itself was changed. */
function differs(was: ResourceEntry, now: ResourceEntry): boolean {
  if (!was.custom) return false;
  return !equalMaps(was.inputs, now.inputs) || (now.initErrors.length > 0 && was.initErrors.length === 0);
}

/** Adds the order. The edges are those that applied to the steps: see `execute/task-edges.ts`. */
function withOrder(wanted: readonly Wanted[], { before, present }: RollbackFacts): readonly PlannedUndo[] {
  const latest = new Map<Urn, number>();
  const graph = entryGraph<ResourceEntry, Urn>(before.entries(), (entry) => entry);
  const owners = new Map(present.filter(({ entry }) => !entry.delete).map(({ entry }) => [entry.urn, entry]));
  return wanted.map(({ at: _at, ...undo }, index) => {
    const after = new Set<number>();
    const add = (urn: Urn) => {
      const earlier = latest.get(urn);
      if (earlier !== undefined) after.add(earlier);
    };
    add(undo.urn);
    if (undo.part === 'recreate')
      for (const { urn } of graph.dependents(before.entry(undo.urn)?.urn ?? undo.urn)) add(urn);
    else {
      const entry = undo.cell?.entry ?? owners.get(undo.urn);
      if (entry !== undefined) eachReference(entry, (urn) => add(urn));
    }
    latest.set(undo.urn, index);
    return { ...undo, after: [...after] };
  });
}
