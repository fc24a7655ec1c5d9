import { UNKNOWN, propertyMap, secret } from '@cairn/values';
import { MockWorld, diffAnswer, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Properties, Scenario } from '@cairn/testkit';

const one =
  (inputs: Properties): ProgramFunction =>
  async (p) => {
    await p.resource('pkgA:m:typA', 'a', inputs);
  };

const world = (behaviour: MockBehaviour = {}) => new MockWorld({ pkgA: { behaviour } });

/** Returns contract diagnostics as `severity summary: causes`. */
function contracts({ result }: Outcome): readonly string[] {
  return result.diagnostics
    .filter(({ code }) => code === 'CAIRN-PROVIDER-CONTRACT')
    .map(({ severity, summary, causes }) => `${severity} ${summary}: ${(causes ?? []).join('; ')}`);
}

/** Runs an up as the command line does: the preview first, whose claims the real run is checked against. */
async function previewAndUp(
  scenario: Scenario,
): Promise<{ readonly preview: Outcome; readonly up: Outcome }> {
  const preview = await runScenario({ ...scenario, preview: true });
  return { preview, up: await runScenario({ ...scenario, claims: preview.result.claims }) };
}

describe('what was shown as known is what is applied [PROV-18]', () => {
  const liar: MockBehaviour = {
    create: async ({ preview, inputs }, { standard }) =>
      preview
        ? {
            id: '',
            outputs: propertyMap({ ...inputs, arn: 'arn:shown', password: secret('p1'), late: UNKNOWN }),
            refreshBeforeUpdate: false,
          }
        : {
            ...(await standard()),
            outputs: propertyMap({ ...inputs, arn: 'arn:applied', password: secret('p2'), late: 'x' }),
          },
  };

  test('a value that differs is a warning with provider, resource, property and both values; secrets are masked', async () => {
    const { preview, up } = await previewAndUp({ providers: world(liar), program: one({ x: 1 }) });
    expect(contracts(preview)).toEqual([]);
    expect(contracts(up)).toEqual([
      'warning provider "pkgA" broke its contract for pkgA:m:typA "a": it showed values in the preview and applied others: ' +
        'arn: shown "arn:shown", applied "arn:applied"; password: shown [secret], applied [secret]',
    ]);
    expect(JSON.stringify(up.result.diagnostics)).not.toMatch(/p1|p2/);
    expect(up.result.summary.result).toBe('succeeded');
  });

  test('strict: the operation fails, after what was done is recorded, and nothing that needs it starts', async () => {
    const providers = world(liar);
    const { up } = await previewAndUp({
      providers,
      policy: { strictProviders: true },
      program: async (p) => {
        const a = await p.resource('pkgA:m:typA', 'a', { x: 1 });
        await p.resource('pkgA:m:typA', 'b', {}, { dependencies: [a.urn] });
      },
    });
    expect(contracts(up)).toEqual([expect.stringMatching(/^error provider "pkgA".*arn:applied/) as string]);
    expect(up.result.summary.result).toBe('failed');
    expect(up.names).toEqual(['test-test', 'default', 'a']);
    expect(up.snapshot.resources.at(-1)?.outputs).toMatchObject({ arn: 'arn:applied' });
    expect(providers.alive).toEqual(['a']);
  });

  test('an update is held to its preview, a replacement too', async () => {
    for (const changes of ['update', 'replace'] as const) {
      const outputsOf = (preview: boolean) => propertyMap({ size: preview ? 1 : 2 });
      const providers = world({
        diff: () => diffAnswer('some', { replaceKeys: changes === 'replace' ? ['x'] : [] }),
        create: async ({ preview }, { standard }) => ({ ...(await standard()), outputs: outputsOf(preview) }),
        update: ({ preview }) => ({ outputs: outputsOf(preview), refreshBeforeUpdate: false }),
      });
      const { snapshot } = await runScenario({ providers, program: one({ x: 1 }) });
      const { up } = await previewAndUp({ providers, prior: snapshot, program: one({ x: 2 }) });
      expect(contracts(up)).toEqual([expect.stringContaining('size: shown 1, applied 2') as string]);
    }
  });

  test('nothing is claimed by a provider that cannot preview, and nothing about other inputs', async () => {
    const silent = world({ ...liar, capabilities: { supportsPreview: false } });
    expect(contracts((await previewAndUp({ providers: silent, program: one({ arn: 'x' }) })).up)).toEqual([]);
    const moved: ProgramFunction = (p) => one({ x: p.dryRun ? 1 : 2 })(p);
    expect(contracts((await previewAndUp({ providers: world(liar), program: moved })).up)).toEqual([]);
    const filled: ProgramFunction = (p) => one({ x: p.dryRun ? UNKNOWN : 2 })(p);
    expect(contracts((await previewAndUp({ providers: world(liar), program: filled })).up)).toHaveLength(1);
  });

  test('claims are kept of what a preview would change, and of nothing else', async () => {
    const providers = world();
    const program: ProgramFunction = async (p) => {
      for (let at = 0; at < 20; at++) await p.resource('pkgA:m:typA', `r${at}`, { x: 1 });
    };
    const { snapshot } = await runScenario({ providers, program });
    const more: ProgramFunction = async (p) => {
      await program(p);
      await p.resource('pkgA:m:typA', 'new', { x: 1 });
    };
    const { result } = await runScenario({ providers, prior: snapshot, program: more, preview: true });
    expect([...(result.claims?.byUrn.keys() ?? [])]).toEqual([expect.stringMatching(/::new$/) as string]);
  });
});

