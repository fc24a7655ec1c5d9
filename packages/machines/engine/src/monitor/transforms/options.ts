import { CALLBACK_OPTIONS, noRequestOptions } from '@cairn/wire';
import type { CallbackOptions, RegisterResourceRequest } from '@cairn/wire';
import { durationText } from '../../execute/hooks/duration.js';
import { parseTimeout } from '../normalise/custom-timeouts.js';

/** Returns the options of a registration as transforms receive them [XFORM-2]. `provider`: see [XFORM-4]. */
export function callbackOptions(request: RegisterResourceRequest, provider: string): CallbackOptions {
  const { version, pluginDownloadUrl, pluginChecksums } = request.package;
  const told = CALLBACK_OPTIONS.map(({ option, name }) => [name, request[option]]);
  return {
    ...(Object.fromEntries(told) as CallbackOptions),
    version,
    pluginDownloadUrl,
    pluginChecksums,
    provider,
    customTimeouts: timeouts(request.customTimeouts),
  };
}

/** Returns the registration with the options that transforms have answered. Dependencies have rules of their own. */
export function withOptions(
  request: RegisterResourceRequest,
  options: CallbackOptions,
): RegisterResourceRequest {
  const { version, pluginDownloadUrl, pluginChecksums } = options;
  const answered = CALLBACK_OPTIONS.map(({ option, name }) => [option, options[name]]);
  return {
    ...request,
    ...(Object.fromEntries(answered) as Partial<RegisterResourceRequest>),
    dependencies: request.dependencies,
    package: { ...request.package, version, pluginDownloadUrl, pluginChecksums },
    customTimeouts: options.customTimeouts ?? noRequestOptions.customTimeouts,
  };
}

/** Normalises durations, e.g. `16m40s` for 1000 seconds. An invalid duration is left for its own pass to refuse. */
function timeouts({
  create,
  update,
  delete: del,
  read = '',
}: RegisterResourceRequest['customTimeouts']): CallbackOptions['customTimeouts'] {
  if (create === '' && update === '' && del === '' && read === '') return undefined;
  return {
    create: normal(create),
    update: normal(update),
    delete: normal(del),
    ...(read !== '' && { read: normal(read) }),
  };
}

function normal(text: string): string {
  const seconds = parseTimeout(text);
  return seconds === undefined ? text : durationText(seconds);
}
