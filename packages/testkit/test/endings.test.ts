import { ProviderError } from '@cairn/wire';
import { MockWorld, registerRequest, runScenario } from '../src/index.js';
import type { ProgramFunction } from '../src/index.js';

/** How operations end that do not end well: nothing hangs, nothing is left open (engine-behaviours-1.md A17, A24, D4). */

const TYPE = 'pkgA:m:typA';

/** What the program was told about the call. */
function listen(): { readonly told: unknown[]; readonly to: <T>(call: Promise<T>) => Promise<T> } {
  const told: unknown[] = [];
  return {
    told,
    to: (call) =>
      call.catch((error: unknown) => {
        told.push((error as { status?: unknown }).status);
        throw error;
      }),
  };
}

test('LT1-018 a provider that cannot be loaded ends the operation; what runs is closed', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const { told, to } = listen();
  const outcome = await runScenario({
    providers,
    preview: true,
    program: async ({ provider }) => {
      await provider('pkgA', 'provA');
      await to(provider('pkgB', 'provB'));
    },
  });
  expect(outcome.result.summary.result).toBe('failed');
  expect(outcome.complaints).toEqual(['error CAIRN-PLUGIN-NOT-FOUND no plugin for the package pkgB']);
  expect(told).toEqual(['UNAVAILABLE']);
  expect(providers.instances.map(({ closed }) => closed)).toEqual([true]);
});

test('A17 a constructor that never returns is abandoned', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const held = providers.holdNext('construct', 'resA');
  const { told, to } = listen();
  const outcome = await runScenario({
    providers,
    onStart: (operation) => void held.reached.then(() => operation.cancel()),
    program: async ({ monitor, stack }) => {
      const request = { type: TYPE, name: 'resA', custom: false, remote: true, parent: stack };
      await to(monitor.registerResource(registerRequest(request)));
    },
  });
  expect(outcome.result.summary.result).toBe('cancelled');
  expect(told).toEqual(['UNAVAILABLE']);
  expect(providers.instances.map(({ closed, cancelled }) => [closed, cancelled])).toEqual([[true, true]]);
});

test('a program that fails while a question is open ends the operation', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const held = providers.holdNext('invoke', 'pkgA:m:fn');
  const outcome = await runScenario({
    providers,
    program: async ({ monitor }) => {
      const selector = { version: '', pluginDownloadUrl: '', pluginChecksums: {}, packageRef: '' };
      const accepts = { secrets: true, resources: true, partialValues: true, resultReporting: true };
      monitor
        .invoke({
          token: 'pkgA:m:fn',
          args: {},
          provider: '',
          parent: '',
          package: selector,
          dependsOn: [],
          accepts,
        })
        .catch(() => undefined);
      await held.reached;
      throw new Error('the program is wrong');
    },
  });
  expect(outcome.result.summary.result).toBe('failed');
  expect(outcome.complaints.join()).toMatch(/the program is wrong/);
  expect(providers.instances.every(({ closed }) => closed)).toBe(true);
});

test('without continue-on-error the failing registration is never answered, and the others neither', async () => {
  const providers = new MockWorld({ pkgA: {} });
  providers.failNext('create', 'bad', new ProviderError('INVALID_ARGUMENT', 'no room'));
  const { told, to } = listen();
  const program: ProgramFunction = async ({ resource }) => {
    await resource(TYPE, 'good');
    await to(resource(TYPE, 'bad'));
  };
  const outcome = await runScenario({ providers, program });
  expect([outcome.steps, told]).toEqual([['create good', '!create bad'], ['UNAVAILABLE']]);
  expect(outcome.names).toContain('good');
});

test('LT1-208 LT1-212 with continue-on-error the registration says that it failed', async () => {
  const providers = new MockWorld({ pkgA: {} });
  providers.failNext('create', 'bad', new ProviderError('INVALID_ARGUMENT', 'no room'));
  const results: string[] = [];
  const outcome = await runScenario({
    providers,
    policy: { continueOnError: true },
    program: async ({ resource }) => {
      const bad = await resource(TYPE, 'bad');
      const needs = await resource(TYPE, 'needs', {}, { dependencies: [bad.urn] });
      const free = await resource(TYPE, 'free');
      results.push(bad.result, needs.result, free.result);
    },
  });
  expect(results).toEqual(['fail', 'skip', 'success']);
  expect(outcome.result.summary.result).toBe('failed');
  expect(providers.alive).toEqual(['free']);
});
