import { readFileSync } from 'node:fs';
import path from 'node:path';
import { asUrn } from '@cairn/addresses';
import { propertyMap } from '@cairn/values';
import { InvalidInputsError, ProviderError } from '@cairn/wire';
import type { ConstructRequest, ConstructResponse } from '@cairn/wire';
import { Http2Caller } from '@cairn/wire/caller';
import { MonitorClient } from '@cairn/wire/monitor-client';
import { providerService } from '@cairn/wire/provider-server';
import { startServer } from '@cairn/wire/server';
import { ItemProvider } from '../plugin/item-provider.js';
import { registerRequest } from '../program/requests.js';

/** Components of a folder: names of their children by type token; each child is a component too. */
type Components = Readonly<Record<string, readonly string[]>>;

/** Constructs the components in `components.json`. An input `refuse` is refused as a fault of that property. */
class ComponentProvider extends ItemProvider {
  readonly #components: Components;

  constructor(components: Components) {
    super();
    this.#components = components;
  }

  override async getSchema(): Promise<string> {
    const [token = ''] = Object.keys(this.#components);
    const resources = Object.fromEntries(
      Object.keys(this.#components).map((type) => [
        type,
        { isComponent: true, properties: { said: { type: 'string' } } },
      ]),
    );
    return JSON.stringify({ name: token.split(':')[0], version: '1.0.0', resources });
  }

  override construct = (async (request: ConstructRequest): Promise<ConstructResponse> => {
    const children = this.#components[request.type];
    if (children === undefined) throw new ProviderError('NOT_FOUND', `no component ${request.type}`);
    if (request.inputs['refuse'] !== undefined)
      throw new InvalidInputsError(
        [{ path: 'refuse', reason: String(request.inputs['refuse']) }],
        'it is not wanted',
      );
    const caller = new Http2Caller(request.context.monitorAddress);
    const monitor = new MonitorClient(caller);
    const register = (type: string, name: string, parent: string) =>
      monitor.registerResource(registerRequest({ type, name, parent, custom: false }));
    try {
      const own = await register(request.type, request.name, request.parent ?? '');
      for (const child of children)
        await register(`${request.type}Part`, `${request.name}-${child}`, own.urn);
      const outputs = propertyMap({ said: `made ${children.join(' and ')}` });
      await monitor.registerResourceOutputs({ urn: own.urn, outputs });
      return { urn: asUrn(own.urn), outputs, outputDependencies: {} };
    } finally {
      caller.close();
    }
  }) as never;
}

/** Serves the components of a folder as a plugin [PLUG-10]: `steps-components DIRECTORY ENGINE`. */
export async function main(): Promise<void> {
  const [directory = ''] = process.argv.slice(2);
  const file = path.join(directory, 'components.json');
  const components = JSON.parse(readFileSync(file, 'utf8')) as Components;
  const server = await startServer({
    services: [providerService(new ComponentProvider(components))],
    stream: true,
  });
  process.stderr.write(`components of ${path.basename(directory)} in process ${process.pid}\n`);
  process.stdout.write(`${server.port}\n`);
}
