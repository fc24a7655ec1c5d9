import type { Urn } from '@cairn/addresses';
import type { BlockedPredicate, StepContext } from '@cairn/changes';
import type { ResourceEntry } from '@cairn/state';
import type { Payload } from '../step-run.js';
import type { OperationLimits } from './operation-limits.js';
import { callAbout, callOf } from './provider-call.js';
import type { ProviderCall } from './provider-call.js';

/** Task that may make one call to find out the outcome of a step in doubt. */
interface Asking {
  readonly call: ProviderCall | undefined;
}

/** Applies the limits of providers to the tasks of a change. Without limits every task passes. */
export class TaskLimits {
  readonly #limits: OperationLimits | undefined;
  /** Returns the entry of a task that only undoes a change. */
  readonly #entryOf: (urn: Urn) => ResourceEntry | undefined;

  constructor(limits: OperationLimits | undefined, entryOf: (urn: Urn) => ResourceEntry | undefined) {
    this.#limits = limits;
    this.#entryOf = entryOf;
  }

  /** Ends the limits with the operation and returns what it still has. */
  close(): void {
    this.#limits?.close();
  }

  /** Returns the predicates that delay tasks whose other conditions are met, for opening the change. */
  blocked(): readonly BlockedPredicate[] {
    const limits = this.#limits;
    if (limits === undefined) return [];
    return [
      (_task, _running, payload) => {
        const call = this.#callOf(payload as Payload | Asking | undefined);
        return call === undefined ? false : (limits.blockedBy(call) ?? false);
      },
    ];
  }

  /** Begins the task's call. If `begin` throws, the call has never begun. */
  begin<R>({ payload, task }: StepContext<Payload | Asking>, begin: () => R): R {
    const limits = this.#limits;
    const call = limits && this.#callOf(payload);
    if (call !== undefined) limits?.begin(task.id, call);
    try {
      return begin();
    } catch (thrown) {
      limits?.end(task.id);
      throw thrown;
    }
  }

  /** Ends the task's call. Called when its handler ends. */
  end({ task }: Pick<StepContext<unknown>, 'task'>): void {
    this.#limits?.end(task.id);
  }

  /** Returns the call that a task makes, done or undone. Undefined for tasks that make none. */
  #callOf(payload: Payload | Asking | undefined): ProviderCall | undefined {
    if (payload === undefined) return undefined;
    if ('call' in payload) return payload.call;
    if ('step' in payload) return callOf(payload.step);
    if (!('undoes' in payload)) return undefined;
    const { urn } = payload.undoes;
    return callAbout(this.#entryOf(urn));
  }
}
