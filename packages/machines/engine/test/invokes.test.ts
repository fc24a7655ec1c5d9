import { UNKNOWN_ID, makeUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { emptyMap, getProperty, propertyMap, secret } from '@cairn/values';
import type { InvokeRequest, Monitor, MonitorInvokeResponse } from '@cairn/wire';
import { MockWorld, invokeRequest, registerRequest, runScenario } from '@cairn/testkit';
import type { MockBehaviour, ProgramContext, Scenario } from '@cairn/testkit';

/** Scenarios of the area "Invokes": dependencies of a question, the provider that answers it, the use of the answer. */

const TYPE = 'pkgA:m:typA';
const REMOTE = 'pkgA:m:Remote';
const FUNCTION = 'pkgA:index:myFunc';

/**
 * A provider whose function answers `result = invoked`, and whose constructor registers the component and one child.
 */
function invoking(
  asked: InvokeRequest[],
  rest: MockBehaviour = {},
): MockBehaviour & { box: { monitor?: Monitor } } {
  const box: { monitor?: Monitor } = {};
  return {
    box,
    invoke: (request) => {
      asked.push(request);
      return { result: propertyMap({ result: 'invoked' }), failures: [] };
    },
    construct: async ({ type, name, parent = '' }) => {
      const monitor = box.monitor as Monitor;
      const { urn } = await monitor.registerResource(registerRequest({ type, name, parent, custom: false }));
      await monitor.registerResource(registerRequest({ type: TYPE, name: `${name}-child`, parent: urn }));
      await monitor.registerResourceOutputs({ urn, outputs: emptyMap });
      return { urn, outputs: emptyMap, outputDependencies: {} };
    },
    ...rest,
  };
}

const remote = (context: ProgramContext, name: string, parent: Urn = context.stack) =>
  context.resource(REMOTE, name, {}, { custom: false, remote: true, parent });

/** Previews, ups and previews again. Returns each answer, and whether the provider was asked. */
async function threeTimes(
  program: (context: ProgramContext) => Promise<MonitorInvokeResponse>,
  options: Partial<Scenario> = {},
): Promise<readonly { readonly executed: boolean; readonly unknown: boolean }[]> {
  const asked: InvokeRequest[] = [];
  const behaviour = invoking(asked);
  const providers = new MockWorld({ pkgA: { behaviour } });
  const seen: { executed: boolean; unknown: boolean }[] = [];
  let prior: Snapshot = emptySnapshot;
  for (const preview of [true, false, true]) {
    const before = asked.length;
    const outcome = await runScenario({
      providers,
      preview,
      prior,
      program: async (context) => {
        behaviour.box.monitor = context.monitor;
        const { unknown, failures } = await program(context);
        expect(failures).toEqual([]);
        seen.push({ executed: asked.length > before, unknown });
      },
      ...options,
    });
    expect(outcome.complaints).toEqual([]);
    prior = outcome.snapshot;
  }
  return seen;
}

const notYet = { executed: false, unknown: true };
const answered = { executed: true, unknown: false };

describe('what a question depends on', () => {
  test('LT2-147 a remote component stands for the custom resources in it', async () => {
    const seen = await threeTimes(async (context) => {
      const { urn } = await remote(context, 'comp');
      return context.monitor.invoke(invokeRequest({ token: FUNCTION, dependsOn: [urn] }));
    });
    expect(seen).toEqual([notYet, answered, answered]);
  });

  test('LT2-148 components in components count, and what is under way in them is waited for', async () => {
    const seen = await threeTimes(async (context) => {
      const outer = await context.component('my:i:Outer', 'outer');
      const inner = remote(context, 'inner', outer.urn);
      const answer = context.monitor.invoke(invokeRequest({ token: FUNCTION, dependsOn: [outer.urn] }));
      await inner;
      return answer;
    });
    expect(seen).toEqual([notYet, answered, answered]);
  });

  test('LT2-149 a custom resource that does not exist yet', async () => {
    const seen = await threeTimes(async (context) => {
      const { urn } = await context.resource(TYPE, 'dep');
      return context.monitor.invoke(invokeRequest({ token: FUNCTION, dependsOn: [urn] }));
    });
    expect(seen).toEqual([notYet, answered, answered]);
  });

  test('LT2-150 what is below a custom resource does not count', async () => {
    const asked: InvokeRequest[] = [];
    const providers = new MockWorld({ pkgA: { behaviour: invoking(asked) } });
    const first = await runScenario({
      providers,
      program: async ({ resource }) => void (await resource(TYPE, 'parent')),
    });
    let answer: MonitorInvokeResponse | undefined;
    await runScenario({
      providers,
      prior: first.snapshot,
      preview: true,
      program: async ({ resource, monitor }) => {
        const { urn } = await resource(TYPE, 'parent');
        await resource(TYPE, 'child', {}, { parent: urn });
        answer = await monitor.invoke(invokeRequest({ token: FUNCTION, dependsOn: [urn] }));
      },
    });
    expect([answer?.unknown, asked.length]).toEqual([false, 1]);
  });

  test('LT2-151 a resource that targets leave out', async () => {
    for (const preview of [true, false]) {
      const asked: InvokeRequest[] = [];
      let answer: MonitorInvokeResponse | undefined;
      await runScenario({
        providers: new MockWorld({ pkgA: { behaviour: invoking(asked) } }),
        preview,
        scope: { targets: ['**keep**'] },
        program: async ({ resource, monitor }) => {
          await resource(TYPE, 'keep');
          const { urn } = await resource(TYPE, 'dep');
          answer = await monitor.invoke(invokeRequest({ token: FUNCTION, dependsOn: [urn] }));
        },
      });
      expect([answer?.unknown, asked.length]).toEqual([true, 0]);
    }
  });

  test('a URN of nothing in this run counts for nothing', async () => {
    const gone = makeUrn({ project: 'test', stack: 'test', type: TYPE, name: 'gone' });
    const seen = await threeTimes(({ monitor }) =>
      monitor.invoke(invokeRequest({ token: FUNCTION, dependsOn: [gone] })),
    );
    expect(seen).toEqual([answered, answered, answered]);
  });

  test('a child that is still being created is waited for, also when the component was answered before', async () => {
    const asked: InvokeRequest[] = [];
    const providers = new MockWorld({ pkgA: { behaviour: invoking(asked) } });
    const held = providers.holdNext('create', 'child');
    await runScenario({
      providers,
      program: async (context) => {
        const { urn } = await context.component('my:i:Comp', 'comp');
        const child = context.resource(TYPE, 'child', {}, { parent: urn });
        const answer = context.monitor.invoke(invokeRequest({ token: FUNCTION, dependsOn: [urn] }));
        await held.reached;
        expect(asked).toHaveLength(0);
        held.open();
        await child;
        expect((await answer).unknown).toBe(false);
      },
    });
    expect(asked).toHaveLength(1);
  });

  test('a question from inside a constructor does not wait for the constructor', async () => {
    const asked: InvokeRequest[] = [];
    const base = invoking(asked);
    const behaviour: MockBehaviour = {
      ...base,
      construct: async (request, context) => {
        const answer = await base.construct?.(request, context);
        const monitor = base.box.monitor as Monitor;
        await monitor.invoke(
          invokeRequest({ token: FUNCTION, dependsOn: [request.parent as Urn], parent: answer?.urn as Urn }),
        );
        return answer as NonNullable<typeof answer>;
      },
    };
    const outcome = await runScenario({
      providers: new MockWorld({ pkgA: { behaviour } }),
      program: async (context) => {
        base.box.monitor = context.monitor;
        const outer = await context.component('my:i:Outer', 'outer');
        await remote(context, 'inner', outer.urn);
      },
    });
    expect([outcome.complaints, asked.length]).toEqual([[], 1]);
  });
});

describe('who answers', () => {
  test('LT2-146 a component parent passes its providers on, a custom parent does not', async () => {
    const behaviour: MockBehaviour = {
      invoke: (_request, { instance }) => ({
        result: propertyMap({ by: getProperty(instance.settings ?? emptyMap, 'name') ?? 'default' }),
        failures: [],
      }),
    };
    for (const preview of [true, false]) {
      const by: unknown[] = [];
      const { complaints } = await runScenario({
        providers: new MockWorld({ pkgA: { behaviour } }),
        preview,
        program: async ({ provider, component, resource, monitor }) => {
          const explicit = await provider('pkgA', 'explicit', { name: 'explicit' });
          const other = await provider('pkgA', 'other', { name: 'other' });
          const comp = await component('my:i:Comp', 'comp', { providers: { pkgA: explicit } });
          const child = await component('my:i:Comp', 'child', { parent: comp.urn });
          const custom = await resource(TYPE, 'custom', {}, { parent: comp.urn });
          for (const options of [
            { parent: comp.urn },
            { parent: child.urn },
            { parent: comp.urn, provider: other },
            { parent: custom.urn },
            {},
          ]) {
            const { result } = await monitor.invoke(invokeRequest({ token: FUNCTION, ...options }));
            by.push(getProperty(result, 'by'));
          }
        },
      });
      expect([complaints, by]).toEqual([[], ['explicit', 'explicit', 'other', 'default', 'default']]);
    }
  });

  test('LT2-145 the provider is told whether it is a preview', async () => {
    const asked: InvokeRequest[] = [];
    const offers: unknown[] = [];
    const behaviour = invoking(asked, {
      handshake: (request, { standard }) => {
        offers.push(request.invokeWithPreview);
        return standard();
      },
    });
    const providers = new MockWorld({ pkgA: { behaviour } });
    for (const preview of [true, false]) {
      await runScenario({
        providers,
        preview,
        overWire: true,
        program: async ({ monitor }) => {
          const { result } = await monitor.invoke(invokeRequest({ token: FUNCTION }));
          expect(result).toEqual(propertyMap({ result: 'invoked' }));
        },
      });
    }
    expect([offers, asked.map(({ preview }) => preview)]).toEqual([
      [true, true],
      [true, false],
    ]);
  });
});

describe('what the answer becomes', () => {
  test('LT2-153 a provider that does not take secrets answers a secret question with secrets', async () => {
    const asked: InvokeRequest[] = [];
    const behaviour = invoking(asked, { capabilities: { acceptSecrets: false } });
    for (const preview of [true, false]) {
      await runScenario({
        providers: new MockWorld({ pkgA: { behaviour } }),
        preview,
        overWire: true,
        program: async ({ monitor }) => {
          const args = propertyMap({ arg: secret('hush') });
          const { result } = await monitor.invoke(invokeRequest({ token: FUNCTION, args }));
          expect(result).toEqual(propertyMap({ result: secret('invoked') }));
        },
      });
    }
    expect(asked.map(({ args }) => args)).toEqual([
      propertyMap({ arg: 'hush' }),
      propertyMap({ arg: 'hush' }),
    ]);
  });

  test('failures are a list, not an error', async () => {
    const failures = [{ property: 'arg', reason: 'too small' }];
    await runScenario({
      providers: new MockWorld({ pkgA: { behaviour: { invoke: () => ({ result: emptyMap, failures }) } } }),
      overWire: true,
      program: async ({ monitor }) => {
        const answer = await monitor.invoke(invokeRequest({ token: FUNCTION }));
        expect(answer).toEqual({ result: emptyMap, failures, unknown: false });
      },
    });
  });
});

test('LT2-152 a destroy that runs the program: what is gone answers nothing, what depends on it neither', async () => {
  const asked: InvokeRequest[] = [];
  const providers = new MockWorld({ pkgA: { behaviour: invoking(asked) } });
  const up = await runScenario({
    providers,
    program: async ({ resource, monitor }) => {
      for (const name of ['standalone', 'dependent']) {
        const { urn } = await resource(TYPE, name);
        await monitor.invoke(invokeRequest({ token: FUNCTION, dependsOn: [urn] }));
      }
    },
  });
  expect([up.complaints, asked.length]).toEqual([[], 2]);
  for (const preview of [true, false]) {
    asked.length = 0;
    const unknown: Record<string, boolean> = {};
    let goneId = '';
    const destroyed = await runScenario({
      providers,
      prior: up.snapshot,
      kind: 'destroy',
      runProgram: true,
      preview,
      program: async ({ resource, monitor }) => {
        const gone = await resource(TYPE, 'gone');
        goneId = gone.id;
        const urns = {
          gone: gone.urn,
          standalone: (await resource(TYPE, 'standalone')).urn,
          dependent: (await resource(TYPE, 'dependent', {}, { dependencies: [gone.urn] })).urn,
        };
        for (const [name, urn] of Object.entries(urns)) {
          const answer = await monitor.invoke(invokeRequest({ token: FUNCTION, dependsOn: [urn] }));
          unknown[name] = answer.unknown;
        }
      },
    });
    expect(destroyed.complaints).toEqual([]);
    expect([goneId, unknown, asked.length]).toEqual([
      '',
      { gone: true, standalone: false, dependent: true },
      1,
    ]);
    if (!preview) expect(destroyed.snapshot.resources).toEqual([]);
  }
});

describe('whether an object exists', () => {
  test.each<[string, string, boolean, { exists: boolean; unknown: boolean }]>([
    ['one that is there', 'there', true, { exists: true, unknown: false }],
    ['one that is gone', 'gone', false, { exists: false, unknown: false }],
    ['an id that is not known', UNKNOWN_ID, true, { exists: false, unknown: true }],
  ])('%s', async (_title, id, found, expected) => {
    const seen: unknown[] = [];
    const read: MockBehaviour['read'] = () => ({
      id: found ? id : '',
      inputs: undefined,
      outputs: found ? emptyMap : undefined,
      refreshBeforeUpdate: false,
    });
    const { snapshot, complaints } = await runScenario({
      providers: new MockWorld({ pkgA: { behaviour: { read } } }),
      program: async ({ monitor }) => {
        const { provider, parent, package: selector } = invokeRequest({ token: FUNCTION });
        const asked = { type: TYPE, id, parent, provider, properties: emptyMap, package: selector };
        seen.push(await monitor.existsResource(asked));
      },
    });
    expect([complaints, seen]).toEqual([[], [expected]]);
    expect(snapshot.resources.filter(({ type }) => type === TYPE)).toEqual([]);
  });
});
