import { urnName } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import {
  OutputValue,
  ResourceReference,
  Secret,
  UNKNOWN,
  getProperty,
  isMap,
  propertyMap,
} from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { CheckRequest, CreateRequest } from '@cairn/wire';
import { MockWorld, invokeRequest, runScenario } from '@cairn/testkit';
import type { ProgramFunction, Scenario } from '@cairn/testkit';

/** Scenarios of "Resource references" and "Environment variable mappings". */

const TYPE = 'pkgA:m:typA';

/** Creates, refreshes, does nothing, refreshes and destroys, each after a preview; checks the number of entries. */
async function basicLifecycle(
  scenario: Omit<Scenario, 'kind' | 'preview' | 'prior'>,
  entries: number,
): Promise<Snapshot> {
  let prior: Snapshot = emptySnapshot;
  const steps = [
    ['up', /^create /],
    ['refresh', /^refresh /],
    ['up', /^same /],
    ['refresh', /^refresh /],
  ] as const;
  for (const [kind, expected] of steps) {
    for (const preview of [true, false]) {
      const outcome = await runScenario({ ...scenario, kind, preview, prior });
      expect(outcome.complaints).toEqual([]);
      for (const step of outcome.steps) expect(step).toMatch(expected);
      prior = outcome.snapshot;
    }
    expect(prior.resources.filter(({ type }) => type !== 'pulumi:pulumi:Stack')).toHaveLength(entries);
  }
  for (const preview of [true, false]) {
    const { snapshot } = await runScenario({ ...scenario, kind: 'destroy', preview, prior });
    expect(snapshot.resources).toHaveLength(preview ? prior.resources.length : 0);
  }
  return prior;
}

/**
 * Registers a component, a custom resource, and a resource that refers to both. Collects the outputs of the last one,
 * as the program received them.
 */
function referring(told: PropertyMap[]): ProgramFunction {
  return async ({ component, resource }) => {
    const a = await component('my:i:Comp', 'resA');
    const b = await resource(TYPE, 'resB');
    const { outputs } = await resource(TYPE, 'resC', {
      resA: new ResourceReference({ urn: a.urn }),
      resB: new ResourceReference({ urn: b.urn, id: b.id === '' ? UNKNOWN : b.id }),
    });
    told.push(outputs);
  };
}

function creates(world: MockWorld): readonly CreateRequest[] {
  return world.calls
    .filter(({ method, name }) => method === 'create' && name === 'resC')
    .map(({ request }) => request as CreateRequest);
}

function asReference(value: PropertyValue | undefined): object {
  if (!(value instanceof ResourceReference)) throw new Error('it is no reference');
  const { urn, id, name, type } = value;
  return { urn: urnName(urn), id, name, type };
}

describe('LT2-190 resource references', () => {
  test.each([false, true])('reach the provider and the program (over the wire: %s)', async (overWire) => {
    const providers = new MockWorld({ pkgA: {} });
    const told: PropertyMap[] = [];
    const prior = await basicLifecycle({ providers, overWire, program: referring(told) }, 4);
    const stored = prior.resources.find(({ urn }) => urnName(urn) === 'resC')?.inputs;
    const [preview, made] = creates(providers);
    // References on the wire get name and type on their way.
    const named = (name: string, type: string) => (overWire ? { name, type } : {});
    expect(asReference(stored?.['resB'])).toMatchObject({ urn: 'resB', id: 'id-1' });
    for (const map of [made?.inputs, told[1]]) {
      expect(asReference(map?.['resA'])).toMatchObject({
        urn: 'resA',
        id: undefined,
        ...named('resA', 'my:i:Comp'),
      });
      expect(asReference(map?.['resB'])).toMatchObject({ urn: 'resB', id: 'id-1', ...named('resB', TYPE) });
    }
    for (const map of [preview?.inputs, told[0]])
      expect(asReference(map?.['resB'])).toMatchObject({ id: UNKNOWN });
  });
});

describe('LT2-192 an engine without references', () => {
  test.each([false, true])('gives ids and URNs (over the wire: %s)', async (overWire) => {
    const providers = new MockWorld({ pkgA: {} });
    const told: PropertyMap[] = [];
    const program = referring(told);
    const features: boolean[] = [];
    await basicLifecycle(
      {
        providers,
        overWire,
        withoutReferences: true,
        program: async (context) => {
          features.push(await context.monitor.supportsFeature('resourceReferences'));
          expect((await context.monitor.getDeploymentInfo()).features).not.toContain('resourceReferences');
          return program(context);
        },
      },
      4,
    );
    const urn = 'urn:pulumi:test::test::my:i:Comp::resA';
    const [preview, made] = creates(providers);
    for (const map of [made?.inputs, told[1]]) expect(map).toEqual(propertyMap({ resA: urn, resB: 'id-1' }));
    for (const map of [preview?.inputs, told[0]])
      expect(map).toEqual(propertyMap({ resA: urn, resB: UNKNOWN }));
    expect(features).not.toContain(true);
  });
});

