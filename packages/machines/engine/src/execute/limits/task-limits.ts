import type { Urn } from '@cairn/addresses';
import type { BlockedPredicate, StepContext } from '@cairn/changes';
import type { ResourceEntry } from '@cairn/state';
import type { Payload } from '../step-run.js';
import type { OperationLimits } from './operation-limits.js';
import { callAbout, callOf } from './provider-call.js';
import type { ProviderCall } from './provider-call.js';

/** A task that may make one call to find out what became of it. */
interface Asking {
  readonly call: ProviderCall | undefined;
}

/** Holds the tasks of a change to the limits of providers. Without limits everything passes. */
export class TaskLimits {
  constructor(
    private readonly limits: OperationLimits | undefined,
    /** The entry that a task which only undoes something is about. */
    private readonly entryOf: (urn: Urn) => ResourceEntry | undefined,
  ) {}

  /** The operation has ended: what it holds is given back. */
  close(): void {
    this.limits?.close();
  }

  /** Why tasks may not start although nothing they wait for is missing, for opening the change. */
  blocked(): readonly BlockedPredicate[] {
    const { limits } = this;
    if (limits === undefined) return [];
    return [
      (_task, _running, payload) => {
        const call = this.#callOf(payload as Payload | Asking | undefined);
        return call === undefined ? false : (limits.blockedBy(call) ?? false);
      },
    ];
  }

  /** The task's call begins; when `begin` throws it never did. */
  begin<R>({ payload, task }: StepContext<Payload | Asking>, begin: () => R): R {
    const { limits } = this;
    const call = limits && this.#callOf(payload);
    if (call !== undefined) limits?.begin(task.id, call);
    try {
      return begin();
    } catch (thrown) {
      limits?.end(task.id);
      throw thrown;
    }
  }

  /** The task's call has ended when `work` has. */
  end<R>({ task }: Pick<StepContext<unknown>, 'task'>, work: Promise<R>): Promise<R> {
    const { limits } = this;
    return limits === undefined ? work : work.finally(() => limits.end(task.id));
  }

  /** The call that a task makes, done or undone; undefined for tasks that make none. */
  #callOf(payload: Payload | Asking | undefined): ProviderCall | undefined {
    if (payload === undefined) return undefined;
    if ('call' in payload) return payload.call;
    if ('step' in payload) return callOf(payload.step);
    if (!('undoes' in payload)) return undefined;
    const { urn } = payload.undoes;
    return callAbout(this.entryOf(urn));
  }
}
