import { unreachable } from '@cairn/diagnostics';
import type { Status } from './status.js';
import { STATUSES } from './status.js';

/** What derivation needs to know of a task. */
export interface StatusNode {
  readonly status: Status;
  readonly waits: readonly StatusNode[];
  readonly halts: readonly StatusNode[];
}

/** How many tasks of a change have each status. */
type StatusCounts = Readonly<Record<Status, number>>;

/** Counts of a change without tasks. */
export function noCounts(): Record<Status, number> {
  return { do: 0, doing: 0, done: 0, abort: 0, undo: 0, undoing: 0, undone: 0, hold: 0, error: 0, wait: 0 };
}

/**
 * The status of a change without a status of its own [CHG-9]: hold without tasks; wait when a task waits and
 * everything else is stuck behind waits; else the first of {@link STATUSES} that some task has. Looks at the tasks only
 * when some task waits and none is running, aborting or undoing.
 */
export function deriveStatus(counts: StatusCounts, tasks: Iterable<StatusNode>): Status {
  if (counts.wait > 0 && stuckBehindWaits(counts, tasks)) return 'wait';
  return STATUSES.find((status) => counts[status] > 0) ?? 'hold';
}

function stuckBehindWaits(counts: StatusCounts, tasks: Iterable<StatusNode>): boolean {
  if (counts.doing > 0 || counts.undoing > 0 || counts.abort > 0) return false;
  if (counts.do === 0 && counts.undo === 0) return true;
  const known = new Map<StatusNode, boolean>();
  for (const task of tasks) {
    if ((task.status === 'do' || task.status === 'undo') && !isWaiting(task, known)) return false;
  }
  return true;
}

/** One task on the way down: which neighbours are still to be looked at and whether a waiting one was seen. */
interface Frame {
  readonly task: StatusNode;
  next: number;
  waiting: boolean;
}

/**
 * Whether a do task (through its wait edges) or an undo task (through its halt edges) has a neighbour that waits or is
 * itself waiting, and none that runs or could. A cycle counts as not waiting. Depth is kept in a list, not on the
 * stack.
 */
function isWaiting(start: StatusNode, known: Map<StatusNode, boolean>): boolean {
  const path: Frame[] = [enter(start, known)];
  for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
    const neighbour = neighbours(frame.task)[frame.next];
    if (neighbour === undefined) {
      known.set(frame.task, frame.waiting);
      path.pop();
      continue;
    }
    const verdict = look(neighbour, known);
    if (verdict === 'unknown') {
      path.push(enter(neighbour, known));
      continue;
    }
    frame.next += 1;
    if (verdict === 'waits') frame.waiting = true;
    if (verdict === 'runs') {
      known.set(frame.task, false);
      path.pop();
    }
  }
  return known.get(start) === true;
}

/** On the path a task counts as not waiting, which is what breaks a cycle. */
function enter(task: StatusNode, known: Map<StatusNode, boolean>): Frame {
  known.set(task, false);
  return { task, next: 0, waiting: false };
}

function neighbours(task: StatusNode): readonly StatusNode[] {
  return task.status === 'do' ? task.waits : task.halts;
}

function look(
  task: StatusNode,
  known: ReadonlyMap<StatusNode, boolean>,
): 'waits' | 'runs' | 'neutral' | 'unknown' {
  switch (task.status) {
    case 'wait':
      return 'waits';
    case 'doing':
    case 'undoing':
    case 'abort':
      return 'runs';
    case 'done':
    case 'undone':
    case 'hold':
    case 'error':
      return 'neutral';
    case 'do':
    case 'undo': {
      const waiting = known.get(task);
      return waiting === undefined ? 'unknown' : waiting ? 'waits' : 'runs';
    }
    default:
      return unreachable(task.status);
  }
}
