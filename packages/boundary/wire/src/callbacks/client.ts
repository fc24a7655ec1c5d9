import { messageOf } from '@cairn/diagnostics';
import type {
  Callbacks,
  ErrorHookRequest,
  ErrorHookResponse,
  ProgramCallbacks,
  ResourceHookRequest,
  ResourceHookResponse,
  TransformInvokeRequest,
  TransformInvokeResponse,
  TransformRequest,
  TransformResponse,
} from '../contracts/callbacks.js';
import type { CallbackReference } from '../contracts/monitor.js';
import { StatusError, isStatusError } from '../contracts/status.js';
import { CallbacksDefinition } from '../generated/pulumi/callback.js';
import { watchedCaller } from '../rpc/call-watch.js';
import type { CallWatch } from '../rpc/call-watch.js';
import { serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';
import { Http2Caller } from '../rpc/http2-caller.js';
import { CALLBACK_FORMATS } from './messages.js';
import type { CallbackFormat } from './messages.js';

/** Client of a program's callbacks. One client serves every callback with the same target. */
export class CallbacksClient implements Callbacks {
  readonly #rpc: ServiceClient<typeof CallbacksDefinition>;

  constructor(caller: Caller) {
    this.#rpc = serviceClient(CallbacksDefinition, caller);
  }

  async invoke(token: string, request: Uint8Array): Promise<Uint8Array> {
    return (await this.#rpc.invoke({ token, request })).response;
  }
}

/** Calls functions in other processes by reference. Each target has one connection, opened on first use [XFORM-1]. */
export class CallbackConnections implements ProgramCallbacks {
  readonly #targets = new Map<string, { readonly caller: Caller; readonly client: CallbacksClient }>();
  readonly #calls: CallWatch | undefined;
  readonly #connect: (target: string) => Caller;

  /** `calls` observes all calls. `connect` opens the connection to a target; it defaults to HTTP/2. */
  constructor(calls?: CallWatch, connect: (target: string) => Caller = (target) => new Http2Caller(target)) {
    this.#calls = calls;
    this.#connect = connect;
  }

  resourceHook(callback: CallbackReference, request: ResourceHookRequest): Promise<ResourceHookResponse> {
    return this.#call(CALLBACK_FORMATS.resourceHook, callback, request);
  }

  errorHook(callback: CallbackReference, request: ErrorHookRequest): Promise<ErrorHookResponse> {
    return this.#call(CALLBACK_FORMATS.errorHook, callback, request);
  }

  transform(callback: CallbackReference, request: TransformRequest): Promise<TransformResponse> {
    return this.#call(CALLBACK_FORMATS.transform, callback, request);
  }

  transformInvoke(
    callback: CallbackReference,
    request: TransformInvokeRequest,
  ): Promise<TransformInvokeResponse> {
    return this.#call(CALLBACK_FORMATS.transformInvoke, callback, request);
  }

  close(): void {
    for (const { caller } of this.#targets.values()) caller.close();
    this.#targets.clear();
  }

  async #call<Request, Response>(
    format: CallbackFormat<Request, Response>,
    { target, token, acceptsByteStrings }: CallbackReference,
    request: Request,
  ): Promise<Response> {
    const bytes = format.request.encode(request, acceptsByteStrings === true);
    const answer = await this.#client(target)
      .invoke(token, bytes)
      .catch((error: unknown) => {
        throw isLost(error) ? programLost(error) : error;
      });
    try {
      return format.response.decode(answer);
    } catch (error) {
      throw new StatusError(
        'INTERNAL',
        `unmarshaling ${format.answer}: it cannot be read: ${messageOf(error)}`,
        {
          cause: error,
        },
      );
    }
  }

  #client(target: string): CallbacksClient {
    const known = this.#targets.get(target);
    if (known !== undefined) return known.client;
    const caller = this.#connected(target);
    const client = new CallbacksClient(caller);
    this.#targets.set(target, { caller, client });
    return client;
  }

  #connected(target: string): Caller {
    try {
      return watchedCaller(this.#connect(target), { mode: 'client', kind: 'callbacks' }, this.#calls);
    } catch (error) {
      throw new StatusError('INVALID_ARGUMENT', `cannot call the program back: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}

/** Callbacks are never cancelled, so these statuses mean that the connection was lost. */
function isLost(error: unknown): boolean {
  return isStatusError(error, 'CANCELLED') || isStatusError(error, 'UNAVAILABLE');
}

function programLost(cause: unknown): StatusError {
  return new StatusError('UNAVAILABLE', 'the program ended before it answered', { cause });
}
