import { urnName } from '@cairn/addresses';
import type { SettledDigests } from '@cairn/engine';
import { withEntry } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import type { AliasRequest, RegisterResourceRequest, TypeExtras } from '@cairn/wire';
import { MockPack, MockWorld, diffAnswer, noSelector, remediation, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Scenario } from '@cairn/testkit';

/** Checks and diffs that the state answers, in whole operations whose calls are counted [DIFF-14]. */

const key = Buffer.alloc(32, 3);

const behaviour = (extras: TypeExtras): MockBehaviour => ({
  extras: { types: { '*': extras } },
  check: ({ news, olds }) => ({
    inputs: propertyMap({ name: olds?.['name'] ?? 'made', ...news }),
    failures: [],
  }),
  diff: ({ oldInputs, news, ignoreChanges }) => {
    const changed = ['size', 'place'].filter(
      (name) => oldInputs[name] !== news[name] && !ignoreChanges.includes(name),
    );
    return diffAnswer(changed.length > 0 ? 'some' : 'none', {
      changedKeys: changed,
      replaceKeys: changed.filter((name) => name === 'place'),
    });
  },
});

const pure: TypeExtras = { compares: 'arguments' };

function makeWorld(extras: TypeExtras = pure, versions = ['1.0.0', '1.1.0']): MockWorld {
  return new MockWorld({
    cloud: versions.map((version) => ({ version, behaviour: behaviour(extras) })),
  });
}

/** Parts of the program that the cases change. */
interface Written {
  readonly size?: number;
  readonly place?: number;
  readonly setting?: string;
  readonly version?: string;
  /** Names of the server and of the provider. Each keeps its former name as an alias. */
  readonly name?: string;
  readonly owner?: string;
  readonly options?: Partial<RegisterResourceRequest>;
}

const formerly = (name: string): AliasRequest => ({
  ...{ kind: 'spec', name, type: '', stack: '', project: '' },
  parent: { kind: 'same' },
});

/** A server with an explicit provider, and a disk that needs it. */
const program =
  ({ size = 1, place = 1, setting = 'a', version = '1.0.0', ...rest }: Written = {}): ProgramFunction =>
  async ({ provider, resource }) => {
    const { name = 'server', owner = 'own', options } = rest;
    const reference = await provider(
      'cloud',
      owner,
      { setting },
      { package: { ...noSelector, version }, aliases: [formerly('own')] },
    );
    const server = await resource(
      'cloud:index:Server',
      name,
      { size, place },
      { provider: reference, aliases: [formerly('server')], ...options },
    );
    await resource(
      'cloud:index:Disk',
      'disk',
      { size: 1, server: server.id },
      {
        provider: reference,
        dependencies: [server.urn],
        propertyDependencies: { server: [server.urn] },
      },
    );
  };

interface Start {
  readonly world: MockWorld;
  readonly first: Outcome;
  readonly known: SettledDigests;
}

async function start(world = makeWorld(), written: Written = {}): Promise<Start> {
  const request = { digests: { key, known: new Set<string>() } };
  const first = await runScenario({ providers: world, program: program(written), request });
  expect(first.complaints).toEqual([]);
  return { world, first, known: first.result.digests ?? new Set() };
}

/** Runs another operation. Returns its outcome, and the checks and diffs of resources that it needed. */
async function again(
  { world, first, known }: Start,
  written: Written = {},
  more: Partial<Scenario> = {},
): Promise<{ readonly outcome: Outcome; readonly asked: readonly string[] }> {
  const before = world.calls.length;
  const outcome = await runScenario({
    ...{ providers: world, prior: first.snapshot, program: program(written) },
    request: { digests: { key, known } },
    ...more,
  });
  const asked = world.calls
    .slice(before)
    .filter(({ method }) => method === 'check' || method === 'diff')
    .map(({ method, name }) => `${method} ${name}`);
  return { outcome, asked };
}

/** Changes an entry of a snapshot, as `state edit` does. */
function edited({ snapshot }: Outcome, name: string, change: Partial<ResourceEntry>): Snapshot {
  return {
    ...snapshot,
    resources: snapshot.resources.map((entry) =>
      urnName(entry.urn) === name ? withEntry(entry, change) : entry,
    ),
  };
}

