import type { Diagnostic } from '@cairn/diagnostics';
import type { ChangeResult } from './change-result.js';
import type { ChangeRow, ContinuesHow, TaskCounts } from './change-row.js';
import type { ChangeKind } from './operation-kind.js';
import { passes } from './lineages.js';
import type { LineageState } from './lineages.js';

/** Outcome of a change, to follow its name. */
export const HAPPENED: Readonly<Record<ChangeResult, string>> = {
  interrupted: 'ended early',
  failed: 'failed',
  waiting: 'waits',
  succeeded: 'succeeded',
  'rolled-back': 'was rolled back',
  nothing: 'ended before it began anything',
};

/**
 * Describes the outcome of a lineage of changes and what can be done: `change 7 (up) ended early: 12 steps done, 1 in
 * doubt`. `rows` are oldest first. The note names the change that ended so, with the one that it continued.
 */
export function unfinishedNote(rows: readonly ChangeRow[], state: LineageState): Diagnostic {
  const [origin, latest] = [rows[0], rows.at(-1)];
  if (origin === undefined || latest === undefined) throw new RangeError('a lineage has changes');
  const since = rows
    .slice(1)
    .map(({ id, kind, result }) => `continued by ${id} (${kind}): ${result ?? 'ended early'}`);
  const resumeHint = state === 'succeeded' || state === 'rolled-back' ? '' : '`cairn resume` to continue, ';
  return {
    severity: 'info',
    code: 'CAIRN-UNFINISHED',
    summary: `${nameIn(rows)} ${HAPPENED[state]}${countsText(sumOf(rows))}`,
    causes: [`begun ${origin.spawned}`, ...since],
    hint: `Run ${resumeHint}\`cairn rollback\` to roll it back, or \`cairn change ${latest.id}\` to show it.`,
  };
}

/** Returns a name such as `change 5 (resume of change 1, up)`, of the last change that did more than answer or edit. */
function nameIn(rows: readonly ChangeRow[]): string {
  const [origin] = rows;
  const ended = rows.findLast((row) => !passes(row)) ?? origin;
  if (origin === undefined || ended === undefined) throw new RangeError('a lineage has changes');
  const how = ended.continues === undefined ? '' : `${GOING_ON[ended.continues.how]} change ${origin.id}, `;
  return `change ${ended.id} (${how}${nameOf(origin.kind)})`;
}

const GOING_ON: Readonly<Record<ContinuesHow, string>> = {
  resume: 'resume of',
  rollback: 'rollback of',
  resolve: 'answers for',
  edit: 'edit after',
};

/** Returns the name of this kind of operation for display. */
export function nameOf(kind: ChangeKind): string {
  return kind === 'edit' ? 'state edit' : kind;
}

/** Returns counts such as `: 12 steps done, 1 in doubt`. */
function countsText(counts: Pick<TaskCounts, 'done' | 'failed' | 'waiting' | 'undone' | 'doubt'>): string {
  const parts = [
    `${counts.done} ${counts.done === 1 ? 'step' : 'steps'} done`,
    ...some(counts.failed, 'failed'),
    ...some(counts.undone, 'undone'),
    ...some(counts.waiting, 'waiting'),
    ...some(counts.doubt, 'in doubt'),
  ];
  return `: ${parts.join(', ')}`;
}

function some(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}

/** Adds up done steps. Every other count is that of the last change. */
function sumOf(
  rows: readonly ChangeRow[],
): Pick<TaskCounts, 'done' | 'failed' | 'waiting' | 'undone' | 'doubt'> {
  const last = rows.at(-1)?.tasks;
  const done = rows.reduce((sum, { tasks }) => sum + tasks.done, 0);
  const { failed = 0, waiting = 0, undone = 0, doubt = 0 } = last ?? {};
  return { done, failed, waiting, undone, doubt };
}