test.each([false, true])(
  'a check gets outputs and inputs of the entry, as ids and URNs where references are not wanted: %s',
  async (withoutReferences) => {
    const providers = new MockWorld({ pkgA: {} });
    const { snapshot } = await runScenario({ providers, program: referring([]) });
    const before = providers.calls.length;
    const scenario = { providers, prior: snapshot, withoutReferences, overWire: true };
    expect((await runScenario({ ...scenario, program: referring([]) })).complaints).toEqual([]);
    const checks = providers.calls
      .slice(before)
      .filter(({ method, name }) => method === 'check' && name === 'resC');
    expect(checks).toHaveLength(1);
    const { olds, oldOutputs } = checks[0]?.request as CheckRequest;
    for (const map of [olds, oldOutputs]) {
      const value = map?.['resB'];
      if (withoutReferences) expect(value).toBe('id-1');
      else expect(asReference(value)).toMatchObject({ urn: 'resB', id: 'id-1' });
    }
  },
);

test.each([false, true])(
  'a check is told what each property depends on, where the provider takes that: %s [PROV-12]',
  async (acceptOutputsInCheck) => {
    const providers = new MockWorld({ pkgA: { behaviour: { capabilities: { acceptOutputsInCheck } } } });
    const { complaints } = await runScenario({
      providers,
      overWire: true,
      program: async ({ resource }) => {
        const { urn } = await resource(TYPE, 'resA', { v: 1 });
        const inputs = propertyMap({ of: new Secret('s'), own: 2 });
        await resource(TYPE, 'resB', inputs, { dependencies: [urn], propertyDependencies: { of: [urn] } });
      },
    });
    expect(complaints).toEqual([]);
    const checks = providers.calls.filter(({ method }) => method === 'check').map(({ request }) => request);
    const [first, second] = checks as CheckRequest[];
    expect(first?.newsWithOutputs).toBeUndefined();
    expect(second?.news).toEqual({ of: new Secret('s'), own: 2 });
    const urns = [expect.stringMatching(/::resA$/)];
    const expected = { of: new OutputValue('s', true, urns as never), own: 2 };
    expect(second?.newsWithOutputs).toEqual(acceptOutputsInCheck ? expected : undefined);
  },
);

describe('LT2-193 getResource', () => {
  test.each([false, true])('gives references whatever else (downlevel: %s)', async (withoutReferences) => {
    const seen: PropertyMap[] = [];
    await basicLifecycle(
      {
        providers: new MockWorld({ pkgA: {} }),
        withoutReferences,
        program: async ({ resource, monitor }) => {
          const child = await resource(TYPE, 'resChild');
          const id = child.id === '' ? UNKNOWN : child.id;
          const reference = new ResourceReference({ urn: child.urn, id });
          const container = await resource(TYPE, 'resContainer', { child: reference });
          const args = propertyMap({ urn: container.urn });
          const { result } = await monitor.invoke(
            invokeRequest({
              token: 'pulumi:pulumi:getResource',
              args,
              accepts: { secrets: true, resources: false, partialValues: true, resultReporting: true },
            }),
          );
          expect([getProperty(result, 'urn'), getProperty(result, 'id')]).toEqual([
            container.urn,
            container.id,
          ]);
          const state = getProperty(result, 'state');
          if (isMap(state)) seen.push(state);
        },
      },
      // The builtin package has a provider of its own.
      4,
    );
    const [, made] = seen;
    if (!withoutReferences)
      expect(asReference(made?.['child'])).toMatchObject({ urn: 'resChild', id: 'id-1' });
    expect(seen).toHaveLength(4);
  });
});

describe('environment variable mappings [PKG-5]', () => {
  const envVarMappings = { MY_VAR: 'PROVIDER_VAR', OTHER_VAR: 'TARGET_VAR' };
  const internal = (snapshot: Snapshot) =>
    snapshot.resources.find(({ type }) => type === 'pulumi:providers:pkgA')?.inputs['__internal'];

  test('LT2-184 LT2-186 they are stored with the provider, reach the loader, and go when they are not given', async () => {
    const providers = new MockWorld({ pkgA: {} });
    let prior: Snapshot = emptySnapshot;
    for (const [mappings, stored] of [
      [envVarMappings, propertyMap({ envVarMappings: propertyMap(envVarMappings) })],
      [{}, undefined],
    ] as const) {
      for (const preview of [true, false]) {
        const outcome = await runScenario({
          providers,
          prior,
          preview,
          overWire: true,
          program: async ({ provider }) =>
            void (await provider('pkgA', 'provA', {}, { envVarMappings: mappings })),
        });
        expect(outcome.complaints).toEqual([]);
        prior = outcome.snapshot;
      }
      expect(prior.resources).toHaveLength(2);
      expect(internal(prior)).toEqual(stored);
      expect(providers.instances.at(-1)?.spec.envVarMappings).toEqual(mappings);
    }
  });

  test('LT2-185 other resources cannot have them', async () => {
    for (const preview of [true, false]) {
      const { result, snapshot } = await runScenario({
        providers: new MockWorld({ pkgA: {} }),
        preview,
        program: async ({ resource }) =>
          void (await resource(TYPE, 'resA', {}, { envVarMappings: { MY_VAR: 'PROVIDER_VAR' } })),
      });
      expect(result.summary.result).toBe('failed');
      expect(result.diagnostics.map(({ summary }) => summary).join()).toContain(
        'envVarMappings can only be used with provider resources',
      );
      expect(snapshot.resources.map(({ type }) => type)).not.toContain(TYPE);
    }
  });
});