const ALL = ['check server', 'diff server', 'check disk', 'diff disk'];
const SERVER = ['check server', 'diff server'];
const DISK = ['check disk', 'diff disk'];

describe('another operation asks about', () => {
  const rows: [string, Written, (start: Start) => Partial<Scenario>, readonly string[], readonly string[]][] =
    [
      ['nothing, without changes', {}, () => ({}), [], []],
      ['nothing, in a preview', {}, () => ({ preview: true }), [], []],
      ['nothing that has another option only', { options: { protect: true } }, () => ({}), [], []],
      ['a resource with another input', { size: 2 }, () => ({}), SERVER, ['update server']],
      [
        'what is replaced, and what needs it',
        { place: 2 },
        () => ({}),
        ['check server', 'diff server', 'check server', ...DISK],
        ['create-replacement server', 'delete-replaced server', 'replace server'],
      ],
      [
        'the same where the old object goes first',
        { place: 2, options: { deleteBeforeReplace: true } },
        () => ({}),
        ['check server', 'diff server', 'check server', 'diff disk', ...DISK],
        ['create-replacement server', 'delete-replaced server', 'replace server'],
      ],
      [
        'a resource with another name',
        { name: 'host' },
        () => ({}),
        ['check host', 'diff host', ...DISK],
        [],
      ],
      ['what has a provider with another name', { owner: 'mine' }, () => ({}), [], []],
      ['all, of a provider with another version', { version: '1.1.0' }, () => ({}), ALL, []],
      ['all, of a provider with another configuration', { setting: 'b' }, () => ({}), ALL, []],
      ['all, with --no-digests', {}, () => ({ request: {} }), ALL, []],
      [
        'all, with --refresh',
        {},
        () => ({ scope: { refresh: true } }),
        [...ALL, 'diff server', 'diff disk'],
        [],
      ],
      [
        'all, with another key',
        {},
        ({ known }) => ({ request: { digests: { key: Buffer.alloc(32), known } } }),
        ALL,
        [],
      ],
      [
        'an entry whose outputs were edited',
        {},
        ({ first }) => ({ prior: edited(first, 'server', { outputs: propertyMap({ size: 9 }) }) }),
        SERVER,
        [],
      ],
      [
        'an entry whose inputs were edited',
        {},
        ({ first }) => ({
          prior: edited(first, 'server', { inputs: propertyMap({ size: 9, place: 1, name: 'made' }) }),
        }),
        SERVER,
        ['update server'],
      ],
      [
        'an entry whose id was edited',
        {},
        ({ first }) => ({ prior: edited(first, 'disk', { id: 'other' }) }),
        DISK,
        [],
      ],
      [
        'an entry that waits for its new object',
        {},
        ({ first }) => ({ prior: edited(first, 'disk', { pendingReplacement: true }) }),
        ['check disk'],
        ['create-replacement disk', 'replace disk'],
      ],
      [
        'an entry that is tainted',
        {},
        ({ first }) => ({ prior: edited(first, 'disk', { taint: true }) }),
        ['check disk'],
        ['create-replacement disk', 'delete-replaced disk', 'replace disk'],
      ],
      [
        'nothing, but repairs what is not ready',
        {},
        ({ first }) => ({ prior: edited(first, 'disk', { initErrors: ['not ready'] }) }),
        [],
        ['update disk'],
      ],
      [
        'a resource that is to be replaced',
        {},
        () => ({ scope: { replace: ['**::disk'] } }),
        ['check disk'],
        ['create-replacement disk', 'delete-replaced disk', 'replace disk'],
      ],
    ];
  test.each(rows)('%s', async (_title, written, more, expected, steps) => {
    const begun = await start();
    const { asked, outcome } = await again(begun, written, more(begun));
    expect(outcome.complaints).toEqual([]);
    expect([...asked].sort()).toEqual([...expected].sort());
    expect(
      outcome.steps.filter((step) => !step.startsWith('same ') && !step.startsWith('refresh ')).sort(),
    ).toEqual([...steps].sort());
  });

  test('all, of a provider that promises nothing', async () => {
    const begun = await start(makeWorld({}));
    expect(begun.known.size).toBe(0);
    expect((await again(begun)).asked).toEqual(ALL);
  });

  test('all, of a provider without a version', async () => {
    const begun = await start(makeWorld(pure, ['']), { version: '' });
    expect((await again(begun, { version: '' })).asked).toEqual(ALL);
  });

  test('a resource with ignored properties after it has been the same once', async () => {
    const options = { ignoreChanges: ['size'] };
    const begun = await start(makeWorld(), { options });
    const second = await again(begun, { size: 2, options });
    expect(second.asked).toEqual(SERVER);
    const known = second.outcome.result.digests ?? new Set<string>();
    expect((await again({ ...begun, known }, { size: 2, options })).asked).toEqual([]);
    expect((await again({ ...begun, known }, { size: 2 })).asked).toEqual(SERVER);
  });

  test('a resource with replaceOnChanges only when it changes', async () => {
    const options = { replaceOnChanges: ['size'] };
    const begun = await start(makeWorld(), { options });
    expect((await again(begun, { options })).asked).toEqual([]);
    const { outcome } = await again(begun, { size: 2, options });
    expect(outcome.steps).toContain('replace server');
  });
});

