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

/** One message in, one out. */
type Serve = (request: Uint8Array) => Promise<Uint8Array>;

const NOTHING = new Uint8Array();

/**
 * The functions that a program lets the engine call, by token. What a hook throws is its answer, what a transform
 * throws ends the call with UNKNOWN; a hook that has nothing to say answers with an empty message [PRG-13].
 */
export class CallbackFunctions implements Callbacks {
  readonly #functions = new Map<string, Serve>();

  /** `newToken`: a text nobody can guess, e.g. a UUID. */
  constructor(private readonly newToken: () => string) {}

  /** Adds a hook; gives its token. */
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

  /** Adds an error hook, which answers whether to try again; gives its token. */
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

  /** Adds a transform; gives its token. */
  transform(
    transform: (request: TransformRequest) => Promise<TransformResponse> | TransformResponse,
  ): string {
    const { request, response } = CALLBACK_FORMATS.transform;
    return this.#add(async (bytes) => response.encode(await transform(request.decode(bytes)), true));
  }

  /** Adds a transform of questions to providers; gives its token. */
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
    const token = this.newToken();
    this.#functions.set(token, serve);
    return token;
  }
}

/** An error without a text must not read as no error. */
function textOf(thrown: unknown): string {
  return messageOf(thrown) || 'the hook failed without a message';
}
