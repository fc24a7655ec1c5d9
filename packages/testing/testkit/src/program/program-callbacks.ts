import { randomUUID } from 'node:crypto';
import type {
  CallbackReference,
  ErrorHookRequest,
  HookBinding,
  Monitor,
  RegisterHookRequest,
  ResourceHookRequest,
} from '@cairn/wire';
import { CallbackFunctions, callbacksService } from '@cairn/wire/callbacks-server';
import { startServer } from '@cairn/wire/server';
import type { RunningServer } from '@cairn/wire/server';

/** Returns a binding with only the given hooks. */
export function hooksOf(binding: Partial<HookBinding>): HookBinding {
  return {
    beforeCreate: [],
    afterCreate: [],
    beforeUpdate: [],
    afterUpdate: [],
    beforeDelete: [],
    afterDelete: [],
    onError: [],
    ...binding,
  };
}

/**
 * Functions of one run of a program that the engine may call. They are served like those of an SDK, from the first one
 * on.
 */
export class ProgramCallbackServer {
  readonly #functions = new CallbackFunctions(randomUUID);
  #server: Promise<RunningServer> | undefined;
  readonly #monitor: Monitor;

  constructor(monitor: Monitor) {
    this.#monitor = monitor;
  }

  /** Serves a function; `add` returns its token. */
  async serve(add: (functions: CallbackFunctions) => string): Promise<CallbackReference> {
    this.#server ??= startServer({ services: [callbacksService(this.#functions)] });
    const { address: target } = await this.#server;
    return { target, token: add(this.#functions), acceptsByteStrings: true };
  }

  /** Registers a hook. An error that it throws is its failure. */
  async hook(
    name: string,
    run: (request: ResourceHookRequest) => Promise<void> | void,
    options: Partial<Pick<RegisterHookRequest, 'onDryRun' | 'ignoreErrors'>> = {},
  ): Promise<void> {
    const callback = await this.serve((functions) => functions.resourceHook(run));
    await this.#monitor.registerResourceHook({
      name,
      callback,
      onDryRun: false,
      ignoreErrors: false,
      ...options,
    });
  }

  /** Registers an error hook, which decides whether to retry. */
  async errorHook(
    name: string,
    run: (request: ErrorHookRequest) => Promise<boolean> | boolean,
  ): Promise<void> {
    const callback = await this.serve((functions) => functions.errorHook(run));
    await this.#monitor.registerErrorHook({ name, callback });
  }

  async close(): Promise<void> {
    await (await this.#server)?.close();
  }
}
