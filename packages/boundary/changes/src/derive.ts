import { unreachable } from '@cairn/diagnostics';
import type { Status } from './status.js';
import { STATUSES } from './status.js';

/** Properties of a task that derivation needs. */
export interface StatusNode {
  readonly status: Status;
  readonly waits: readonly StatusNode[];
  readonly halts: readonly StatusNode[];
}

/** Number of tasks of a change by status. */
type StatusCounts = Readonly<Record<Status, number>>;

/** Returns the counts of a change without tasks. */
export function noCounts(): Record<Status, number> {
  return { do: 0, doing: 0, done: 0, abort: 0, undo: 0, undoing: 0, undone: 0, hold: 0, error: 0, wait: 0 };
}

/**
 * Derives the status of a change without an explicit one [CHG-9]. Without tasks it is hold. It is wait if a task waits
 * and everything else is stuck behind waits. Otherwise it is the first of {@link STATUSES} that some task has. The
 * tasks are examined only if some task waits and none is running, aborting or undoing.
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

/** One task on the search path: the next neighbour to examine, and if a waiting one was seen. */
interface Frame {
  readonly task: StatusNode;
  next: number;
  waiting: boolean;
}

/**
 * Tells if a do task (through its wait edges) or an undo task (through its halt edges) is stuck. It needs a neighbour
 * that waits or is stuck itself, and none that runs or could run. A cycle counts as not stuck. The search path is a
 * list, so depth does not use the stack.
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

/** A task on the path counts as not waiting, which breaks cycles. */
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