describe('policy packs', () => {
  test('see the inputs that the provider has checked', async () => {
    const begun = await start();
    const pack = new MockPack();
    expect((await again(begun, {}, { packs: [pack] })).asked).toEqual([]);
    const server = pack.analyzed.find(({ name }) => name === 'server');
    expect(server?.properties).toEqual(propertyMap({ name: 'made', size: 1, place: 1 }));
  });

  test('make the provider compare what they correct', async () => {
    const begun = await start();
    const pack = new MockPack({
      policies: [{ name: 'grow', enforcementLevel: 'remediate' }],
      remediate: ({ name, properties }) =>
        name === 'server'
          ? { remediations: [remediation({ policyName: 'grow', properties: { ...properties, size: 2 } })] }
          : {},
    });
    const { asked, outcome } = await again(begun, {}, { packs: [pack] });
    expect(asked).toEqual(['diff server']);
    expect(outcome.steps).toContain('update server');
    // The corrected inputs are not those of a check.
    expect(outcome.result.digests?.size).toBe(1);
  });
});

describe('the digests of an operation', () => {
  test('are none where nothing is new', async () => {
    const begun = await start();
    expect(begun.known.size).toBe(2);
    expect((await again(begun)).outcome.result.digests).toBeUndefined();
  });

  test('are those of the resources that it has, if it has registered all', async () => {
    const begun = await start();
    const { outcome } = await again(begun, { size: 2 });
    expect(outcome.result.digests?.size).toBe(2);
    const left = await again(begun, {}, { program: async () => {} });
    expect(left.outcome.result.digests?.size).toBe(0);
  });

  test('keep the earlier ones where it was limited', async () => {
    const begun = await start();
    const { outcome } = await again(begun, { size: 2 }, { scope: { targets: ['**::server'] } });
    expect(outcome.result.digests?.size).toBe(3);
  });

  test('keep the earlier ones where it fails', async () => {
    const begun = await start();
    const failing: ProgramFunction = async (context) => {
      await program({ size: 2 })(context);
      throw new Error('the program fails');
    };
    const { outcome } = await again(begun, {}, { program: failing });
    expect(outcome.result.summary.result).toBe('failed');
    expect(outcome.result.digests?.size).toBe(3);
  });

  test('of a preview serve the run after it', async () => {
    const { world, first } = await start();
    const blank: Start = { world, first, known: new Set() };
    const preview = await again(blank, {}, { preview: true });
    expect(preview.asked).toEqual(ALL);
    expect((await again({ ...blank, known: preview.outcome.result.digests ?? new Set() })).asked).toEqual([]);
  });

  test('of a preview have nothing about what it would change', async () => {
    const begun = await start();
    const preview = await again(begun, { size: 2 }, { preview: true });
    expect(preview.outcome.result.digests).toBeUndefined();
  });
});
