import type { CallbackOptions, HookOptions, CallbackInvokeOptions } from '../contracts/callbacks.js';
import * as pb from '../generated/pulumi/resource.js';
import { decodeAlias, encodeAlias } from '../monitor/alias.js';
import { decodeTimeouts } from '../options/codecs.js';
import { CALLBACK_OPTIONS } from '../options/fields.js';
import { decodeMap, encodeMap } from '@cairn/protobuf';
import { decodeValue, encodeValue } from '../values/index.js';

/** Encodes options for the wire. Values with texts that are not UTF-8 need `byteStrings`. */
export function encodeOptions(options: CallbackOptions, byteStrings: boolean): pb.TransformResourceOptions {
  const { replacementTrigger: trigger, version, pluginDownloadUrl, pluginChecksums } = options;
  const wire = pb.TransformResourceOptions.fromPartial({
    version,
    pluginDownloadUrl,
    pluginChecksums: encodeMap(pluginChecksums),
    aliases: options.aliases.map(encodeAlias),
    customTimeouts: options.customTimeouts,
    replacementTrigger:
      trigger === undefined
        ? undefined
        : encodeValue(trigger, { keepOutputValues: true, keepByteStrings: byteStrings }),
  });
  const fields = wire as unknown as Record<string, unknown>;
  for (const { name, field, encode } of CALLBACK_OPTIONS)
    if (field !== undefined) fields[field] = encode(options[name]);
  return wire;
}

/** Decodes options from the wire. */
export function decodeOptions(wire: pb.TransformResourceOptions): CallbackOptions {
  const { version, pluginDownloadUrl, pluginChecksums, customTimeouts: timeouts } = wire;
  const alike = CALLBACK_OPTIONS.flatMap(({ name, field, decode }) =>
    field === undefined ? [] : [[name, decode(wire[field])]],
  );
  return {
    ...(Object.fromEntries(alike) as CallbackOptions),
    version,
    pluginDownloadUrl,
    pluginChecksums: decodeMap(pluginChecksums),
    aliases: wire.aliases.flatMap((alias) => decodeAlias(alias) ?? []),
    customTimeouts: timeouts && decodeTimeouts(timeouts),
    replacementTrigger:
      wire.replacementTrigger && decodeValue(wire.replacementTrigger, { keepOutputValues: true }),
  };
}

/** {@link encodeOptions} with the parent, for hooks. */
export function encodeHookOptions(
  options: HookOptions | undefined,
  byteStrings: boolean,
): pb.ResourceOptions | undefined {
  return options && { ...encodeOptions(options, byteStrings), parent: options.parent };
}

/** {@link decodeOptions} with the parent, for hooks. */
export function decodeHookOptions(wire: pb.ResourceOptions | undefined): HookOptions | undefined {
  return wire && { ...decodeOptions(wire), parent: wire.parent };
}

/** Encodes options of an invoke for the wire. */
export function encodeInvokeOptions(options: CallbackInvokeOptions): pb.TransformInvokeOptions {
  return pb.TransformInvokeOptions.fromPartial({
    ...options,
    pluginChecksums: encodeMap(options.pluginChecksums),
  });
}

/** Decodes options of an invoke from the wire. */
export function decodeInvokeOptions(wire: pb.TransformInvokeOptions): CallbackInvokeOptions {
  const { provider, pluginDownloadUrl, version, pluginChecksums } = wire;
  return { provider, pluginDownloadUrl, version, pluginChecksums: decodeMap(pluginChecksums) };
}