test('a name that is made up from the seed is the one that was shown', async () => {
  const providers = world({
    check: ({ news, randomSeed }) => ({
      inputs: propertyMap({ ...news, name: Buffer.from(randomSeed ?? []).toString('hex') }),
      failures: [],
    }),
  });
  const { preview, up } = await previewAndUp({ providers, program: one({}) });
  const shown = preview.result.claims?.byUrn.values().next().value?.outputs;
  expect(shown?.['name']).toMatch(/^[0-9a-f]{64}$/);
  expect(up.snapshot.resources.at(-1)?.outputs).toEqual(shown);
  const other = await runScenario({ providers, program: one({}) });
  expect(other.snapshot.resources.at(-1)?.outputs).not.toEqual({});
});

describe('a check completes inputs and changes none [PROV-18]', () => {
  const upper: MockBehaviour = {
    check: ({ news }) => ({ inputs: propertyMap({ ...news, name: 'OTHER', added: true }), failures: [] }),
  };

  test.each([true, false])('a warning, once for each resource (preview: %s)', async (preview) => {
    const outcome = await runScenario({ providers: world(upper), preview, program: one({ name: 'mine' }) });
    expect(contracts(outcome)).toEqual([
      'warning provider "pkgA" broke its contract for pkgA:m:typA "a": its check changed inputs, but may only add to them: ' +
        'name: the program gives "mine", the check answered "OTHER"',
    ]);
  });

  test.each([true, false])('strict: nothing is touched (preview: %s)', async (preview) => {
    const providers = world(upper);
    const policy = { strictProviders: true };
    const outcome = await runScenario({ providers, preview, policy, program: one({ name: 'mine' }) });
    expect(contracts(outcome)).toHaveLength(1);
    expect(outcome.result.summary.result).toBe('failed');
    expect(providers.called('create')).toEqual([]);
  });
});

describe('a diff agrees with itself [PROV-15] [PROV-18]', () => {
  test('no changes with names of what differs; a replacement because of what is nowhere', async () => {
    const providers = world();
    const { snapshot } = await runScenario({ providers, program: one({ x: 1 }) });
    const after = (diff: ReturnType<typeof diffAnswer>, policy: Scenario['policy'] = {}) =>
      runScenario({
        providers: world({ diff: () => diff }),
        prior: snapshot,
        preview: true,
        policy,
        program: one({ x: 2 }),
      });
    expect(contracts(await after(diffAnswer('none', { replaceKeys: ['x'] })))).toEqual([
      expect.stringMatching(/no changes but names properties that differ: x: before 1, now 2$/) as string,
    ]);
    expect(contracts(await after(diffAnswer('some', { replaceKeys: ['y'] })))).toEqual([
      expect.stringMatching(/y: neither an input nor an output of the resource$/) as string,
    ]);
    const strict = await after(diffAnswer('none', { changedKeys: ['x'] }), { strictProviders: true });
    expect(strict.result.summary.result).toBe('failed');
  });

  test('an update that was announced does not become a replacement', async () => {
    let replaces = false;
    const providers = world({ diff: () => diffAnswer('some', { replaceKeys: replaces ? ['x'] : [] }) });
    const { snapshot } = await runScenario({ providers, program: one({ x: 1 }) });
    const scenario: Scenario = {
      providers,
      prior: snapshot,
      program: one({ x: 2 }),
      policy: { strictProviders: true },
    };
    const { result } = await runScenario({ ...scenario, preview: true });
    replaces = true;
    const up = await runScenario({ ...scenario, claims: result.claims });
    expect(contracts(up)).toEqual([
      expect.stringContaining('announced an update and now asks for a replacement') as string,
    ]);
    expect(up.steps).toEqual([]);
  });

  test('an output declared stable stays through an update', async () => {
    const providers = world({
      diff: () => diffAnswer('some', { stableKeys: ['arn'] }),
      create: async (_request, { standard }) => ({
        ...(await standard()),
        outputs: propertyMap({ arn: 'one' }),
      }),
      update: () => ({ outputs: propertyMap({ arn: 'two' }), refreshBeforeUpdate: false }),
    });
    const { snapshot } = await runScenario({ providers, program: one({ x: 1 }) });
    const up = await runScenario({ providers, prior: snapshot, program: one({ x: 2 }) });
    expect(contracts(up)).toEqual([expect.stringContaining('arn: was "one", is "two"') as string]);
  });

  test('the diff of a refresh is judged as well', async () => {
    const { snapshot } = await runScenario({ providers: world(), program: one({ x: 1 }) });
    const providers = world({
      read: ({ id, inputs }) => ({ id, inputs, outputs: propertyMap({ x: 1 }), refreshBeforeUpdate: false }),
      diff: () => diffAnswer('none', { changedKeys: ['x'] }),
    });
    const run = (strictProviders: boolean) =>
      runScenario({ kind: 'refresh', providers, prior: snapshot, policy: { strictProviders } });
    expect(contracts(await run(false))).toHaveLength(1);
    expect((await run(true)).result.summary.result).toBe('failed');
  });
});

test('a provider that keeps its word is never named', async () => {
  const providers = world();
  const program: ProgramFunction = async (p) => {
    const a = await p.resource('pkgA:m:typA', 'a', { x: secret('s'), list: [1, { deep: null }] });
    await p.resource('pkgA:m:typA', 'b', { from: p.dryRun ? UNKNOWN : a.id });
  };
  const first = await previewAndUp({ providers, program });
  const second = await previewAndUp({ providers, program, prior: first.up.snapshot });
  const refresh = await runScenario({ kind: 'refresh', providers, prior: second.up.snapshot });
  for (const outcome of [first.preview, first.up, second.preview, second.up, refresh]) {
    expect(outcome.complaints).toEqual([]);
  }
});
