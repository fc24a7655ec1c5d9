import type { ResourceStatus, ViewPublishing, ViewStep } from '../contracts/resource-status.js';
import { ResourceStatusDefinition } from '../generated/pulumi/resource_status.js';
import { serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';
import { Http2Caller } from '../rpc/http2-caller.js';
import { encodeViewStep } from './messages.js';

/** Client for publishing views to the engine, for providers. */
export class ResourceStatusClient implements ResourceStatus {
  readonly #rpc: ServiceClient<typeof ResourceStatusDefinition>;

  constructor(caller: Caller) {
    this.#rpc = serviceClient(ResourceStatusDefinition, caller);
  }

  async publishViewSteps(token: string, steps: readonly ViewStep[]): Promise<void> {
    await this.#rpc.publishViewSteps({ token, steps: steps.map(encodeViewStep) });
  }
}

/** Publishes to the address of each request, over one connection per address. */
export class ViewPublishers {
  readonly #clients = new Map<string, ResourceStatusClient>();

  /** Returns the publisher for a request's status address and token, or undefined if it has none. */
  at(address: string, token: string): ViewPublishing | undefined {
    if (address === '') return undefined;
    return { address, token, publish: (steps) => this.#client(address).publishViewSteps(token, steps) };
  }

  #client(address: string): ResourceStatusClient {
    let client = this.#clients.get(address);
    if (client === undefined) {
      client = new ResourceStatusClient(new Http2Caller(address));
      this.#clients.set(address, client);
    }
    return client;
  }
}
