import type { RequestRow, RunRow } from './rows.js';
import { hasRunEnded, occupiesStack } from './run-status.js';

/** Result of adding a request: the requests and runs whose place it takes, or the one that has its place already. */
interface Placement {
  readonly supersedes: readonly string[];
  readonly supersedesRuns: readonly string[];
  readonly joins: string | undefined;
}

/** Tells if a request has become no run yet and has not been superseded. */
export function isQueued({ run, supersededBy }: RequestRow): boolean {
  return run === undefined && supersededBy === undefined;
}

/**
 * Places a request beside the others of its stack and kind: the newest takes the place of those that have not begun
 * [AGT-2]. A request of the agent itself joins one for the same commit that is open already.
 */
export function placeRequest(
  request: RequestRow,
  requests: Iterable<RequestRow>,
  runs: Iterable<RunRow>,
  isPerson: boolean,
): Placement {
  const same = (other: RequestRow | RunRow): boolean => isSameWork(other, request) && other.id !== request.id;
  const queued = [...requests].filter((other) => same(other) && isQueued(other));
  const open = [...runs].filter((run) => same(run) && !hasRunEnded(run.status));
  const joined = [...queued, ...open].find(({ commit }) => commit === request.commit);
  if (joined !== undefined && !isPerson) return { supersedes: [], supersedesRuns: [], joins: joined.id };
  return {
    supersedes: queued.map(({ id }) => id),
    // A run that is being planned has a process of its own: it is superseded when its plan is made.
    supersedesRuns: open.filter(({ status }) => status === 'waiting').map(({ id }) => id),
    joins: undefined,
  };
}

/**
 * Tells if a run that is ready has to wait for another run of its stack. It may have waited for approvals while the
 * other one began.
 */
export function mustWait(run: RunRow, runs: Iterable<RunRow>): boolean {
  return [...runs].some(
    ({ id, stack, status }) =>
      stack === run.stack &&
      id !== run.id &&
      occupiesStack(status) &&
      (status !== 'ready' || Number(id) < Number(run.id)),
  );
}

/** Tells if one takes the place of the other. Previews of different pull requests are made beside each other. */
function isSameWork(one: RequestRow | RunRow, other: RequestRow | RunRow): boolean {
  if (one.stack !== other.stack || one.kind !== other.kind) return false;
  return one.kind !== 'preview' || one.pull === other.pull;
}

/** Returns the queued request that takes the place of a run, if there is one. */
export function newerRequest(run: RunRow, requests: Iterable<RequestRow>): RequestRow | undefined {
  return [...requests].findLast((request) => isQueued(request) && isSameWork(request, run));
}

/** Request that may begin, or the one before which it has to wait. */
interface QueuePlace {
  readonly request: RequestRow;
  /** Run or request for which it waits; `undefined` if it may begin. */
  readonly waitsFor: string | undefined;
}

/**
 * Returns the queued requests, oldest first, each with what it waits for: a run or an older request of its stack, or an
 * open `up` of a stack after which it has to run.
 */
export function queuePlaces(
  requests: Iterable<RequestRow>,
  runs: Iterable<RunRow>,
  after: (stack: string) => readonly string[],
): readonly QueuePlace[] {
  const occupied = new Map<string, string>();
  const ups = new Map<string, string>();
  for (const { id, stack, kind, status } of runs) {
    if (occupiesStack(status)) occupied.set(stack, `run ${id}`);
    if (kind === 'up' && occupiesStack(status)) ups.set(stack, `run ${id}`);
  }
  const queued = [...requests].filter(isQueued);
  for (const { id, stack, kind } of queued)
    if (kind === 'up' && !ups.has(stack)) ups.set(stack, `request ${id}`);
  return queued.map((request) => {
    const own = occupied.get(request.stack);
    if (own === undefined) occupied.set(request.stack, `request ${request.id}`);
    const before = request.kind === 'up' ? after(request.stack).map((stack) => ups.get(stack)) : [];
    return { request, waitsFor: own ?? before.find((name) => name !== undefined) };
  });
}
