import { createHash } from 'node:crypto';
import { hasRunEnded } from '@cairn/changes-daemon';
import type { RequestRow, RunRow } from '@cairn/changes-daemon';
import type { CommitStatus } from './forge.js';
import { COMMENT_MARK } from './own-comment.js';
import { isClosedFork, pullName } from './pull-rows.js';
import type { PullRow } from './pull-rows.js';

/** Most steps of a run that a comment lists, and most characters of a reason. */
const STEPS = 50;
const WHY = 500;
/** Most characters of a status. */
const DESCRIPTION = 140;

/** Runs and requests in which a report looks. */
interface ReportedRows {
  readonly runs: Iterable<RunRow>;
  readonly requests: Iterable<RequestRow>;
  /** Tells if a stack has review stacks. */
  readonly hasReview: (stack: string) => boolean;
  /** Returns the name of the review stack of a pull request. */
  readonly reviewName: (stack: string, number: number) => string;
  /** Returns a sentence that says how to approve a run. */
  readonly approveWith: (run: RunRow) => string;
  /** Returns the address of the page of a run. Runs of an agent with a file have none. */
  readonly pageOf?: ((run: RunRow) => string) | undefined;
}

/** Comment and statuses of a pull request. */
export interface PullReport {
  readonly text: string;
  /** Commit of the statuses. */
  readonly commit: string;
  readonly statuses: readonly CommitStatus[];
  /** True if nothing more happens to it. */
  readonly isFinal: boolean;
  readonly digest: string;
}

/** Row of a report: a stack, and its newest run for this pull request. */
interface Line {
  readonly stack: string;
  readonly what: string;
  readonly run: RunRow | undefined;
  readonly isQueued: boolean;
}

/** Returns the report about a pull request, or `undefined` if it touches no stack. */
export function reportOf(row: PullRow, rows: ReportedRows): PullReport | undefined {
  const { pull, stacks } = row;
  if (pull === undefined || stacks.length === 0) return undefined;
  const isBlocked = isClosedFork(row);
  const lines = isBlocked ? [] : linesOf(row, rows);
  const commit = pull.state === 'merged' ? (pull.merge ?? pull.head) : pull.head;
  const statuses = isBlocked
    ? stacks.map((stack) => statusOf(stack, 'pending', 'waits for a member: this comes from a fork'))
    : pull.state === 'closed'
      ? []
      : lines.map(lineStatus);
  const text = [...(isBlocked ? BLOCKED : tableOf(lines, rows)), '', COMMENT_MARK].join('\n');
  const isFinal =
    pull.state !== 'open' &&
    lines.every(({ run, isQueued }) => !isQueued && (run === undefined || hasRunEnded(run.status)));
  const digest = createHash('sha256')
    .update(JSON.stringify([text, commit, statuses]))
    .digest('hex');
  return { text, commit, statuses, isFinal, digest };
}

const BLOCKED = [
  'This pull request comes from another repository. Nothing of it runs before a member has looked at it, because its',
  'programs could read secrets. To make previews of this commit, a member comments:',
  '',
  '```',
  'cairn preview',
  '```',
];

function linesOf(
  { forge, number, pull, stacks }: PullRow,
  { runs, requests, hasReview, reviewName }: ReportedRows,
): readonly Line[] {
  const name = pullName(forge, number);
  const all = [...runs];
  const queued = [...requests];
  const find = (stack: string, what: string, isOurs: (row: RunRow | RequestRow) => boolean): Line => ({
    stack,
    what,
    run: all.findLast((run) => run.stack === stack && isOurs(run)),
    isQueued: queued.some((request) => request.stack === stack && isOurs(request)),
  });
  const reviews = stacks
    .filter(hasReview)
    .map((stack) => find(reviewName(stack, number), 'review', () => true));
  if (pull?.state === 'merged')
    return [
      ...stacks.map((stack) => find(stack, 'up', (row) => row.kind === 'up' && row.commit === pull.merge)),
      ...reviews,
    ];
  return [
    ...stacks.map((stack) => find(stack, 'preview', (row) => row.kind === 'preview' && row.pull === name)),
    ...reviews,
  ];
}

function lineStatus({ stack, run, isQueued }: Line): CommitStatus {
  if (run === undefined || isQueued) return statusOf(stack, 'pending', 'waits for its turn');
  const state = !hasRunEnded(run.status) ? 'pending' : run.status === 'succeeded' ? 'success' : 'failure';
  return statusOf(stack, state, `${run.kind} ${run.status}: ${summaryOf(run)}`);
}

function statusOf(stack: string, state: CommitStatus['state'], description: string): CommitStatus {
  return { context: `cairn/${stack}`, state, description: description.slice(0, DESCRIPTION) };
}

function tableOf(
  lines: readonly Line[],
  { approveWith, pageOf }: Pick<ReportedRows, 'approveWith' | 'pageOf'>,
): readonly string[] {
  return [
    '| stack | run | result |',
    '|---|---|---|',
    ...lines.map(({ stack, what, run, isQueued }) => {
      const result =
        run === undefined || isQueued ? 'waits for its turn' : `${run.status}: ${summaryOf(run)}`;
      const name = run === undefined ? what : `${what} ${run.id}`;
      const page = run === undefined ? undefined : pageOf?.(run);
      return `| ${cell(stack)} | ${page === undefined ? name : `[${name}](${page})`} | ${cell(result)} |`;
    }),
    ...lines.flatMap(({ run, isQueued }) =>
      run === undefined || isQueued ? [] : detailsOf(run, approveWith),
    ),
  ];
}

function detailsOf(run: RunRow, approveWith: ReportedRows['approveWith']): readonly string[] {
  const { id, status, steps = [], why } = run;
  const listed = steps.slice(0, STEPS).map(({ kind, urn }) => `${kind} ${urn}`);
  const more = steps.length > STEPS ? [`and ${steps.length - STEPS} more`] : [];
  const reasons = status === 'succeeded' ? [] : why;
  const shown = [...reasons.map((reason) => reason.slice(0, WHY)), ...listed, ...more];
  return [
    ...(shown.length === 0 ? [] : ['', `Run ${id}:`, '', '~~~', ...shown.map(code), '~~~']),
    ...(status === 'waiting' ? ['', approveWith(run)] : []),
  ];
}

/** Counts the steps of a run by kind. */
function summaryOf({ steps = [], why, status }: RunRow): string {
  const counts = new Map<string, number>();
  for (const { kind } of steps) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (counts.size > 0) return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
  if (status === 'failed') return (why[0] ?? 'it failed').slice(0, 100);
  return hasRunEnded(status) ? 'nothing to change' : 'being planned';
}

/** Returns a text as one cell of a table, without Markdown, mentions and HTML. */
function cell(text: string): string {
  return code(text).replace(/[\\|`*_<>[\]#@~&]/g, (each) => `&#${each.codePointAt(0)};`);
}

/** Returns a text as one line of a block that it cannot end. */
function code(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('~~~', '~ ~');
}
