import type { Callbacks } from '../contracts/callbacks.js';
import { CallbacksDefinition } from '../generated/pulumi/callback.js';
import { service } from '../rpc/service.js';
import type { Service } from '../rpc/service.js';

/** Serves a program's callbacks. */
export function callbacksService(callbacks: Callbacks): Service {
  return service(CallbacksDefinition, {
    invoke: async ({ token, request }) => ({ response: await callbacks.invoke(token, request) }),
  });
}
