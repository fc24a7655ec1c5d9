import { cairnError } from '@cairn/diagnostics';
import { PlaceBody, TICKET_SECONDS } from '@cairn/http-api';
import type * as v from 'valibot';
import type { CurrentOperation } from '../backend.js';
import type { StackId } from '../stack-id.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';
import { describedOperation, ofStack, operationIn } from './service-stacks.js';

/** State of a place: those before it, and the operation that runs. */
type PlaceState = v.InferOutput<typeof PlaceBody>;

/** Time between two calls that keep a place while its owner does something else, in milliseconds. */
const KEEP_MS = (TICKET_SECONDS * 1000) / 3;

/** Place in the queue of those who wait for a stack of a service. It is kept by calls, and lapses without them. */
export class QueuePlace {
  readonly ticket: string;
  #ended = false;
  #callOff: (() => void) | undefined;
  readonly #context: ServiceContext;
  readonly #id: StackId;

  constructor(context: ServiceContext, id: StackId) {
    this.#context = context;
    this.#id = id;
    this.ticket = context.newId();
  }

  /** Keeps the place, or takes one. The service may answer up to `waitMs` milliseconds later, when it has changed. */
  keep(waitMs = 0): Promise<PlaceState> {
    const call = { names: this.#names(), body: { wait: waitMs / 1000 } };
    return ofStack(this.#id, () => this.#context.http.json('keepPlace', PlaceBody, call));
  }

  /** Keeps the place until it is left or used. A call that fails is made again: the place lapses later. */
  keepOn(): void {
    if (this.#ended) return;
    this.#callOff = this.#context.timer.inBackground(KEEP_MS, () => {
      void this.keep()
        .catch(() => undefined)
        .finally(() => this.keepOn());
    });
  }

  /** Keeps the place no more: the operation has begun, which used it. */
  used(): void {
    this.#ended = true;
    this.#callOff?.();
  }

  /** Gives the place up, unless it was used. A place that stays lapses. */
  async leave(): Promise<void> {
    if (this.#ended) return;
    this.used();
    await this.#context.http.text('leaveQueue', { names: this.#names() }).catch(() => undefined);
  }

  #names(): Readonly<Record<string, string>> {
    return { ...pathNames(this.#context, this.#id), ticket: this.ticket };
  }
}

/** Time for which one call waits, in milliseconds: after it, an interrupt and locks of other tools are noticed. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2000;

/**
 * Waits in a place until its turn has come and nothing runs on the stack. `gone` is called once, if an operation runs,
 * and returns true if it has ended it. Fails with `CAIRN-STATE-LOCKED` when the time is over, and with
 * `CAIRN-CANCELLED` when interrupted.
 */
export async function awaitTurn(
  { timer, waitForLockMs, waiting }: ServiceContext,
  { stack }: StackId,
  place: QueuePlace,
  {
    interrupted,
    gone,
  }: { readonly interrupted: (() => boolean) | undefined; readonly gone: () => Promise<boolean> },
): Promise<void> {
  const elapsed = timer.stopwatch();
  let looked = false;
  let told = '';
  let wait = 0;
  for (;;) {
    const called = elapsed();
    const state = await place.keep(wait);
    if (interrupted?.() === true)
      throw cairnError('CAIRN-CANCELLED', 'interrupted while waiting for the lock of the stack');
    if (state.before.length === 0 && !state.current) return;
    if (state.current && !looked) {
      looked = true;
      if (await gone()) continue;
    }
    const who = whoIsBefore(state);
    if (elapsed() >= waitForLockMs) throw gaveUp(stack, who, waitForLockMs);
    if (who !== told) waiting?.(`waiting up to ${timeText(waitForLockMs)} for stack "${stack}": ${who}`);
    // An older service answers at once.
    else await new Promise<void>((resolve) => timer.after(Math.max(0, called + wait - elapsed()), resolve));
    told = who;
    wait = Math.min(Math.max(FIRST_WAIT_MS, wait * 2), LONGEST_WAIT_MS);
    wait = Math.max(0, Math.min(wait, waitForLockMs - elapsed()));
  }
}

/** Names those for whom a place waits. */
function whoIsBefore({ before, current }: PlaceState): string {
  const [first, ...rest] = before.map(({ by }) => by);
  const asked =
    first === undefined
      ? []
      : [rest.length === 0 ? `${first} asked before` : `${first} and ${rest.length} more asked before`];
  return [...(current ? [currentText(operationIn(current))] : []), ...asked].join('; ');
}

function currentText(current: CurrentOperation): string {
  if (current.kind !== 'lock') return `${describedOperation(current)} runs`;
  return `${current.author} has locked it (since ${current.started})`;
}

function gaveUp(stack: string, who: string, ms: number): Error {
  return cairnError('CAIRN-STATE-LOCKED', `cannot lock stack "${stack}" in time`, {
    causes: [who, `waited ${timeText(ms)} for the stack`],
    hint: 'Run the command again, or wait longer with --wait-for-lock.',
  });
}

function timeText(ms: number): string {
  const minutes = ms / 60_000;
  return Number.isInteger(minutes) ? `${minutes} min` : `${Math.round(ms / 100) / 10} s`;
}
