import type {
  AcceptFlags,
  CallbackReference,
  PackageSelector,
  SourcePosition,
} from '../contracts/monitor.js';
import { decodeMap, encodeMap } from '@cairn/protobuf';
import type { EncodeOptions } from '../values/index.js';
import type { Callback } from '../generated/pulumi/callback.js';
import type { StackTrace } from '../generated/pulumi/source.js';

/** Fields that several requests of the monitor share, in both directions. */

interface WireSelector {
  version: string;
  pluginDownloadURL: string;
  pluginChecksums: Map<string, Uint8Array>;
  packageRef: string;
}

export function encodeSelector(selector: PackageSelector): WireSelector {
  return {
    version: selector.version,
    pluginDownloadURL: selector.pluginDownloadUrl,
    pluginChecksums: encodeMap(selector.pluginChecksums),
    packageRef: selector.packageRef,
  };
}

export function decodeSelector(wire: WireSelector): PackageSelector {
  const { version, pluginDownloadURL: pluginDownloadUrl, pluginChecksums, packageRef } = wire;
  return { version, pluginDownloadUrl, pluginChecksums: decodeMap(pluginChecksums), packageRef };
}

/** Encodes a callback for the wire. */
export function encodeCallback({ target, token, acceptsByteStrings }: CallbackReference): Callback {
  return { target, token, acceptsByteString: acceptsByteStrings === true };
}

/** Decodes a callback from the wire. */
export function decodeCallback({ target, token, acceptsByteString }: Callback): CallbackReference {
  return { target, token, acceptsByteStrings: acceptsByteString };
}

interface WireSource {
  sourcePosition: SourcePosition | undefined;
  stackTrace: StackTrace | undefined;
  parentStackTraceHandle: string;
}

interface Source {
  readonly sourcePosition: SourcePosition | undefined;
  readonly stackTrace: readonly (SourcePosition | undefined)[];
  readonly parentStackTraceHandle?: string | undefined;
}

export function encodeSource({
  sourcePosition,
  stackTrace,
  parentStackTraceHandle = '',
}: Source): WireSource {
  const frames = stackTrace.map((pc) => ({ pc }));
  return { sourcePosition, stackTrace: frames.length === 0 ? undefined : { frames }, parentStackTraceHandle };
}

export function decodeSource({ sourcePosition, stackTrace, parentStackTraceHandle }: WireSource): Source {
  const frames = stackTrace?.frames.map(({ pc }) => pc) ?? [];
  const source = { sourcePosition, stackTrace: frames };
  return parentStackTraceHandle === '' ? source : { ...source, parentStackTraceHandle };
}

interface WireAccepts {
  acceptSecrets?: boolean;
  acceptResources?: boolean;
  supportsPartialValues?: boolean;
  supportsResultReporting?: boolean;
  acceptsByteString?: boolean;
}

/** Returns the encoding options for answers to a peer. */
export function answerOptions(accepts: AcceptFlags): EncodeOptions {
  return {
    keepSecrets: accepts.secrets,
    keepResources: accepts.resources,
    keepByteStrings: accepts.byteStrings === true,
  };
}

/**
 * Decodes accept flags. A flag that a kind of request does not have counts as set; byte strings must be accepted
 * explicitly.
 */
export function decodeAccepts(wire: WireAccepts): AcceptFlags {
  return {
    secrets: wire.acceptSecrets ?? true,
    resources: wire.acceptResources ?? true,
    partialValues: wire.supportsPartialValues ?? true,
    resultReporting: wire.supportsResultReporting ?? true,
    byteStrings: wire.acceptsByteString ?? false,
  };
}
