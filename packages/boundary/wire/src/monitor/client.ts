import { asUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type {
  CallbackReference,
  DeploymentInfo,
  ExistsResourceRequest,
  ExistsResourceResponse,
  Monitor,
  MonitorCallRequest,
  MonitorCallResponse,
  MonitorInvokeRequest,
  MonitorInvokeResponse,
  ReadResourceRequest,
  ReadResourceResponse,
  RegisterHookRequest,
  RegisterPackageRequest,
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  RegisterResourceResponse,
} from '../contracts/monitor.js';
import * as pb from '../generated/pulumi/resource.js';
import { decodeMap, encodeMap } from '@cairn/protobuf';
import { decodeDependencies, encodeDependencies } from '../provider/dependencies.js';
import { serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';
import { decodeStruct, encodeStruct } from '../values/index.js';
import { featureIds } from './features.js';
import { decodeRegistered, encodeRegistration } from './registration.js';
import { encodeCallback, encodeSelector, encodeSource } from './request-parts.js';

/**
 * Client of the monitor for a program. Calls reject with StatusError; UNAVAILABLE means that the deployment is over.
 */
export class MonitorClient implements Monitor {
  readonly #rpc: ServiceClient<typeof pb.ResourceMonitorDefinition>;

  constructor(caller: Caller) {
    this.#rpc = serviceClient(pb.ResourceMonitorDefinition, caller);
  }

  async supportsFeature(id: string): Promise<boolean> {
    return (await this.#rpc.supportsFeature({ id })).hasSupport;
  }

  async getDeploymentInfo(): Promise<DeploymentInfo> {
    const { supportedFeatures, config, ...info } = await this.#rpc.getDeploymentInfo({});
    return { ...info, config: decodeMap(config), features: featureIds(supportedFeatures) };
  }

  /**
   * Keeps nothing of the request while it waits for the answer: a program may wait for tens of thousands of answers.
   */
  registerResource(request: RegisterResourceRequest): Promise<RegisterResourceResponse> {
    try {
      return this.#rpc.registerResource(encodeRegistration(request)).then(decodeRegistered);
    } catch (thrown) {
      return Promise.reject(thrown as Error);
    }
  }

  async readResource(request: ReadResourceRequest): Promise<ReadResourceResponse> {
    const { accepts } = request;
    const wire = pb.ReadResourceRequest.fromPartial({
      id: request.id,
      type: request.type,
      name: request.name,
      parent: request.parent,
      properties: encodeStruct(request.properties),
      dependencies: [...request.dependencies],
      provider: request.provider,
      ...encodeSelector(request.package),
      additionalSecretOutputs: [...request.additionalSecretOutputs],
      ...encodeSource(request),
      acceptSecrets: accepts.secrets,
      acceptResources: accepts.resources,
      acceptsByteString: true,
    });
    const { urn, id, properties } = await this.#rpc.readResource(wire);
    return { urn: asUrn(urn), id, properties: decodeStruct(properties) };
  }

  existsResource(request: ExistsResourceRequest): Promise<ExistsResourceResponse> {
    const { type, id, parent, properties, provider } = request;
    return this.#rpc.existsResource({
      ...{ type, id, parent, provider },
      properties: encodeStruct(properties),
      ...encodeSelector(request.package),
    });
  }

  async registerResourceOutputs(request: RegisterResourceOutputsRequest): Promise<void> {
    const { urn, outputs, lateInputs } = request;
    await this.#rpc.registerResourceOutputs({
      urn,
      outputs: encodeStruct(outputs),
      lateInputs: lateInputs === undefined ? undefined : encodeStruct(lateInputs),
    });
  }

  async invoke(request: MonitorInvokeRequest): Promise<MonitorInvokeResponse> {
    const wire = pb.ResourceInvokeRequest.fromPartial({
      tok: request.token,
      args: encodeStruct(request.args, { keepOutputValues: true }),
      provider: request.provider,
      parent: request.parent,
      ...encodeSelector(request.package),
      dependsOn: [...request.dependsOn],
      ...encodeSource({ stackTrace: [], sourcePosition: undefined, ...request }),
      acceptResources: request.accepts.resources,
      acceptsByteString: true,
      acceptOutputValues: request.acceptsOutputValues === true,
    });
    const answer = await this.#rpc.invoke(wire);
    const result = decodeStruct(answer.return, { keepOutputValues: wire.acceptOutputValues });
    return { result, failures: answer.failures, unknown: answer.unknown };
  }

  async call(request: MonitorCallRequest): Promise<MonitorCallResponse> {
    const wire = pb.ResourceCallRequest.fromPartial({
      tok: request.token,
      args: encodeStruct(request.args, { keepOutputValues: true }),
      argDependencies: encodeDependencies(request.argDependencies),
      provider: request.provider,
      ...encodeSelector(request.package),
      ...encodeSource({ stackTrace: [], sourcePosition: undefined, ...request }),
      acceptsByteString: true,
      acceptOutputValues: request.acceptsOutputValues === true,
    });
    const answer = await this.#rpc.call(wire);
    return {
      result: decodeStruct(answer.return, { keepOutputValues: wire.acceptOutputValues }),
      resultDependencies: decodeDependencies<Urn>(answer.returnDependencies),
      failures: answer.failures,
    };
  }

  async registerPackage(request: RegisterPackageRequest): Promise<{ readonly ref: string }> {
    const checksums = encodeMap(request.checksums);
    return this.#rpc.registerPackage(pb.RegisterPackageRequest.fromPartial({ ...request, checksums }));
  }

  async registerStackTransform(callback: CallbackReference): Promise<void> {
    await this.#rpc.registerStackTransform(encodeCallback(callback));
  }

  async registerStackInvokeTransform(callback: CallbackReference): Promise<void> {
    await this.#rpc.registerStackInvokeTransform(encodeCallback(callback));
  }

  async registerResourceHook({ name, callback, onDryRun, ignoreErrors }: RegisterHookRequest): Promise<void> {
    await this.#rpc.registerResourceHook({
      name,
      callback: encodeCallback(callback),
      onDryRun,
      ignoreErrors,
    });
  }

  async registerErrorHook({ name, callback }: { name: string; callback: CallbackReference }): Promise<void> {
    await this.#rpc.registerErrorHook({ name, callback: encodeCallback(callback) });
  }

  async signalAndWaitForShutdown(): Promise<void> {
    await this.#rpc.signalAndWaitForShutdown({});
  }
}
