import { unreachable } from '@cairn/diagnostics';
import type { ChangeResult } from './change-result.js';
import type { ContinuesHow, TaskCounts } from './change-row.js';
import type { OperationKind } from './operation-kind.js';

/** What lineages are made of: one change, by numbers. `result`: undefined when its journal is not closed. */
export interface LineageMember {
  readonly number: number;
  readonly kind: OperationKind;
  readonly continues: { readonly number: number; readonly how: ContinuesHow } | undefined;
  readonly result: ChangeResult | undefined;
  readonly tasks: TaskCounts;
  /** Digest of the state it started from, and of the one it left; undefined when it left none of its own. */
  readonly base: string;
  readonly left: string | undefined;
}

/** Where a lineage stands: the result of its last change that did more than resolve or edit. */
export type LineageState = Exclude<ChangeResult, 'nothing'>;

/**
 * A change with its successors: each goes on with the one before it. Only the newest lineage of a stack can be gone on
 * with, because whatever began later started from what it left. `whole`: the records of its first change are there.
 */
export interface Lineage<M extends LineageMember = LineageMember> {
  /** Oldest first, never empty. */
  readonly members: readonly M[];
  readonly state: LineageState;
  readonly whole: boolean;
  /** Whether `resume` (or `rollback`, because it did not end) has something to go on with. */
  readonly unfinished: boolean;
}

/**
 * The lineages of a stack that nothing supersedes: the newest, and those of operations that ran beside its last change
 * and were stored together with it [CHG-29] [REC-16]. `changes`: the newest first; only as many are taken as the
 * lineages need. Changes in which nothing was recorded supersede nothing; one that was to go on with a lineage is the
 * last of it while nothing else has begun since. Newest first; empty without changes.
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

/** Stands for the state that a change left which was set aside: none is like it, and nobody goes on with it. */
export const SET_ASIDE = 'set aside';

/** Nothing older belongs to the lineage. */
function isOver(wanted: number | undefined, { number }: LineageMember): boolean {
  return wanted === undefined || wanted >= number;
}

/** They began with the same state, and what they did was stored together or is not stored yet. */
function ranBeside(change: LineageMember, newest: LineageMember): boolean {
  const together = change.left === newest.left || change.left === undefined || newest.left === undefined;
  return change.base === newest.base && together;
}

/** A change in which nothing was recorded, and that was to go on with nothing, as a lineage of its own. */
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
 * It leaves the lineage where it was: a resolution or an edit that ended well, or a successor that never came to
 * anything. A rollback that died has made its lineage one that is to be rolled back, also when it had not begun to.
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

/** A rollback that has succeeded has rolled the lineage back. */
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

/** Digest of the state that the lineage left; somebody else has altered the state when it is another one. */
export function leftBy({ members }: Lineage): string {
  return members.findLast(({ left }) => left !== undefined)?.left ?? (members[0] as LineageMember).base;
}
