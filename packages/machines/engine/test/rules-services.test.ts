import { makeUrn, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { ResourceReference, UNKNOWN, getProperty, propertyMap, secret } from '@cairn/values';
import { messageOf } from '@cairn/diagnostics';
import { MockWorld, importItem, invokeRequest, noSelector, runScenario } from '@cairn/testkit';
import type { Outcome, ProgramFunction, Scenario } from '@cairn/testkit';

/** Detailed rules of the services that the engine itself provides [INV-1] [PKG-1] [PROV-8] [VAL-10] [PRG-6]. */

const TYPE = 'pkgA:m:typA';
const STASH = 'pulumi:index:Stash';
const urn = (name: string) =>
  makeUrn({ project: 'test', stack: 'test', type: TYPE, name, parent: undefined });

class Stack {
  readonly providers = new MockWorld({ pkgA: {} });
  snapshot: Snapshot = emptySnapshot;

  async run(program: ProgramFunction, rest: Partial<Scenario> = {}): Promise<Outcome> {
    const outcome = await runScenario({ ...rest, program, providers: this.providers, prior: this.snapshot });
    if (rest.preview !== true) this.snapshot = outcome.snapshot;
    return outcome;
  }

  entry(name: string) {
    return this.snapshot.resources.find((each) => urnName(each.urn) === name);
  }
}

const errors = ({ complaints }: Outcome) => complaints.filter((line) => line.startsWith('error '));

describe('stash [PROV-8]', () => {
  const stashes =
    (inputs: Parameters<Parameters<ProgramFunction>[0]['resource']>[2]): ProgramFunction =>
    async ({ resource }) =>
      void (await resource(STASH, 'stash', inputs));

  test('it takes an input, and nothing else', async () => {
    for (const inputs of [{}, { input: 1, other: 2 }, { output: 1 }]) {
      const stack = new Stack();
      const outcome = await stack.run(stashes(inputs));
      expect(outcome.result.summary.result).toBe('failed');
      expect(errors(outcome).length).toBeGreaterThan(0);
      expect(stack.entry('stash')).toBeUndefined();
    }
  });

  test('what is not known yet is stashed by the update; null and secrets are values', async () => {
    const stack = new Stack();
    expect(errors(await stack.run(stashes({ input: UNKNOWN }), { preview: true }))).toEqual([]);
    expect(errors(await stack.run(stashes({ input: secret('s') })))).toEqual([]);
    expect(stack.entry('stash')?.outputs).toEqual({ input: secret('s'), output: secret('s') });
    expect(stack.entry('stash')?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    const program = stashes({ input: null });
    expect((await stack.run(program, { preview: true })).steps).toEqual(['update stash']);
    expect(errors(await stack.run(program))).toEqual([]);
    expect(stack.entry('stash')?.outputs).toEqual({ input: null, output: secret('s') });
    expect(errors(await stack.run(async () => {}, { kind: 'refresh' }))).toEqual([]);
    expect(stack.entry('stash')?.outputs).toEqual({ input: null, output: secret('s') });
    const urns = [stack.entry('stash')?.urn ?? ''];
    expect(errors(await stack.run(stashes({ input: 3 }), { scope: { replace: urns } }))).toEqual([]);
    expect(stack.entry('stash')?.outputs).toEqual({ input: 3, output: 3 });
    expect(errors(await stack.run(async () => {}, { kind: 'destroy' }))).toEqual([]);
    expect(stack.snapshot.resources).toEqual([]);
  });

  test('the import command is refused as well', async () => {
    const stack = new Stack();
    const outcome = await stack.run(async () => {}, {
      kind: 'import',
      imports: [importItem({ type: STASH, name: 'stash', id: 'x' })],
    });
    expect(errors(outcome).join()).toContain('stash can not be imported');
  });
});

describe('getResource [VAL-10]', () => {
  test('it finds what this run registered or read, and nothing else', async () => {
    const stack = new Stack();
    const seen: string[] = [];
    const ask =
      (first: boolean): ProgramFunction =>
      async ({ resource, component, read, monitor }) => {
        const get = (of: string) =>
          monitor
            .invoke(invokeRequest({ token: 'pulumi:pulumi:getResource', args: propertyMap({ urn: of }) }))
            .then(
              ({ result }) => result,
              (error: unknown) => void seen.push(messageOf(error)),
            );
        const { urn: comp } = await component('my:index:Comp', 'comp');
        const answer = await get(comp);
        expect(answer).toMatchObject({ urn: comp, id: '' });
        await get(urn('resA'));
        if (!first) return;
        const { id } = await resource(TYPE, 'resA', { v: new ResourceReference({ urn: comp as Urn }) });
        const found = await get(urn('resA'));
        expect([getProperty(found ?? {}, 'urn'), getProperty(found ?? {}, 'id')]).toEqual([urn('resA'), id]);
        expect(getProperty(found ?? {}, 'provider')).toContain('pulumi:providers:pkgA::default');
        expect(JSON.stringify(getProperty(found ?? {}, 'state'))).toContain(comp);
        await read(TYPE, 'resR', id);
        expect(await get(urn('resR'))).toMatchObject({ urn: urn('resR'), id });
      };
    expect(errors(await stack.run(ask(true)))).toEqual([]);
    await stack.run(ask(false));
    expect(seen).toEqual([
      expect.stringContaining(`unknown resource ${urn('resA')}`),
      expect.stringContaining(`unknown resource ${urn('resA')}`),
    ]);
  });
});

describe('packages [PKG-1]', () => {
  test('no empty names, no references that nobody gave out [PKG-1]', async () => {
    const stack = new Stack();
    const told: string[] = [];
    const note = (error: unknown) => void told.push(messageOf(error));
    const selector = { ...noSelector, packageRef: 'made-up' };
    await stack.run(async ({ resource, read, monitor, provider }) => {
      const pkg = { version: '1.0.0', downloadUrl: '', checksums: {}, parameterization: undefined };
      await monitor.registerPackage({ ...pkg, name: '' }).catch(note);
      const refs = await Promise.all([1, 2, 3].map(() => monitor.registerPackage({ ...pkg, name: 'pkgA' })));
      expect(new Set(refs.map(({ ref }) => ref)).size).toBe(1);
      await monitor.invoke(invokeRequest({ token: 'pkgA:m:f', package: selector })).catch(note);
      await read(TYPE, 'resR', 'id', { package: selector }).catch(note);
      await provider('pkgA', 'prov', {}, { package: selector }).catch(note);
      await resource(TYPE, 'resA', {}, { package: selector }).catch(note);
    });
    expect(told).toHaveLength(5);
    expect(told.slice(1).every((text) => text.includes("unknown provider package 'made-up'"))).toBe(true);
  });
});

describe('the end of the program [PRG-6]', () => {
  test('it waits once [PRG-6]', async () => {
    const stack = new Stack();
    let told = '';
    const outcome = await stack.run(
      async ({ resource, monitor }) => {
        await resource(TYPE, 'resA');
        const first = monitor.signalAndWaitForShutdown();
        await monitor.signalAndWaitForShutdown().catch((error: unknown) => (told = messageOf(error)));
        await first;
      },
      { waitsForEnd: false },
    );
    expect(told).toContain('Already waiting for shutdown');
    expect(stack.entry('resA')).toBeDefined();
    expect(outcome.steps).toContain('create resA');
  });

  test('what it throws after the wait is the result [PRG-6]', async () => {
    const stack = new Stack();
    const outcome = await stack.run(
      async ({ resource, monitor }) => {
        await resource(TYPE, 'resA');
        await monitor.signalAndWaitForShutdown();
        throw new Error('too late');
      },
      { waitsForEnd: false },
    );
    expect(outcome.result.summary.result).toBe('failed');
    expect(errors(outcome).join()).toContain('too late');
    expect(stack.entry('resA')).toBeDefined();
  });
});
