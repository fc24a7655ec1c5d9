import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { ProviderError } from '@cairn/wire';
import { StreamCaller } from '@cairn/wire/caller';
import { LoaderClient, MapperClient } from '@cairn/wire/schemas-client';
import { MockWorld, registerRequest, runScenario } from '@cairn/testkit';
import type { MockBehaviour, ProgramFunction } from '@cairn/testkit';

/** Scenarios of "Shutdown" and "Loader": services for a program beside the monitor, and its wait for the end. */

const TYPE = 'pkgA:m:typA';

describe('LT2-183 schemas and mappings', () => {
  const made = { name: 'pkgExt', version: '0.5.0', value: Uint8Array.of(1) };
  const behaviour: MockBehaviour = {
    getSchema: ({ version, subpackageName = '' }, { instance }) =>
      JSON.stringify({ name: instance.package, version, subpackageName }),
  };

  async function asking(
    providers: MockWorld,
    ask: (loader: LoaderClient, mapper: MapperClient) => Promise<void>,
    preview = false,
  ) {
    const outcome = await runScenario({
      providers,
      preview,
      overWire: true,
      program: async ({ addresses }) => {
        expect(addresses.loader).toMatch(/^(?:unix:\/|127\.0\.0\.1:\d+$)/);
        expect([addresses.mapper, addresses.resolver]).toEqual([addresses.loader, addresses.loader]);
        const [loader, mapper] = [new StreamCaller(addresses.loader), new StreamCaller(addresses.mapper)];
        await ask(new LoaderClient(loader), new MapperClient(mapper)).finally(() => {
          loader.close();
          mapper.close();
        });
      },
    });
    expect(outcome.complaints).toEqual([]);
    expect(providers.instances.every(({ closed }) => closed)).toBe(true);
  }

  test.each([true, false])('a program is told where they are (preview: %s)', async (preview) => {
    const providers = new MockWorld({ pkgA: { behaviour } });
    const base = { package: 'pkgA', version: '1.0.0', downloadUrl: '', parameterization: undefined };
    await asking(
      providers,
      async (loader, mapper) => {
        const schema = await Promise.all([loader.getSchema(base), loader.getSchema(base)]);
        expect(schema.map((text) => JSON.parse(text))).toEqual(
          schema.map(() => ({ name: 'pkgA', version: 0, subpackageName: '' })),
        );
        expect(JSON.parse(await loader.getSchema({ ...base, parameterization: made }))).toEqual({
          name: 'pkgExt',
          version: 0,
          subpackageName: 'pkgExt',
        });
        await expect(loader.getSchema({ ...base, package: 'none' })).rejects.toMatchObject({
          status: 'NOT_FOUND',
        });
        const question = { provider: 'none', pulumiProvider: '', parameterization: undefined, ecosystem: '' };
        expect(await mapper.getMapping(question)).toEqual(new Uint8Array());
        expect(await mapper.getMapping({ ...question, pulumiProvider: 'pkgA' })).toEqual(new Uint8Array());
      },
      preview,
    );
    expect(providers.called('getSchema')).toHaveLength(2);
  });

  test('a mapping comes from the plugin that knows the name', async () => {
    const data = (name: string) => new TextEncoder().encode(`mapping of ${name}`);
    const providers = new MockWorld({
      lists: {
        behaviour: {
          getMappings: ({ key }) => (key === 'terraform' ? ['tf-one'] : []),
          getMapping: ({ provider }) => ({ provider, data: data(provider) }),
        },
      },
      old: { behaviour: { getMapping: ({ provider }) => ({ provider, data: data(`<${provider}>`) }) } },
    });
    await asking(providers, async (_loader, mapper) => {
      const ask = async (provider: string, pulumiProvider: string, ecosystem = '') =>
        new TextDecoder().decode(
          await mapper.getMapping({ provider, pulumiProvider, parameterization: undefined, ecosystem }),
        );
      expect(await ask('tf-one', 'lists')).toBe('mapping of tf-one');
      expect(await ask('tf-two', 'lists')).toBe('');
      expect(await ask('old', '')).toBe('mapping of <>');
    });
  });
});

describe('waiting for the end', () => {
  test.each([true, false])('LT2-195 with or without the wait (%s)', async (waits) => {
    let prior: Snapshot = emptySnapshot;
    const providers = new MockWorld({ pkgA: {} });
    for (const preview of [true, false]) {
      const outcome = await runScenario({
        providers,
        preview,
        prior,
        overWire: true,
        waitsForEnd: waits,
        program: async ({ resource }) => void (await resource(TYPE, 'resA')),
      });
      expect([outcome.complaints, outcome.result.summary.result]).toEqual([[], 'succeeded']);
      prior = outcome.snapshot;
    }
    expect(prior.resources.filter(({ type }) => type !== 'pulumi:pulumi:Stack')).toHaveLength(2);
  });

  test('a second wait is an error', async () => {
    let second: unknown;
    await runScenario({
      providers: new MockWorld({}),
      program: async ({ monitor }) => {
        void monitor.signalAndWaitForShutdown().catch(() => undefined);
        second = await monitor.signalAndWaitForShutdown().catch((error: unknown) => error);
      },
    });
    expect(second).toMatchObject({ message: expect.stringMatching(/^Already waiting for shutdown/) });
  });

  const failing = (): MockWorld => {
    const providers = new MockWorld({ pkgA: {} });
    providers.failNext('create', 'resA', new ProviderError('INVALID_ARGUMENT', 'oh no'));
    return providers;
  };

  test('LT2-196 a registration that fails never comes back', async () => {
    let back = false;
    const { result } = await runScenario({
      providers: failing(),
      program: async ({ resource }) => {
        await resource(TYPE, 'resA');
        back = true;
      },
    });
    expect([back, result.summary.result]).toEqual([false, 'failed']);
    expect(JSON.stringify(result.diagnostics)).toContain('oh no');
  });

  test.each([true, false])(
    'LT2-197 with continue-on-error the registration fails and the wait does not (%s)',
    async (waits) => {
      let message = '';
      let waited = false;
      const program: ProgramFunction = async ({ monitor, stack }) => {
        const accepts = { secrets: true, resources: true, partialValues: true, resultReporting: false };
        await monitor
          .registerResource(registerRequest({ type: TYPE, name: 'resA', parent: stack, accepts }))
          .catch((error: Error) => (message = error.message));
      };
      const { result } = await runScenario({
        providers: failing(),
        policy: { continueOnError: true },
        overWire: true,
        waitsForEnd: waits,
        program,
        onWaited: () => (waited = true),
      });
      expect([message, waited, result.summary.result]).toEqual([
        'resource registration failed',
        waits,
        'failed',
      ]);
      expect(JSON.stringify(result.diagnostics)).toContain('oh no');
    },
  );
});
