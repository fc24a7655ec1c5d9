import { messageOf } from '@cairn/diagnostics';
import type {
  Callbacks,
  ErrorHookRequest,
  ResourceHookRequest,
  TransformInvokeRequest,
  TransformInvokeResponse,
  TransformRequest,
  TransformResponse,
} from '../contracts/callbacks.js';
import { StatusError } from '../contracts/status.js';
import { CallbacksDefinition } from '../generated/pulumi/callback.js';
import { service } from '../rpc/service.js';
import type { Service } from '../rpc/service.js';
import { CALLBACK_FORMATS } from './messages.js';

/** Serves a program's callbacks. */
export function callbacksService(callbacks: Callbacks): Service {
  return service(CallbacksDefinition, {
    invoke: async ({ token, request }) => ({ response: await callbacks.invoke(token, request) }),
  });
}

/** Handles one message and returns one. */
type Serve = (request: Uint8Array) => Promise<Uint8Array>;

const NOTHING = new Uint8Array();

/**
 * Functions that a program lets the engine call, by token. A hook's error becomes its answer; a transform's error ends
 * the call with UNKNOWN. A hook that has nothing to report answers with an empty message [PRG-13].
 */
export class CallbackFunctions implements Callbacks {
  readonly #functions = new Map<string, Serve>();
  readonly #newToken: () => string;

  /** `newToken` returns a text that cannot be guessed, e.g. a UUID. */
  constructor(newToken: () => string) {
    this.#newToken = newToken;
  }

  /** Adds a hook and returns its token. */
  resourceHook(hook: (request: ResourceHookRequest) => Promise<void> | void): string {
    const { request, response } = CALLBACK_FORMATS.resourceHook;
    return this.#add(async (bytes) => {
      try {
        await hook(request.decode(bytes));
        return NOTHING;
      } catch (thrown) {
        return response.encode({ error: textOf(thrown) }, true);
      }
    });
  }

  /** Adds an error hook, which decides about a retry, and returns its token. */
  errorHook(hook: (request: ErrorHookRequest) => Promise<boolean> | boolean): string {
    const { request, response } = CALLBACK_FORMATS.errorHook;
    return this.#add(async (bytes) => {
      try {
        return response.encode({ error: '', retry: await hook(request.decode(bytes)) }, true);
      } catch (thrown) {
        return response.encode({ error: textOf(thrown), retry: false }, true);
      }
    });
  }

  /** Adds a transform and returns its token. */
  transform(
    transform: (request: TransformRequest) => Promise<TransformResponse> | TransformResponse,
  ): string {
    const { request, response } = CALLBACK_FORMATS.transform;
    return this.#add(async (bytes) => response.encode(await transform(request.decode(bytes)), true));
  }

  /** Adds a transform of invokes and returns its token. */
  transformInvoke(
    transform: (
      request: TransformInvokeRequest,
    ) => Promise<TransformInvokeResponse> | TransformInvokeResponse,
  ): string {
    const { request, response } = CALLBACK_FORMATS.transformInvoke;
    return this.#add(async (bytes) => response.encode(await transform(request.decode(bytes)), true));
  }

  async invoke(token: string, request: Uint8Array): Promise<Uint8Array> {
    const serve = this.#functions.get(token);
    if (serve === undefined) throw new StatusError('INVALID_ARGUMENT', `callback not found: ${token}`);
    return serve(request);
  }

  #add(serve: Serve): string {
    const token = this.#newToken();
    this.#functions.set(token, serve);
    return token;
  }
}

/** Returns a non-empty text, because an empty one would read as no error. */
function textOf(thrown: unknown): string {
  return messageOf(thrown) || 'the hook failed without a message';
}
