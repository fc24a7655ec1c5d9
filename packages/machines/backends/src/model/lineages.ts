import { unreachable } from '@cairn/diagnostics';
import type { ChangeResult } from './change-result.js';
import type { ContinuesHow, TaskCounts } from './change-row.js';
import type { ChangeKind } from './operation-kind.js';

/** Element of lineages: one change, by numbers. `result` is undefined when its journal is not closed. */
export interface LineageMember {
  readonly number: number;
  readonly kind: ChangeKind;
  readonly continues: { readonly number: number; readonly how: ContinuesHow } | undefined;
  readonly result: ChangeResult | undefined;
  readonly tasks: TaskCounts;
  /**
   * Digests of the state it started from, and of the one it left. The latter is undefined when it left none of its own.
   */
  readonly base: string;
  readonly left: string | undefined;
}

/** State of a lineage: the result of its last change that did more than resolve or edit. */
export type LineageState = Exclude<ChangeResult, 'nothing'>;

/**
 * Change with its successors: each continues the one before it. Only the newest lineage of a stack can be continued,
 * because every later change started from the state that it left. `whole`: the records of its first change exist.
 */
export interface Lineage<M extends LineageMember = LineageMember> {
  /** Oldest first, never empty. */
  readonly members: readonly M[];
  readonly state: LineageState;
  readonly whole: boolean;
  /** True if `resume` has something to continue, or `rollback` has, because it did not end. */
  readonly unfinished: boolean;
}

/**
 * Returns the lineages of a stack that nothing supersedes [CHG-29] [REC-16]: the newest, and those of operations that
 * ran beside its last change and were stored together with it. Takes `changes` newest first, and only as many as the
 * lineages need. Changes in which nothing was recorded supersede nothing. One that was to continue a lineage is the
 * last of it until another change begins. The result is newest first, and empty without changes.
 */
export function currentLineages<M extends LineageMember>(changes: Iterable<M>): readonly Lineage<M>[] {
  const lineages: { members: M[]; wanted: number | undefined }[] = [];
  let newest: M | undefined;
  for (const change of changes) {
    const successor = lineages.find(({ wanted }) => wanted === change.number);
    if (successor !== undefined) {
      successor.members.unshift(change);
      successor.wanted = change.continues?.number;
      if (change.result !== 'nothing') newest ??= change;
    } else if (change.result === 'nothing') {
      if (change.continues !== undefined && newest === undefined && lineages.length === 0)
        lineages.push({ members: [change], wanted: change.continues.number });
    } else if (ranBeside(change, (newest ??= change))) {
      lineages.push({ members: [change], wanted: change.continues?.number });
    } else if (
      newest !== undefined &&
      change.base !== newest.base &&
      lineages.every(({ wanted }) => isOver(wanted, change))
    )
      break;
  }
  return lineages.map(({ members, wanted }) => lineageOf(members, wanted === undefined));
}

/** Replaces the digest of the state of a change that was set aside. It equals no state, so no change continues it. */
export const SET_ASIDE = 'set aside';

/** Returns true if nothing older belongs to the lineage. */
function isOver(wanted: number | undefined, { number }: LineageMember): boolean {
  return wanted === undefined || wanted >= number;
}

/** Returns true if both began with the same state, and their results were stored together or are not stored yet. */
function ranBeside(change: LineageMember, newest: LineageMember): boolean {
  const together = change.left === newest.left || change.left === undefined || newest.left === undefined;
  return change.base === newest.base && together;
}

/** Returns a change in which nothing was recorded, and that continues no other, as a lineage of its own. */
export function lineageOfNothing<M extends LineageMember>(change: M): Lineage<M> {
  return lineageOf([change], true);
}

function lineageOf<M extends LineageMember>(members: readonly M[], whole: boolean): Lineage<M> {
  const telling = members.findLast((member) => !passes(member)) ?? (members[0] as M);
  const state = stateOf(telling);
  const begun = members.some(({ tasks, left }) => tasks.total > 0 || left !== undefined);
  const unfinished = begun && telling.left !== SET_ASIDE && isUnfinished(state, telling);
  return { members, state, whole, unfinished };
}

/**
 * Returns true if the change leaves the state of its lineage as it was: a resolution or an edit that succeeded, or a
 * successor that did nothing. A rollback that died makes its lineage one that is to be rolled back, even if it had not
 * begun to.
 */
export function passes({
  continues,
  result,
  tasks,
}: Pick<LineageMember, 'result' | 'tasks'> & {
  readonly continues: { readonly how: ContinuesHow } | undefined;
}): boolean {
  if (continues === undefined) return false;
  if (result === 'nothing') return continues.how !== 'rollback';
  if (result === 'failed' && tasks.total === 0) return true;
  return (continues.how === 'resolve' || continues.how === 'edit') && result === 'succeeded';
}

/** Returns the state of a lineage from its last telling change. A rollback that has succeeded has rolled it back. */
function stateOf({ result, continues }: LineageMember): LineageState {
  if (result === 'succeeded' && continues?.how === 'rollback') return 'rolled-back';
  return result === undefined || result === 'nothing' ? 'interrupted' : result;
}

function isUnfinished(state: LineageState, { tasks }: LineageMember): boolean {
  switch (state) {
    case 'interrupted':
    case 'waiting':
      return true;
    case 'failed':
      return tasks.total > 0;
    case 'succeeded':
    case 'rolled-back':
      return false;
    default:
      return unreachable(state);
  }
}

/**
 * Returns the digest of the state that the lineage left. If the stored state has another one, another process has
 * altered it.
 */
export function leftBy({ members }: Lineage): string {
  return members.findLast(({ left }) => left !== undefined)?.left ?? (members[0] as LineageMember).base;
}
