import type { CallbackOptions, RegisterResourceRequest } from '@cairn/wire';
import { durationText } from '../../execute/hooks/duration.js';
import { parseDuration } from '../normalise/custom-timeouts.js';

/** The options of a registration as transforms see them [XFORM-2]. `provider`: see [XFORM-4]. */
export function optionsOf(request: RegisterResourceRequest, provider: string): CallbackOptions {
  return {
    dependsOn: request.dependencies,
    protect: request.protect,
    ignoreChanges: request.ignoreChanges,
    replaceOnChanges: request.replaceOnChanges,
    version: request.package.version,
    aliases: request.aliases,
    provider,
    providers: request.providers,
    customTimeouts: timeouts(request.customTimeouts),
    pluginDownloadUrl: request.package.pluginDownloadUrl,
    pluginChecksums: request.package.pluginChecksums,
    retainOnDelete: request.retainOnDelete,
    deletedWith: request.deletedWith,
    replaceWith: request.replaceWith,
    replacementTrigger: request.replacementTrigger,
    deleteBeforeReplace: request.deleteBeforeReplace,
    additionalSecretOutputs: request.additionalSecretOutputs,
    hideDiffs: request.hideDiffs,
    importId: request.importId,
    hooks: request.hooks,
  };
}

/** The registration with the options that transforms have answered; dependencies have rules of their own. */
export function withOptions(
  request: RegisterResourceRequest,
  options: CallbackOptions,
): RegisterResourceRequest {
  const { version, pluginDownloadUrl, pluginChecksums } = options;
  return {
    ...request,
    protect: options.protect,
    ignoreChanges: options.ignoreChanges,
    replaceOnChanges: options.replaceOnChanges,
    package: { ...request.package, version, pluginDownloadUrl, pluginChecksums },
    aliases: options.aliases,
    providers: options.providers,
    customTimeouts: options.customTimeouts ?? noTimeouts,
    retainOnDelete: options.retainOnDelete,
    deletedWith: options.deletedWith,
    replaceWith: options.replaceWith,
    replacementTrigger: options.replacementTrigger,
    deleteBeforeReplace: options.deleteBeforeReplace,
    additionalSecretOutputs: options.additionalSecretOutputs,
    hideDiffs: options.hideDiffs,
    importId: options.importId,
    hooks: options.hooks,
  };
}

const noTimeouts = { create: '', update: '', delete: '' };

/** Durations in one form, e.g. `16m40s` for 1000 seconds; what is no duration is left for its own pass to refuse. */
function timeouts({
  create,
  update,
  delete: del,
}: RegisterResourceRequest['customTimeouts']): CallbackOptions['customTimeouts'] {
  if (create === '' && update === '' && del === '') return undefined;
  return { create: normal(create), update: normal(update), delete: normal(del) };
}

function normal(text: string): string {
  const seconds = parseDuration(text);
  return seconds === undefined ? text : durationText(seconds);
}
