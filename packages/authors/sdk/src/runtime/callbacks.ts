import { randomUUID } from 'node:crypto';
import type { CallbackReference } from '@cairn/wire';
import { CallbackFunctions, callbacksService } from '@cairn/wire/callbacks-server';
import { startServer } from '@cairn/wire/server';

/** The functions, and the service through which the engine reaches them. */
interface CallbackPorts {
  readonly functions: CallbackFunctions;
  /** Serves the functions; returns the address. Called once, with the first function. */
  readonly serve: () => Promise<string>;
  /** Stops serving them. Without it they are served as long as the process exists. */
  readonly close?: () => Promise<void>;
}

/** Serves them over a connection that does not keep the process alive. */
// [PRG-13]
function overConnection(): CallbackPorts {
  const functions = new CallbackFunctions(randomUUID);
  let server: ReturnType<typeof startServer> | undefined;
  const serve = async () => {
    server = startServer({ services: [callbacksService(functions)], keepsAlive: false });
    return (await server).address;
  };
  return { functions, serve, close: async () => (await server)?.close() };
}

/** Functions of the program that the engine calls: hooks and transforms. */
export class RegisteredCallbacks {
  #target: Promise<string> | undefined;
  readonly #announced = new Set<Promise<unknown>>();
  readonly #ports: CallbackPorts;

  constructor(ports: CallbackPorts = overConnection()) {
    this.#ports = ports;
  }

  /** Registers a call that must be answered before later requests may be sent; returns it. */
  announce<T>(call: Promise<T>): Promise<T> {
    this.#announced.add(call);
    const over = () => void this.#announced.delete(call);
    call.then(over, over);
    return call;
  }

  /** Waits for the calls registered so far. Undefined if there are none. */
  announced(): Promise<unknown> | undefined {
    return this.#announced.size === 0 ? undefined : Promise.allSettled([...this.#announced]);
  }

  /** Closes the service: the engine calls no further function. */
  async close(): Promise<void> {
    await this.#ports.close?.();
  }

  /** Serves a function. `add` adds it to the functions and returns its token. */
  async serve(add: (functions: CallbackFunctions) => string): Promise<CallbackReference> {
    this.#target ??= this.#ports.serve();
    return { target: await this.#target, token: add(this.#ports.functions), acceptsByteStrings: true };
  }
}
