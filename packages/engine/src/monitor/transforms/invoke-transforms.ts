import type { InvokeOptions, MonitorInvokeRequest } from '@cairn/wire';
import { withOutputValues } from './dependencies.js';
import { refused } from './resource-transforms.js';
import type { Transforms } from './registry.js';

/**
 * The question as the transforms leave it, in the order they were registered, one question at a time [XFORM-8].
 * `provider`: the one that would answer, empty for a default one.
 */
export function transformedInvoke(
  request: MonitorInvokeRequest,
  provider: string,
  transforms: Transforms,
): Promise<MonitorInvokeRequest> {
  return transforms.inTurn(async () => {
    let { args } = request;
    let options: InvokeOptions = optionsOf(request, provider);
    for (const callback of [...transforms.ofInvokes]) {
      const question = { token: request.token, args: withOutputValues(args), options };
      const answer = await transforms.callbacks.transformInvoke(callback, question).catch(refused);
      args = answer.args ?? args;
      options = answer.options ?? options;
    }
    const { version, pluginDownloadUrl, pluginChecksums } = options;
    return {
      ...request,
      args,
      provider: options.provider === provider ? request.provider : options.provider,
      package: { ...request.package, version, pluginDownloadUrl, pluginChecksums },
    };
  });
}

function optionsOf({ package: pkg }: MonitorInvokeRequest, provider: string): InvokeOptions {
  const { version, pluginDownloadUrl, pluginChecksums } = pkg;
  return { provider, version, pluginDownloadUrl, pluginChecksums };
}
