import { randomUUID } from 'node:crypto';
import type { CallbackReference } from '@cairn/wire';
import { CallbackFunctions, callbacksService, startUnaryServer } from '@cairn/wire/callbacks-server';

/**
 * Functions of the program that the engine calls: hooks and transforms. They are served from the first one on, until
 * the process ends; serving does not keep the process alive [PRG-13].
 */
export class ProgramCallbacks {
  readonly #functions = new CallbackFunctions(randomUUID);
  #target: Promise<string> | undefined;
  readonly #announced = new Set<Promise<unknown>>();

  /** Notes a call that must be answered before what comes after it may be sent; gives it back. */
  announce<T>(call: Promise<T>): Promise<T> {
    this.#announced.add(call);
    const over = () => void this.#announced.delete(call);
    call.then(over, over);
    return call;
  }

  /** Waits for the calls that were announced so far; undefined when there are none. */
  announced(): Promise<unknown> | undefined {
    return this.#announced.size === 0 ? undefined : Promise.allSettled([...this.#announced]);
  }

  /** Serves a function; `add` puts it among the functions and gives its token. */
  async serve(add: (functions: CallbackFunctions) => string): Promise<CallbackReference> {
    this.#target ??= startUnaryServer([callbacksService(this.#functions)]).then(({ address }) => address);
    return { target: await this.#target, token: add(this.#functions), acceptsByteStrings: true };
  }
}
