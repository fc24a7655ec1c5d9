import { ProviderError } from '@cairn/wire';
import type { RunningOperation } from '@cairn/engine';
import { MockWorld, programOf, registerRequest, runScenario } from '@cairn/testkit';
import type { ProgramFunction } from '@cairn/testkit';

/** Operations that fail or are ended early: nothing hangs, nothing is left open [REG-12] [REG-17] [PRG-9]. */

const TYPE = 'pkgA:m:typA';

/** Records the errors of calls that the program receives. */
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

test('a constructor that never returns is abandoned [REG-12]', async () => {
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
  expect(providers.instances.map(({ closed }) => closed)).toEqual([true]);
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

describe('a cancelled operation [REG-17]', () => {
  /** Cancels when a call of the given method has reached the provider, and then lets the call continue. */
  const cancelAt = (providers: MockWorld, method: 'create' | 'delete' | 'check' | 'read', name: string) => {
    const held = providers.holdNext(method, name);
    return (operation: RunningOperation) =>
      void held.reached.then(() => {
        operation.cancel();
        held.open();
      });
  };

  test('starts nothing more; what runs ends and is stored; the program is told', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const { told, to } = listen();
    let programCancelled = 0;
    const body = programOf(
      async ({ resource }) => {
        const first = to(resource(TYPE, 'first'));
        const second = first.then(() => resource(TYPE, 'never'));
        await Promise.allSettled([second]);
        await to(resource(TYPE, 'late'));
      },
      { project: 'test', stack: 'test' },
    );
    const outcome = await runScenario({
      providers,
      onStart: cancelAt(providers, 'create', 'first'),
      ownProgram: {
        ...body,
        cancel: async () => {
          programCancelled += 1;
        },
      },
    });
    expect(outcome.result.summary.result).toBe('cancelled');
    expect(outcome.complaints).toEqual(['error CAIRN-CANCELLED the operation was cancelled']);
    expect(outcome.steps).toEqual(['create first']);
    expect(outcome.names).toEqual(['test-test', 'default', 'first']);
    expect(providers.alive).toEqual(['first']);
    expect(told.at(-1)).toBe('UNAVAILABLE');
    expect(programCancelled).toBeGreaterThan(0);
    // Running steps end by themselves: providers are not asked to end them.
    expect(providers.instances.map(({ cancelled, closed }) => [cancelled, closed])).toEqual([[false, true]]);
    expect(outcome.result.inDoubt).toEqual([]);
  });

  const three: ProgramFunction = async ({ resource }) => {
    const a = await resource(TYPE, 'a');
    const b = await resource(TYPE, 'b', {}, { dependencies: [a.urn] });
    await resource(TYPE, 'c', {}, { dependencies: [b.urn] });
  };

  test('leaves the waves of deletes that were not reached', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const { snapshot } = await runScenario({ providers, program: three });
    const outcome = await runScenario({
      kind: 'destroy',
      providers,
      prior: snapshot,
      onStart: cancelAt(providers, 'delete', 'c'),
    });
    expect(outcome.result.summary.result).toBe('cancelled');
    expect(outcome.steps).toEqual(['delete c']);
    expect(outcome.names).toEqual(['test-test', 'default', 'a', 'b']);
    expect(providers.alive).toEqual(['a', 'b']);
  });

  test('deletes nothing that the program has not registered yet', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const { snapshot } = await runScenario({ providers, program: three });
    const outcome = await runScenario({
      providers,
      prior: snapshot,
      program: ({ resource }) => resource(TYPE, 'a').then(() => {}),
      onStart: cancelAt(providers, 'check', 'a'),
    });
    expect(outcome.result.summary.result).toBe('cancelled');
    expect(outcome.steps).toEqual([]);
    expect(outcome.snapshot.resources.map(({ urn }) => urn)).toEqual(
      snapshot.resources.map(({ urn }) => urn),
    );
  });

  test('keeps what a refresh has found so far', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const { snapshot } = await runScenario({ providers, program: three });
    const outcome = await runScenario({
      kind: 'refresh',
      providers,
      prior: snapshot,
      onStart: cancelAt(providers, 'read', 'a'),
    });
    expect(outcome.result.summary.result).toBe('cancelled');
    expect([...outcome.names].sort()).toEqual(['a', 'b', 'c', 'default', 'test-test']);
  });

  test('changes nothing when it was a preview', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const onStart = cancelAt(providers, 'create', 'a');
    const outcome = await runScenario({ providers, program: three, preview: true, onStart });
    expect(outcome.result.summary.result).toBe('cancelled');
    expect(outcome.steps).toEqual(['create a']);
    expect(outcome.store.records).toEqual([]);
  });
});

test.each([1, 2, 0])(
  'registrations may outnumber the workers, in a refresh too (%i at a time) [REG-17]',
  async (parallel) => {
    const providers = new MockWorld({ pkgA: {} });
    const program: ProgramFunction = async ({ resource }) => {
      await Promise.all(Array.from({ length: 20 }, (_, at) => resource(TYPE, `r${at}`)));
    };
    const up = await runScenario({ providers, program, parallel });
    expect(up.complaints).toEqual([]);
    const again = await runScenario({
      providers,
      program,
      parallel,
      prior: up.snapshot,
      scope: { refresh: true },
    });
    expect(again.complaints).toEqual([]);
    expect(again.snapshot.resources).toHaveLength(22);
  },
);
