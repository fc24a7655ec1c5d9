import type {
  AnalyzedOptions,
  AnalyzedProvider,
  AnalyzedResource,
  AnalyzedStackResource,
} from '../contracts/analyzer.js';
import type * as pb from '../generated/pulumi/analyzer.js';
import { decodeStruct, encodeStruct } from '../values/index.js';
import { decodeDependencies } from '../provider/dependencies.js';

/** Packs receive unknowns and secrets unchanged, and references as raw ids or URNs [POL-1]. */
const REMEDIATED = { keepResources: false } as const;
/** Analyses do not see the engine's own properties. */
const ANALYZED = { ...REMEDIATED, skipInternalKeys: true } as const;

/** Purpose of an encoded resource. Remediations see the engine's own properties, analyses do not. */
type Purpose = 'remediate' | 'analyze';

/** Encodes a resource for the wire. */
export function encodeAnalyzedResource(resource: AnalyzedResource, purpose: Purpose): pb.AnalyzeRequest {
  const { urn, type, name, properties, options, provider } = resource;
  const style = purpose === 'analyze' ? ANALYZED : REMEDIATED;
  return {
    urn,
    type,
    name,
    properties: encodeStruct(properties, style),
    options: encodeOptions(options),
    provider: provider && { ...provider, properties: encodeStruct(provider.properties, style) },
  };
}

/**
 * Encodes a resource of the stack for the wire. Properties without dependencies are left out of `propertyDependencies`.
 */
export function encodeStackResource(resource: AnalyzedStackResource): pb.AnalyzerResource {
  const { parent, dependencies, propertyDependencies } = resource;
  const named = Object.entries(propertyDependencies).filter(([, urns]) => urns.length > 0);
  return {
    ...encodeAnalyzedResource(resource, 'analyze'),
    parent,
    dependencies: [...dependencies],
    propertyDependencies: new Map(named.map(([property, urns]) => [property, { urns: [...urns] }])),
  };
}

export function decodeAnalyzedResource(wire: pb.AnalyzeRequest): AnalyzedResource {
  const { urn, type, name, properties, options, provider } = wire;
  return {
    urn,
    type,
    name,
    properties: decodeStruct(properties),
    options: decodeOptions(options),
    provider: provider && decodeProvider(provider),
  };
}

export function decodeStackResource(wire: pb.AnalyzerResource): AnalyzedStackResource {
  const { parent, dependencies, propertyDependencies } = wire;
  return {
    ...decodeAnalyzedResource(wire),
    parent,
    dependencies,
    propertyDependencies: decodeDependencies(propertyDependencies),
  };
}

function encodeOptions(options: AnalyzedOptions): pb.AnalyzerResourceOptions {
  const { protect, ignoreChanges, deleteBeforeReplace, additionalSecretOutputs, aliases } = options;
  return {
    protect,
    ignoreChanges: [...ignoreChanges],
    deleteBeforeReplace: deleteBeforeReplace ?? false,
    deleteBeforeReplaceDefined: deleteBeforeReplace !== undefined,
    additionalSecretOutputs: [...additionalSecretOutputs],
    aliases: [...aliases],
    customTimeouts: { ...options.customTimeouts },
    parent: options.parent,
  };
}

function decodeOptions(wire: pb.AnalyzerResourceOptions | undefined): AnalyzedOptions {
  const { create = 0, update = 0, delete: remove = 0, read = 0 } = wire?.customTimeouts ?? {};
  return {
    protect: wire?.protect ?? false,
    ignoreChanges: wire?.ignoreChanges ?? [],
    deleteBeforeReplace: wire?.deleteBeforeReplaceDefined === true ? wire.deleteBeforeReplace : undefined,
    additionalSecretOutputs: wire?.additionalSecretOutputs ?? [],
    aliases: wire?.aliases ?? [],
    customTimeouts: { create, update, delete: remove, read },
    parent: wire?.parent ?? '',
  };
}

function decodeProvider(wire: pb.AnalyzerProviderResource): AnalyzedProvider {
  const { urn, type, name, properties } = wire;
  return { urn, type, name, properties: decodeStruct(properties) };
}
