import { emptyMap, newMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type {
  AcceptFlags,
  PackageSelector,
  ReadResourceRequest,
  RegisterResourceRequest,
  AliasRequest,
} from '@cairn/wire';
import { gather } from '../output/gather.js';
import { pendingOutputs, settleOutputs } from '../values/pending-outputs.js';
import { serialize, serializeMap } from '../values/serialize.js';
import { PACKAGE, packageReference } from '../packages/package-reference.js';
import type { WithPackage } from '../packages/package-reference.js';
import { byInput } from './abandoned.js';
import { dependencyUrns } from './dependencies.js';
import { boundHookNames } from './hooks.js';
import type { AnyResourceOptions, Alias } from './options.js';
import { chosenProvider, providerReference, providerReferences } from './providers.js';
import { STATE, isResource, label } from './state.js';
import type { AnyResource, ResourceState } from './state.js';
import { transformCallbacks } from './transforms.js';

/** Kinds of values that this program accepts in an answer: all. */
export const ACCEPTS: AcceptFlags = {
  secrets: true,
  resources: true,
  partialValues: true,
  resultReporting: true,
};

const NO_STRINGS: readonly string[] = [];
const NO_RECORD: Readonly<Record<string, never>> = {};
const NO_TIMEOUTS = { create: '', update: '', delete: '' };

/** Serialised inputs with their dependencies. */
interface PreparedInputs {
  readonly inputs: PropertyMap;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
}

/** Waits for the inputs of a resource and for its dependencies. `id` and `urn` are not inputs. */
// [PRG-8]
async function prepareInputs(
  state: ResourceState,
  source: object,
  dependsOn: AnyResourceOptions['dependsOn'],
  keepOutputs: boolean,
): Promise<PreparedInputs> {
  const explicit = dependsOn === undefined ? undefined : await explicitDependencies(dependsOn);
  const pending = pendingOutputs(source);
  if (pending !== undefined) await settleOutputs(pending).catch((error: unknown) => byInput(source, error));
  const inputs = newMap();
  const propertyDependencies: Record<string, readonly string[]> = {};
  const found: [key: string, resources: Set<AnyResource>][] = [];
  const waits: Promise<void>[] = [];
  let unused: Set<AnyResource> | undefined;
  for (const [key, item] of Object.entries(source) as [string, unknown][]) {
    if (key === 'id' || key === 'urn' || item === undefined || typeof item === 'function') continue;
    const dependencies: Set<AnyResource> = unused ?? new Set();
    const value = serialize(
      item,
      { keepOutputs, dependencies },
      { container: source, key, outer: undefined },
    );
    // The key keeps its place while its value is awaited.
    propertyDependencies[key] = NO_STRINGS;
    if (!(value instanceof Promise)) {
      settle(inputs, propertyDependencies, key, value);
    } else {
      inputs[key] = null;
      waits.push(value.then((later) => settle(inputs, propertyDependencies, key, later)));
    }
    const isSettled = dependencies.size === 0 && !(value instanceof Promise);
    unused = isSettled ? dependencies : undefined;
    if (!isSettled) found.push([key, dependencies]);
  }
  if (waits.length > 0) await Promise.all(waits).catch((error: unknown) => byInput(source, error));
  const all = new Set<AnyResource>(explicit);
  for (const [key, dependencies] of found) {
    if (Object.hasOwn(inputs, key) && dependencies.size > 0) {
      for (const resource of dependencies) all.add(resource);
      propertyDependencies[key] = await dependencyUrns(dependencies, state);
    }
  }
  const dependencies = all.size === 0 ? NO_STRINGS : await dependencyUrns(all, state);
  return { inputs, dependencies, propertyDependencies };
}

function settle(
  inputs: Record<string, PropertyValue>,
  propertyDependencies: Record<string, readonly string[]>,
  key: string,
  value: PropertyValue | undefined,
): void {
  if (value !== undefined) {
    inputs[key] = value;
  } else {
    delete inputs[key];
    delete propertyDependencies[key];
  }
}

/** Returns the resources named by `dependsOn`, which may itself be a promise or an output. */
async function explicitDependencies(
  dependsOn: AnyResourceOptions['dependsOn'],
): Promise<readonly AnyResource[]> {
  const { value, dependencies } = await gather(dependsOn);
  const named = (Array.isArray(value) ? value : [value]).filter(isResource);
  return [...new Set([...named, ...dependencies])];
}

/**
 * Builds the registration of a resource whose parent is registered, as soon as everything else that it needs is known.
 */
export function registerRequest(
  state: ResourceState,
  source: object,
  options: AnyResourceOptions,
): Promise<RegisterResourceRequest> {
  const keepOutputs = state.kind === 'remote';
  return prepareInputs(state, source, options.dependsOn, keepOutputs).then((prepared) =>
    preparedRequest(state, prepared, options),
  );
}

async function preparedRequest(
  state: ResourceState,
  prepared: PreparedInputs,
  options: AnyResourceOptions,
): Promise<RegisterResourceRequest> {
  const { kind } = state;
  const parentUrn = state.parent?.done?.urn ?? '';
  const provider = kind === 'component' ? undefined : chosenProvider(state.type, options, state.providers);
  const timeouts = options.customTimeouts;
  const { deletedWith, replaceWith } = options;
  return {
    type: state.type,
    name: state.name,
    parent: parentUrn,
    custom: kind === 'custom',
    remote: kind === 'remote',
    ...prepared,
    protect: options.protect,
    retainOnDelete: options.retainOnDelete,
    provider: provider === undefined ? '' : await providerReference(provider),
    providers:
      kind === 'custom' || state.providers.size === 0 ? NO_RECORD : await providerReferences(state.providers),
    package: await packageSelector(options),
    deleteBeforeReplace: options.deleteBeforeReplace,
    ignoreChanges: options.ignoreChanges ?? NO_STRINGS,
    replaceOnChanges: options.replaceOnChanges ?? NO_STRINGS,
    hideDiffs: options.hideDiffs ?? NO_STRINGS,
    additionalSecretOutputs: options.additionalSecretOutputs ?? NO_STRINGS,
    aliases: options.aliases === undefined ? [] : await aliasRequests(options.aliases),
    importId: options.import ?? '',
    customTimeouts: timeouts === undefined ? NO_TIMEOUTS : { ...NO_TIMEOUTS, ...definedOnly(timeouts) },
    deletedWith: deletedWith === undefined ? '' : (await deletedWith[STATE].registered()).urn,
    replaceWith: replaceWith === undefined ? NO_STRINGS : await dependencyUrns(replaceWith, state),
    replacementTrigger:
      options.replacementTrigger === undefined
        ? undefined
        : await replacementTrigger(options.replacementTrigger),
    transforms: options.transforms === undefined ? [] : await transformCallbacks(options.transforms),
    hooks: options.hooks === undefined ? undefined : await boundHookNames(state, options.hooks),
    sourcePosition: state.position,
    stackTrace: [],
    accepts: ACCEPTS,
    aliasSpecs: true,
    envVarMappings: options.envVarMappings ?? NO_RECORD,
    rollback: options.rollback,
    idempotencyKey: options.idempotencyKey,
    gate: gateReason(state, options.gate),
    lateInputs: NO_STRINGS,
  };
}

/** Returns the reason shown to the approver. An empty reason would mean that there is no gate. */
function gateReason(state: ResourceState, gate: AnyResourceOptions['gate']): string | undefined {
  if (gate === undefined) return undefined;
  const reason = typeof gate === 'string' ? gate : gate.reason;
  return reason.trim() === '' ? `${label(state)} needs approval` : reason;
}

/** Builds the read of an existing object that a resource represents without managing it. */
// [PRG-11]
export async function readRequest(
  state: ResourceState,
  id: string,
  source: object,
  options: AnyResourceOptions,
): Promise<ReadResourceRequest> {
  const parent = await state.parent?.registered();
  const prepared = await prepareInputs(state, source, options.dependsOn, false);
  const provider = chosenProvider(state.type, options, state.providers);
  return {
    id,
    type: state.type,
    name: state.name,
    parent: parent?.urn ?? '',
    properties: prepared.inputs,
    dependencies: prepared.dependencies,
    provider: provider === undefined ? '' : await providerReference(provider),
    package: await packageSelector(options),
    additionalSecretOutputs: options.additionalSecretOutputs ?? NO_STRINGS,
    sourcePosition: state.position,
    stackTrace: [],
    accepts: ACCEPTS,
  };
}

/** Selects the plugin that serves the request if no provider is given. */
export function packageSelector(
  options: {
    readonly version?: string | undefined;
    readonly pluginDownloadURL?: string | undefined;
  } & WithPackage,
): PackageSelector | Promise<PackageSelector> {
  const info = options[PACKAGE];
  const selector = {
    version: options.version ?? '',
    pluginDownloadUrl: options.pluginDownloadURL ?? '',
    pluginChecksums: NO_RECORD,
    packageRef: '',
  };
  if (info === undefined) return selector;
  return packageReference(info).then((packageRef) => ({ ...selector, packageRef }));
}

async function replacementTrigger(trigger: unknown): Promise<PropertyValue | undefined> {
  return serialize(trigger, { keepOutputs: false, dependencies: new Set() }, undefined);
}

function definedOnly(source: object): Record<string, string> {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
}

/** Serialises the outputs of a component or of the stack. */
export async function serializeOutputs(outputs: object): Promise<PropertyMap> {
  const options = { keepOutputs: false, dependencies: new Set<AnyResource>() };
  return (await serializeMap(outputs, options, undefined)) ?? emptyMap;
}

/** Converts former identities for the monitor: specs in which missing parts mean "unchanged". */
// [ADDR-6]
async function aliasRequests(aliases: readonly (Alias | string)[]): Promise<readonly AliasRequest[]> {
  return Promise.all(aliases.map(aliasRequest));
}

async function aliasRequest(alias: Alias | string): Promise<AliasRequest> {
  if (typeof alias === 'string') return { kind: 'urn', urn: alias };
  return {
    kind: 'spec',
    name: alias.name ?? '',
    type: alias.type ?? '',
    stack: alias.stack ?? '',
    project: alias.project ?? '',
    parent: await aliasParent(alias),
  };
}

async function aliasParent({
  parent,
  noParent,
}: Alias): Promise<(AliasRequest & { kind: 'spec' })['parent']> {
  if (noParent === true) return { kind: 'none' };
  if (parent === undefined) return { kind: 'same' };
  if (isResource(parent)) return { kind: 'urn', urn: (await parent[STATE].registered()).urn };
  return { kind: 'urn', urn: String((await gather(parent)).value) };
}
