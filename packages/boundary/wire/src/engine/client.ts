import type { DebuggingRequest, EngineService, LogRequest } from '../contracts/engine-service.js';
import { EngineDefinition } from '../generated/pulumi/engine.js';
import { serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';
import { encodeStruct } from '../values/encode.js';
import { SEVERITY_NUMBERS } from './severity.js';

/** Client of the engine's side channel for programs, providers and language hosts. */
export class EngineClient implements EngineService {
  readonly #rpc: ServiceClient<typeof EngineDefinition>;

  constructor(caller: Caller) {
    this.#rpc = serviceClient(EngineDefinition, caller);
  }

  async log(request: LogRequest): Promise<void> {
    await this.#rpc.log({ ...request, severity: SEVERITY_NUMBERS[request.severity] });
  }

  async getRootResource(): Promise<string> {
    return (await this.#rpc.getRootResource({})).urn;
  }

  async setRootResource(urn: string): Promise<void> {
    await this.#rpc.setRootResource({ urn });
  }

  async startDebugging({ config, message }: DebuggingRequest): Promise<void> {
    await this.#rpc.startDebugging({ config: encodeStruct(config), message });
  }

  async requirePulumiVersion(range: string): Promise<void> {
    await this.#rpc.requirePulumiVersion({ pulumiVersionRange: range });
  }
}
