import type { Callbacks } from '../contracts/callbacks.js';
import { CallbacksDefinition } from '../generated/pulumi/callback.js';
import { serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';

/** A program's callbacks as the engine sees them. One client serves every callback with the same target. */
export class CallbacksClient implements Callbacks {
  private readonly rpc: ServiceClient<typeof CallbacksDefinition>;

  constructor(caller: Caller) {
    this.rpc = serviceClient(CallbacksDefinition, caller);
  }

  async invoke(token: string, request: Uint8Array): Promise<Uint8Array> {
    return (await this.rpc.invoke({ token, request })).response;
  }
}
