import type { CallbackOptions, HookOptions, InvokeOptions } from '../contracts/callbacks.js';
import type { HookBinding } from '../contracts/hook-binding.js';
import * as pb from '../generated/pulumi/resource.js';
import { decodeAlias, encodeAlias } from '../monitor/alias.js';
import { decodeValue, encodeValue } from '../values/index.js';

/** Options for the wire; values that hold texts which are not UTF-8 only with `byteStrings`. */
export function encodeOptions(options: CallbackOptions, byteStrings: boolean): pb.TransformResourceOptions {
  const trigger = options.replacementTrigger;
  return pb.TransformResourceOptions.fromPartial({
    dependsOn: [...options.dependsOn],
    protect: options.protect,
    ignoreChanges: [...options.ignoreChanges],
    replaceOnChanges: [...options.replaceOnChanges],
    version: options.version,
    aliases: options.aliases.map(encodeAlias),
    provider: options.provider,
    providers: options.providers,
    customTimeouts: options.customTimeouts,
    pluginDownloadUrl: options.pluginDownloadUrl,
    pluginChecksums: options.pluginChecksums,
    retainOnDelete: options.retainOnDelete,
    deletedWith: options.deletedWith,
    replaceWith: [...options.replaceWith],
    replacementTrigger:
      trigger === undefined
        ? undefined
        : encodeValue(trigger, { keepOutputValues: true, keepByteStrings: byteStrings }),
    deleteBeforeReplace: options.deleteBeforeReplace,
    additionalSecretOutputs: [...options.additionalSecretOutputs],
    hideDiff: [...options.hideDiffs],
    import: options.importId,
    hooks: options.hooks as pb.RegisterResourceRequest_ResourceHooksBinding | undefined,
  });
}

/** Options from the wire. */
export function decodeOptions(wire: pb.TransformResourceOptions): CallbackOptions {
  return {
    dependsOn: wire.dependsOn,
    protect: wire.protect,
    ignoreChanges: wire.ignoreChanges,
    replaceOnChanges: wire.replaceOnChanges,
    version: wire.version,
    aliases: wire.aliases.flatMap((alias) => decodeAlias(alias) ?? []),
    provider: wire.provider,
    providers: wire.providers,
    customTimeouts: wire.customTimeouts && {
      create: wire.customTimeouts.create,
      update: wire.customTimeouts.update,
      delete: wire.customTimeouts.delete,
    },
    pluginDownloadUrl: wire.pluginDownloadUrl,
    pluginChecksums: wire.pluginChecksums,
    retainOnDelete: wire.retainOnDelete,
    deletedWith: wire.deletedWith,
    replaceWith: wire.replaceWith,
    replacementTrigger:
      wire.replacementTrigger && decodeValue(wire.replacementTrigger, { keepOutputValues: true }),
    deleteBeforeReplace: wire.deleteBeforeReplace,
    additionalSecretOutputs: wire.additionalSecretOutputs,
    hideDiffs: wire.hideDiff,
    importId: wire.import,
    hooks: wire.hooks satisfies HookBinding | undefined,
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

/** Options of a question to a provider for the wire. */
export function encodeInvokeOptions(options: InvokeOptions): pb.TransformInvokeOptions {
  return pb.TransformInvokeOptions.fromPartial(options);
}

/** Options of a question to a provider from the wire. */
export function decodeInvokeOptions(wire: pb.TransformInvokeOptions): InvokeOptions {
  const { provider, pluginDownloadUrl, version, pluginChecksums } = wire;
  return { provider, pluginDownloadUrl, version, pluginChecksums };
}
