import { emptyMap, propertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { ConstructRequest, ConstructResponse, Monitor } from '@cairn/wire';
import { registerRequest } from '../program/requests.js';

/** Constructs a component of a provider: itself, and one child for each of its inputs `first` and `second`. */
export async function constructBox(
  monitor: Monitor | undefined,
  request: ConstructRequest,
): Promise<ConstructResponse> {
  if (monitor === undefined) throw new ProviderError('UNAVAILABLE', 'no program is running');
  const { type, name, parent = '', inputs, options } = request;
  const { urn } = await monitor.registerResource(
    registerRequest({ type, name, parent, custom: false, providers: options.providers }),
  );
  const ids: Record<string, string> = {};
  for (const key of ['first', 'second']) {
    if (!(key in inputs)) continue;
    const child = await monitor.registerResource(
      registerRequest({
        type: 'pkgA:m:typA',
        name: `${name}-${key}`,
        parent: urn,
        inputs: propertyMap({ update: inputs[key] }),
      }),
    );
    ids[key] = child.id;
  }
  const outputs = request.context.dryRun ? emptyMap : propertyMap(ids);
  await monitor.registerResourceOutputs({ urn, outputs });
  return { urn, outputs, outputDependencies: {} };
}
