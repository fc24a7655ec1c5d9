import { makeUrn } from '@cairn/addresses';
import { CustomResource, ComponentResource } from '@cairn/sdk';
import { emptyMap, propertyMap } from '@cairn/values';
import type { ConstructOptions, Monitor, RegisterResourceRequest } from '@cairn/wire';
import { monitorService } from '@cairn/wire/monitor-server';
import { startServer } from '@cairn/wire/server';
import type { RunningServer } from '@cairn/wire/server';
import { defineComponent, defineProvider, s } from '../index.js';
import { toProvider } from './defined-provider.js';

/** Components that are requested over the wire. */

const registered: RegisterResourceRequest[] = [];
let server: RunningServer;

beforeAll(async () => {
  const monitor: Partial<Monitor> = {
    supportsFeature: async () => false,
    registerResource: async (request) => {
      registered.push(request);
      const { type, name } = request;
      const urn = makeUrn({ project: 'p', stack: 's', type, name });
      return { urn, id: '', outputs: emptyMap, propertyDependencies: {}, result: 'success', unknown: false };
    },
    registerResourceOutputs: async () => {},
  };
  server = await startServer({ services: [monitorService(monitor as Monitor)] });
});
afterAll(() => server.close());

class Site extends ComponentResource {
  constructor(name: string, args: object) {
    super('sites:index:Site', name, args);
    new CustomResource('test:index:Page', `${name}-page`, {}, { parent: this });
    this.registerOutputs({ title: 'a title' });
  }
}

const provider = toProvider(
  defineProvider({
    name: 'sites',
    version: '1.0.0',
    resources: {},
    components: {
      'index:Site': defineComponent({
        inputs: {},
        outputs: { title: s.string() },
        create: (name, args) => new Site(name, args),
      }),
    },
  }),
);

test('an engine that has not said where it is gets its component all the same', async () => {
  const made = await provider.construct?.({
    context: {
      ...{ project: 'p', stack: 's', organization: 'o', config: {}, configSecretKeys: [] },
      ...{ dryRun: false, parallel: 1, monitorAddress: server.address },
    },
    ...{
      type: 'sites:index:Site',
      name: 'front',
      parent: undefined,
      inputs: emptyMap,
      inputDependencies: {},
    },
    options: {
      ...{ aliases: [], dependencies: [], providers: {}, additionalSecretOutputs: [], ignoreChanges: [] },
      ...{ replaceOnChanges: [], replaceWith: [] },
    } as Partial<ConstructOptions> as ConstructOptions,
  });
  expect(made?.outputs).toEqual(propertyMap({ title: 'a title' }));
  expect(registered.map(({ name }) => name)).toEqual(['front', 'front-page']);
});
