import type { BlobStore, Segment } from '@cairn/blobs';
import type { Timer } from '../src/index.js';

/** Returns a generator of numbers below 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** One machine. It can be paused, and it can die. */
export interface SimulatedHost {
  readonly name: string;
  readonly store: BlobStore;
  readonly timer: Timer;
  readonly isDead: () => boolean;
  /** Stops all its store calls and its time for so long. */
  pause(ms: number): void;
  kill(): void;
}

interface Waiting {
  readonly host: Machine;
  readonly go: () => void;
}

class Machine {
  pausedUntil = 0;
  dead = false;
  readonly due = new Set<Due>();
}

const TURNS = 3;
const QUIET_TURNS = 12;

/**
 * Several machines over one store with one time for all of them, which only passes when nothing else can happen. Every
 * call of the store waits for its turn before it happens and before its answer arrives. Turns are given at random.
 */
export class Simulation {
  #now = 0;
  readonly #waiting: Waiting[] = [];
  readonly #machines: Machine[] = [];
  readonly #inner: BlobStore;
  readonly #random: () => number;

  constructor(inner: BlobStore, random: () => number) {
    this.#inner = inner;
    this.#random = random;
  }

  host(name: string): SimulatedHost {
    const machine = new Machine();
    this.#machines.push(machine);
    const gate = (): Promise<void> =>
      new Promise((resolve) => this.#waiting.push({ host: machine, go: resolve }));
    return {
      name,
      store: gatedStore(this.#inner, gate),
      timer: this.#timerOf(machine),
      isDead: () => machine.dead,
      pause: (ms) => (machine.pausedUntil = Math.max(machine.pausedUntil, this.#now + ms)),
      kill: () => (machine.dead = true),
    };
  }

  /**
   * Lets one thing happen: a store call proceeds, or time passes until a timer is due. Returns false if nothing is left
   * to happen.
   */
  async step(): Promise<boolean> {
    await turns(TURNS);
    if (!this.#waiting.some(({ host }) => this.#runs(host))) await turns(QUIET_TURNS);
    const ready = this.#waiting.filter(({ host }) => this.#runs(host));
    const chosen = ready[Math.floor(this.#random() * ready.length)];
    if (chosen === undefined) return this.#passTime();
    this.#waiting.splice(this.#waiting.indexOf(chosen), 1);
    chosen.go();
    return true;
  }

  #runs(machine: Machine): boolean {
    return !machine.dead && machine.pausedUntil <= this.#now;
  }

  /** Moves time to the next timer, or the next end of a pause. A machine that wakes up finds its timers overdue. */
  #passTime(): boolean {
    const living = this.#machines.filter(({ dead }) => !dead);
    const times = living.flatMap((machine) => [
      ...(machine.pausedUntil > this.#now ? [machine.pausedUntil] : []),
      ...[...machine.due].map(({ at }) => Math.max(at, machine.pausedUntil)),
    ]);
    if (times.length === 0) return false;
    this.#now = Math.max(this.#now, Math.min(...times));
    for (const machine of living.filter((each) => this.#runs(each))) {
      for (const due of [...machine.due].filter(({ at }) => at <= this.#now)) {
        machine.due.delete(due);
        due.run();
      }
    }
    return true;
  }

  #timerOf(machine: Machine): Timer {
    const after = (ms: number, run: () => void): (() => void) => {
      const due = { at: this.#now + ms, run };
      machine.due.add(due);
      return () => void machine.due.delete(due);
    };
    return {
      after,
      inBackground: after,
      ticks: () => this.#now,
      stopwatch: () => {
        const begun = this.#now;
        return () => this.#now - begun;
      },
    };
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function gatedStore(inner: BlobStore, gate: () => Promise<void>): BlobStore {
  const gated =
    <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      await gate();
      try {
        return await work(...given);
      } finally {
        await gate();
      }
    };
  const segment = (opened: Segment): Segment => ({
    key: opened.key,
    get durableSize() {
      return opened.durableSize;
    },
    append: gated((bytes: Uint8Array) => opened.append(bytes)),
    close: () => opened.close(),
  });
  const open = gated((...given: Parameters<BlobStore['openSegment']>) => inner.openSegment(...given));
  return {
    url: inner.url,
    get: gated((key: string) => inner.get(key)),
    put: gated((...given: Parameters<BlobStore['put']>) => inner.put(...given)),
    list: gated((prefix: string) => inner.list(prefix)),
    delete: gated((...given: Parameters<BlobStore['delete']>) => inner.delete(...given)),
    copy: gated((...given: Parameters<BlobStore['copy']>) => inner.copy(...given)),
    openSegment: async (...given) => {
      const opened = await open(...given);
      return opened.ok ? { ok: true, segment: segment(opened.segment) } : opened;
    },
    fenceSegment: gated(async (key: string) => inner.fenceSegment?.(key)),
    close: async () => undefined,
  };
}
