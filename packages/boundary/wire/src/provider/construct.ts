import type { Urn } from '@cairn/addresses';
import type { PropertyMap } from '@cairn/values';
import { decodeAlias, encodeAlias } from '../monitor/alias.js';
import type { HookBinding } from '../contracts/hook-binding.js';
import type {
  CallRequest,
  ConstructOptions,
  ConstructRequest,
  DeploymentContext,
} from '../contracts/provider.js';
import * as pb from '../generated/pulumi/provider.js';
import { decodeTimeouts } from '../options/codecs.js';
import { CONSTRUCTED_OPTIONS } from '../options/fields.js';
import { decodeMap, encodeMap } from '@cairn/protobuf';
import { decodeStruct } from '../values/index.js';
import { decodeDependencies, encodeDependencies } from './dependencies.js';

type Encode = (map: PropertyMap) => Uint8Array;

/** Encodes a component's construction. The hook binding has no field for error hooks [PROV-11]. */
export function encodeConstruct(request: ConstructRequest, encode: Encode): pb.ConstructRequest {
  const { context, options } = request;
  const wire = pb.ConstructRequest.fromPartial({
    ...encodeContext(context),
    organization: context.organization,
    configSecretKeys: [...context.configSecretKeys],
    type: request.type,
    name: request.name,
    parent: request.parent ?? '',
    inputs: encode(request.inputs),
    inputDependencies: encodeDependencies(request.inputDependencies),
    acceptsOutputValues: true,
    aliases: options.aliases.map(encodeAlias),
    customTimeouts: options.customTimeouts,
    deletedWith: options.deletedWith ?? '',
    deleteBeforeReplace: options.deleteBeforeReplace,
    resourceHooks: encodeHooks(options.hooks),
  });
  const fields = wire as unknown as Record<string, unknown>;
  for (const { option, encode } of CONSTRUCTED_OPTIONS) fields[option] = encode(options[option]);
  return wire;
}

/** Decodes a component's construction. */
export function decodeConstruct(wire: pb.ConstructRequest): ConstructRequest {
  return {
    context: decodeContext(wire),
    type: wire.type,
    name: wire.name,
    parent: wire.parent === '' ? undefined : (wire.parent as Urn),
    inputs: decodeStruct(wire.inputs, { keepOutputValues: true }),
    inputDependencies: decodeDependencies<Urn>(wire.inputDependencies),
    options: decodeOptions(wire),
  };
}

function decodeOptions(wire: pb.ConstructRequest): ConstructOptions {
  const fields = wire as unknown as Record<string, unknown>;
  const alike = CONSTRUCTED_OPTIONS.map(({ option, decode }) => [option, decode(fields[option])]);
  return {
    ...(Object.fromEntries(alike) as ConstructOptions),
    aliases: wire.aliases.flatMap((alias) => decodeAlias(alias) ?? []),
    customTimeouts: wire.customTimeouts && decodeTimeouts(wire.customTimeouts),
    deletedWith: wire.deletedWith === '' ? undefined : (wire.deletedWith as Urn),
    deleteBeforeReplace: wire.deleteBeforeReplace,
    hooks: wire.resourceHooks,
  };
}

/** Encodes hooks without error hooks, which remain with the caller [PROV-11]. */
function encodeHooks(hooks: HookBinding | undefined): pb.ConstructRequest_ResourceHooksBinding | undefined {
  return hooks && pb.ConstructRequest_ResourceHooksBinding.fromPartial({ ...hooks, onError: [] } as object);
}

/** Encodes a method call. Secret keys and organization remain empty [PROV-11]. */
export function encodeCall(request: CallRequest, encode: Encode): pb.CallRequest {
  return pb.CallRequest.fromPartial({
    ...encodeContext(request.context),
    tok: request.token,
    args: encode(request.args),
    argDependencies: encodeDependencies(request.argDependencies),
    acceptsOutputValues: true,
  });
}

/** Decodes a method call. */
export function decodeCall(wire: pb.CallRequest): CallRequest {
  return {
    context: decodeContext(wire),
    token: wire.tok,
    args: decodeStruct(wire.args, { keepOutputValues: true }),
    argDependencies: decodeDependencies<Urn>(wire.argDependencies),
  };
}

function encodeContext(context: DeploymentContext) {
  const { project, stack, config, dryRun, parallel, monitorAddress, stackTraceHandle = '' } = context;
  const settings = { project, stack, config: encodeMap(config), dryRun, parallel };
  return { ...settings, monitorEndpoint: monitorAddress, stackTraceHandle };
}

function decodeContext(wire: pb.ConstructRequest | pb.CallRequest): DeploymentContext {
  const { project, stack, organization, config, configSecretKeys, dryRun, parallel } = wire;
  return {
    project,
    stack,
    organization,
    config: decodeMap(config),
    configSecretKeys,
    dryRun,
    parallel,
    monitorAddress: wire.monitorEndpoint,
    ...(wire.stackTraceHandle !== '' && { stackTraceHandle: wire.stackTraceHandle }),
  };
}
