import { unreachable } from '@cairn/diagnostics';
import type { ChangeResult, ContinuesHow, OperationKind, TaskCounts } from './change-row.js';

/** What lines are made of: one change, by numbers. `result`: undefined when its journal is not closed. */
export interface LineMember {
  readonly number: number;
  readonly kind: OperationKind;
  readonly continues: { readonly number: number; readonly how: ContinuesHow } | undefined;
  readonly result: ChangeResult | undefined;
  readonly tasks: TaskCounts;
  /** Digest of the state it started from, and of the one it left; undefined when it left none of its own. */
  readonly base: string;
  readonly left: string | undefined;
}

/** Where a line stands: the result of its last change that did more than resolve or edit. */
export type LineState = Exclude<ChangeResult, 'nothing'>;

/**
 * A change with its successors: each goes on with the one before it. Only the newest line of a stack can be gone on with, because
 * whatever began later started from what it left. `whole`: the records of its first change are there.
 */
export interface Line<M extends LineMember = LineMember> {
  /** Oldest first, never empty. */
  readonly members: readonly M[];
  readonly state: LineState;
  readonly whole: boolean;
  /** Whether `resume` (or `rollback`, because it did not end) has something to go on with. */
  readonly unfinished: boolean;
}

/**
 * The newest line of a stack (design: changes.md g.3, "a successor change that owns the same tasks by reference"). `changes`: the newest
 * first; only as many are taken as the line needs. Changes in which nothing was recorded count as if they had not been. Undefined: there
 * is no change.
 */
export function newestLine<M extends LineMember>(changes: Iterable<M>): Line<M> | undefined {
  const members: M[] = [];
  let wanted: number | undefined;
  let whole = false;
  for (const change of changes) {
    if (wanted === undefined ? change.result === 'nothing' : change.number !== wanted) {
      if (wanted !== undefined && change.number < wanted) break;
      continue;
    }
    members.unshift(change);
    wanted = change.continues?.number;
    whole = wanted === undefined;
    if (whole) break;
  }
  return members.length === 0 ? undefined : lineOf(members, whole);
}

function lineOf<M extends LineMember>(members: readonly M[], whole: boolean): Line<M> {
  const telling = members.findLast((member) => !passes(member)) ?? (members[0] as M);
  const state = stateOf(telling);
  const begun = members.some(({ tasks, left }) => tasks.total > 0 || left !== undefined);
  return { members, state, whole, unfinished: begun && isUnfinished(state, telling) };
}

/** It leaves the line where it was: a resolution or an edit that ended well, or a successor that never came to anything. */
function passes({ continues, result }: LineMember): boolean {
  if (continues === undefined) return false;
  if (result === 'nothing') return true;
  return (continues.how === 'resolve' || continues.how === 'edit') && result === 'succeeded';
}

/** A rollback that has succeeded has rolled the line back. */
function stateOf({ result, continues }: LineMember): LineState {
  if (result === 'succeeded' && continues?.how === 'rollback') return 'rolled-back';
  return result === undefined || result === 'nothing' ? 'interrupted' : result;
}

function isUnfinished(state: LineState, { tasks }: LineMember): boolean {
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

/** Digest of the state that the line left; somebody else has altered the state when it is another one. */
export function leftBy({ members }: Line): string {
  return members.findLast(({ left }) => left !== undefined)?.left ?? (members[0] as LineMember).base;
}
