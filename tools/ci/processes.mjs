// Processes of lanes, as Linux lists them: which are left, and the processor time of those that have no parent in their
// lane any more, which its shell cannot count.
import { readFileSync, readdirSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const INTERVAL_MS = 500;

/** Follows the processes that lanes start, by looking at all of them twice a second. */
export class ProcessTracker {
  /** By pid and time of start, since pids are used again. */
  #known = new Map();
  #lanes = [];
  /** Processes of which it is known that no lane has started them. */
  #foreign = new Set();
  #orphanTicks = new Map();
  #timer;

  start() {
    if (process.platform !== 'linux') return;
    this.#timer = setInterval(() => this.#look(), INTERVAL_MS);
    this.#timer.unref();
  }

  stop() {
    clearInterval(this.#timer);
  }

  /** Follows a process and all that it starts. `folder`: a part of TMPDIR that only its processes have. */
  follow(lane, pid, folder) {
    this.#lanes.push({ lane, folder });
    const found = process.platform === 'linux' ? statOf(pid) : undefined;
    if (found !== undefined) this.#known.set(keyOf(found), { ...found, lane, isRoot: true, isOrphan: false });
  }

  /** Ends every process of every lane, for a run that is interrupted. */
  endAll() {
    this.#look();
    for (const { pid } of this.#known.values()) kill(pid, 'SIGKILL');
  }

  /** Returns the processes of a lane that still run, with their names. */
  left(lane) {
    this.#look();
    return [...this.#known.values()].filter((each) => each.lane === lane && !each.isRoot);
  }

  /** Seconds of processor time of processes that have outlived their parents. */
  orphanSeconds(lane) {
    this.#look();
    const ended = this.#orphanTicks.get(lane) ?? 0;
    const running = this.left(lane).filter(({ isOrphan }) => isOrphan);
    return (ended + running.reduce((sum, { ticks }) => sum + ticks, 0)) / TICKS_PER_SECOND;
  }

  #look() {
    if (process.platform !== 'linux') return;
    const seen = new Map(processes().map((each) => [each.pid, each]));
    for (const [key, known] of this.#known) {
      const now = seen.get(known.pid);
      if (now !== undefined && keyOf(now) === key) continue;
      this.#known.delete(key);
      if (known.isOrphan)
        this.#orphanTicks.set(known.lane, (this.#orphanTicks.get(known.lane) ?? 0) + known.ticks);
    }
    for (const each of seen.values()) this.#note(each, seen);
  }

  #note(found, seen) {
    const known = this.#known.get(keyOf(found));
    if (known !== undefined) {
      const parent = seen.get(found.parent);
      const isOrphan = !known.isRoot && (parent === undefined || !this.#known.has(keyOf(parent)));
      Object.assign(known, found, { isOrphan });
      return known.lane;
    }
    const parent = seen.get(found.parent);
    const inherited = parent === undefined ? undefined : this.#note(parent, seen);
    const lane = inherited ?? this.#laneByFolder(found);
    if (lane !== undefined) {
      const isOrphan = inherited === undefined;
      this.#known.set(keyOf(found), { ...found, lane, isRoot: false, isOrphan });
    }
    return lane;
  }

  /** Finds the lane of a process whose parents have ended before they were seen, by its environment. */
  #laneByFolder(found) {
    const key = keyOf(found);
    if (this.#foreign.has(key)) return undefined;
    const environment = environmentOf(found.pid);
    const lane = this.#lanes.find(({ folder }) => environment.includes(`TMPDIR=${folder}/`))?.lane;
    if (lane === undefined) this.#foreign.add(key);
    return lane;
  }
}

const keyOf = ({ pid, started }) => `${pid}:${started}`;

function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((each) => each !== undefined && each.state !== 'Z');
}

/** Sends a signal to a process or, with a negative number, a group; nothing happens if it has ended. */
export function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

/** Returns Linux's data on a process, with the time of its children that have ended; undefined if it is gone. */
function statOf(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name may hold blanks and brackets: fields are counted from its end.
  const end = text.lastIndexOf(')');
  const [state, parent, , , , , , , , , , user, system, childUser, childSystem, , , , , started] = text
    .slice(end + 2)
    .split(' ');
  const ticks = [user, system, childUser, childSystem].reduce((sum, each) => sum + Number(each), 0);
  const name = text.slice(text.indexOf('(') + 1, end);
  return { pid: Number(pid), name, state, parent: Number(parent), ticks, started };
}
