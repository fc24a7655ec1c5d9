import type { Claim } from '@cairn/changes';
import { CairnError, cairnError, isCairnError } from '@cairn/diagnostics';
import { layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { isGone } from './holder-state.js';
import { holdersBelow } from './lock-file.js';
import { OwnLock } from './own-lock.js';
import { isInTheWay } from './stack-lock.js';
import type { Locker } from './stack-lock.js';
import { refuseInterruptedWait } from './watch.js';
import type { LockHolder } from '../../model/lock-holder.js';

/** Lock to wait for, and options of the wait. */
export interface Wait {
  readonly id: StackId;
  readonly claims: readonly Claim[];
  /** Longest time to wait. */
  readonly ms: number;
  /** Draws a turn, so that earlier callers come first. */
  readonly queues: boolean;
}

/** Pauses between two readings, in milliseconds. */
const PAUSE = { local: 250, remote: 2000 } as const;

/**
 * Takes a lock with `take`. While others cause a refusal, tries again until the time is over [STORE-15]. Of the
 * waiters, the one that asked first tries first. A turn whose process is gone, or that is not renewed for its term, is
 * removed. Fails with the last refusal, and with `CAIRN-CANCELLED` when interrupted.
 */
export async function takeInTurn<T>(
  locker: Locker,
  wait: Wait,
  take: (locker: Locker) => Promise<T>,
): Promise<T> {
  const quiet = { ...locker, waiting: eachOnce(locker.waiting) };
  const elapsed = locker.timer.stopwatch();
  const queue = wait.queues ? new Queue(locker, wait) : undefined;
  let refusal: CairnError | undefined;
  let told: number | undefined;
  try {
    for (;;) {
      const before = (await queue?.before()) ?? 0;
      if (before === 0) {
        const tried = await attempt(() => take(quiet));
        if ('taken' in tried) return tried.taken;
        refusal = tried.refusal;
      }
      const left = wait.ms - elapsed();
      if (left <= 0) throw gaveUp(wait, before, refusal);
      if (told !== before) locker.waiting?.(waitingText(wait, before, refusal));
      told = before;
      await queue?.draw();
      const pause = locker.store.remote === true ? PAUSE.remote : PAUSE.local;
      await new Promise<void>((resolve) => locker.timer.after(Math.min(pause, left), resolve));
      refuseInterruptedWait(locker);
    }
  } finally {
    await queue?.leave();
  }
}

/** Returns the result, or the refusal because another process holds the claims. */
async function attempt<T>(
  take: () => Promise<T>,
): Promise<{ readonly taken: T } | { readonly refusal: CairnError }> {
  try {
    return { taken: await take() };
  } catch (thrown) {
    if (isCairnError(thrown) && isRefusal(thrown)) return { refusal: thrown };
    throw thrown;
  }
}

function isRefusal({ diagnostics: [first] }: CairnError): boolean {
  return first?.code === 'CAIRN-STATE-LOCKED' || first?.code === 'CAIRN-CHANGE-CONFLICT';
}

/** Turns of the waiters for the lock of one stack, seen from one of them. */
class Queue {
  #own: OwnLock | undefined;
  /** Turns that have not changed since, by key. */
  readonly #seen = new Map<string, { readonly version: string; readonly elapsed: () => number }>();
  readonly #locker: Locker;
  readonly #wait: Wait;

  constructor(locker: Locker, wait: Wait) {
    this.#locker = locker;
    this.#wait = wait;
  }

  /** Returns the number of earlier turns whose claims collide. Without a turn of its own, every turn is earlier. */
  async before(): Promise<number> {
    const turns = await this.#turns();
    const own = this.#own;
    // The turn was removed while this process was paused. Those who asked meanwhile come first.
    if (own !== undefined && !turns.some(({ key }) => key === own.key)) await this.leave();
    const before = turns.filter(({ key }) => this.#own === undefined || key < this.#own.key);
    return before.filter((turn) => isInTheWay(turn, this.#wait.claims)).length;
  }

  /** Draws a turn behind all others. */
  async draw(): Promise<void> {
    if (this.#own !== undefined) return;
    const locker = this.#locker;
    const wait = this.#wait;
    const last = (await locker.store.list(layout.queueOf(wait.id))).at(-1);
    const number = last === undefined ? 0 : Number(fileName(last.key).slice(0, 8));
    const key = layout.turn(wait.id, (Number.isInteger(number) ? number : 0) + 1, locker.id);
    this.#own = await OwnLock.write(locker, wait.id, wait.claims, key);
  }

  async leave(): Promise<void> {
    const own = this.#own;
    this.#own = undefined;
    // A turn that stays is not renewed, and those behind it remove it.
    await own?.release().catch(() => undefined);
  }

  /** Returns the waiting turns, in order, without those that it removes. */
  async #turns(): Promise<readonly LockHolder[]> {
    const { store, process } = this.#locker;
    const turns = await holdersBelow(store, layout.queueOf(this.#wait.id));
    const silent = turns.filter((turn) => turn.key !== this.#own?.key && this.#isSilent(turn));
    const over = turns.filter((turn) => isGone(turn, process) || silent.includes(turn));
    for (const { key, version } of over) await store.delete(key, { ifVersion: version });
    return turns.filter((turn) => !over.includes(turn));
  }

  #isSilent({ key, version, lease }: LockHolder): boolean {
    const known = this.#seen.get(key);
    if (known?.version === version) return known.elapsed() > (lease?.termMs ?? this.#locker.lease.termMs);
    this.#seen.set(key, { version, elapsed: this.#locker.timer.stopwatch() });
    return false;
  }
}

function fileName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** Reports each text once. */
function eachOnce(tell: ((text: string) => void) | undefined): ((text: string) => void) | undefined {
  if (tell === undefined) return undefined;
  const told = new Set<string>();
  return (text) => {
    if (told.has(text)) return;
    told.add(text);
    tell(text);
  };
}

function waitingText({ id, ms }: Wait, before: number, refusal: CairnError | undefined): string {
  const who = before > 0 ? askedBefore(before) : (refusal?.diagnostics[0]?.causes ?? []).join('; ');
  return `waiting up to ${timeText(ms)} for the lock of stack "${id.stack}": ${who}`;
}

function gaveUp({ id, ms }: Wait, before: number, refusal: CairnError | undefined): CairnError {
  const waited = `waited ${timeText(ms)} for the lock`;
  if (refusal !== undefined && before === 0)
    return new CairnError(
      refusal.diagnostics.map((each) => ({ ...each, causes: [...(each.causes ?? []), waited] })),
    );
  return cairnError('CAIRN-STATE-LOCKED', `cannot lock stack "${id.stack}" in time`, {
    causes: [askedBefore(before), waited],
    hint: 'Run the command again, or wait longer with --wait-for-lock.',
  });
}

function askedBefore(count: number): string {
  return count === 1 ? '1 command asked before' : `${count} commands asked before`;
}

function timeText(ms: number): string {
  const minutes = ms / 60_000;
  return Number.isInteger(minutes) ? `${minutes} min` : `${Math.round(ms / 100) / 10} s`;
}
