import { randomUUID } from 'node:crypto';
import type { CallbackReference } from '@cairn/wire';
import { CallbackFunctions, callbacksService, startHttp2Server } from '@cairn/wire/callbacks-server';

/** Where the functions are kept, and how the engine reaches them. */
export interface CallbackPorts {
  readonly functions: CallbackFunctions;
  /** Serves the functions; gives the address. Called once, with the first function. */
  readonly serve: () => Promise<string>;
}

/** Serves them over a connection, until the process ends; that does not keep the process alive [PRG-13]. */
function overConnection(): CallbackPorts {
  const functions = new CallbackFunctions(randomUUID);
  const serve = async () => (await startHttp2Server([callbacksService(functions)])).address;
  return { functions, serve };
}

/** Functions of the program that the engine calls: hooks and transforms. */
export class ProgramCallbacks {
  #target: Promise<string> | undefined;
  readonly #announced = new Set<Promise<unknown>>();

  constructor(private readonly ports: CallbackPorts = overConnection()) {}

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
    this.#target ??= this.ports.serve();
    return { target: await this.#target, token: add(this.ports.functions), acceptsByteStrings: true };
  }
}
