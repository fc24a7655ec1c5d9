import fc from 'fast-check';
import { failureOf } from '../../test/failure-of.js';
import { checkIntegrity } from '../document/integrity.js';
import type { SerializedJournalEntry } from './journal-codec.js';
import { Replayer } from './replayer.js';
import { emptyDeployment, noManifest } from '../document/serialized.js';
import type {
  SerializedDeployment,
  SerializedOperation,
  SerializedResource,
} from '../document/serialized.js';

const urn = (name: string): string => `urn:pulumi:dev::p::a:b:C::${name}`;
const resource = (name: string, more: Partial<SerializedResource> = {}): SerializedResource => ({
  urn: urn(name),
  custom: true,
  id: name,
  type: 'a:b:C',
  ...more,
});
const operation = (name: string, type: SerializedOperation['type'] = 'creating'): SerializedOperation => ({
  resource: resource(name),
  type,
});

type Entry = Omit<SerializedJournalEntry, 'sequenceId'> & { readonly sequenceId?: number };

function replay(base: Partial<SerializedDeployment>, entries: readonly Entry[]): SerializedDeployment {
  const replayer = new Replayer({ ...emptyDeployment, ...base }, 'j');
  entries.forEach((entry, index) => replayer.add({ sequenceId: index + 1, ...entry }));
  return replayer.generate(noManifest);
}

const success = (operationId: number, more: Partial<Entry> = {}): Entry => ({
  kind: 'success',
  operationId,
  ...more,
});
const begin = (operationId: number, begun?: SerializedOperation): Entry => ({
  kind: 'begin',
  operationId,
  operation: begun,
});

interface Row {
  readonly title: string;
  readonly base?: readonly SerializedResource[];
  readonly entries: readonly Entry[];
  /** Resources by id, with marks after a `!`. */
  readonly result: readonly string[];
}

const show = ({ resources }: SerializedDeployment): readonly string[] =>
  resources.map(
    (item) =>
      `${item.id}${item.delete === true ? '!delete' : ''}${item.pendingReplacement === true ? '!pending' : ''}`,
  );

const base = [resource('x'), resource('y'), resource('z')];
const rows: readonly Row[] = [
  { title: 'nothing', base, entries: [], result: ['x', 'y', 'z'] },
  {
    title: 'new ones come first, in order of completion',
    base,
    entries: [begin(1), begin(2), success(2, { state: resource('b') }), success(1, { state: resource('a') })],
    result: ['b', 'a', 'x', 'y', 'z'],
  },
  {
    title: 'removeOld 0 is set',
    base,
    entries: [success(1, { state: resource('x2'), removeOld: 0 })],
    result: ['x2', 'y', 'z'],
  },
  { title: 'a delete', base, entries: [success(1, { removeOld: 1 })], result: ['x', 'z'] },
  {
    title: 'removeNew names an operation',
    base: [],
    entries: [
      success(7, { state: resource('a') }),
      success(8, { state: resource('b') }),
      success(9, { removeNew: 7 }),
    ],
    result: ['b'],
  },
  {
    title: 'deleteOld marks',
    base,
    entries: [success(1, { state: resource('x2'), deleteOld: 0 })],
    result: ['x2', 'x!delete', 'y', 'z'],
  },
  {
    title: 'deleteNew marks at once',
    base: [],
    entries: [success(1, { state: resource('a') }), success(2, { state: resource('b'), deleteNew: 1 })],
    result: ['a!delete', 'b'],
  },
  {
    title: 'pendingReplacementOld',
    base,
    entries: [success(1, { pendingReplacementOld: 2 })],
    result: ['x', 'y', 'z!pending'],
  },
  {
    title: 'pendingReplacementNew',
    base: [],
    entries: [success(1, { state: resource('a') }), success(2, { pendingReplacementNew: 1 })],
    result: ['a!pending'],
  },
  {
    title: 'both marks',
    base,
    entries: [success(1, { pendingReplacementOld: 0, deleteOld: 0 })],
    result: ['x!delete!pending', 'y', 'z'],
  },
  {
    title: 'removal beats a mark and a replacement',
    base,
    entries: [
      success(1, { deleteOld: 0 }),
      { kind: 'outputs', operationId: 2, state: resource('x9'), removeOld: 0 },
      success(3, { removeOld: 0 }),
    ],
    result: ['y', 'z'],
  },
  {
    title: 'a replacing state loses marks',
    base,
    entries: [
      success(1, { deleteOld: 0 }),
      { kind: 'outputs', operationId: 2, state: resource('x9'), removeOld: 0 },
    ],
    result: ['x9', 'y', 'z'],
  },
  {
    title: 'references of a begin are not used',
    base,
    entries: [{ ...begin(1), deleteOld: 0, removeOld: 1 }],
    result: ['x', 'y', 'z'],
  },
  {
    title: 'a failure changes nothing, whatever it carries',
    base,
    entries: [begin(1), { kind: 'failure', operationId: 1, state: resource('a'), removeOld: 0 }],
    result: ['x', 'y', 'z'],
  },
  { title: 'a success without state adds nothing', base, entries: [success(1)], result: ['x', 'y', 'z'] },
  {
    title: 'outputs replace a new one in place',
    base,
    entries: [
      success(1, { state: resource('a') }),
      success(2, { state: resource('b') }),
      { kind: 'outputs', operationId: 3, state: resource('a2'), removeNew: 1 },
    ],
    result: ['a2', 'b', 'x', 'y', 'z'],
  },
  {
    title: 'outputs replace an old one in place',
    base,
    entries: [{ kind: 'outputs', operationId: 3, state: resource('y2'), removeOld: 1 }],
    result: ['x', 'y2', 'z'],
  },
  {
    title: 'outputs without state do nothing',
    base,
    entries: [{ kind: 'outputs', operationId: 3, removeOld: 1 }],
    result: ['x', 'y', 'z'],
  },
  {
    title: 'refresh: replaced in place',
    base,
    entries: [{ kind: 'refresh-success', operationId: 1, state: resource('y2'), removeOld: 1 }],
    result: ['x', 'y2', 'z'],
  },
  {
    title: 'refresh: gone',
    base,
    entries: [{ kind: 'refresh-success', operationId: 1, removeOld: 1 }],
    result: ['x', 'z'],
  },
  {
    title: 'refresh of a new one: replaced or gone',
    base: [],
    entries: [
      success(1, { state: resource('a') }),
      success(2, { state: resource('b') }),
      { kind: 'refresh-success', operationId: 3, removeNew: 1, state: resource('a2') },
      { kind: 'refresh-success', operationId: 4, removeNew: 2 },
    ],
    result: ['a2'],
  },
  {
    title: 'write replaces the base',
    base,
    entries: [
      { kind: 'write', operationId: 0, newSnapshot: { ...emptyDeployment, resources: [resource('w')] } },
      success(1, { removeOld: 0 }),
    ],
    result: [],
  },
  {
    title: 'rebuilt base: old references start over, and so do operations',
    base,
    entries: [
      success(1, { state: resource('a'), removeOld: 0 }),
      { kind: 'rebuilt-base-state', operationId: 0 },
      success(1, { state: resource('b') }),
      success(2, { removeOld: 0 }),
      success(3, { removeNew: 1 }),
    ],
    result: ['y', 'z'],
  },
];

test.each(rows)('$title', ({ base: from = [], entries, result }) => {
  expect(show(replay({ resources: from }, entries))).toEqual(result);
});

test.each<[string, readonly Entry[]]>([
  ['removeNew of an operation never seen', [success(1, { removeNew: 5 })]],
  ['deleteNew of an operation that added nothing', [success(1), success(2, { deleteNew: 1 })]],
  [
    'outputs of an operation never seen',
    [{ kind: 'outputs', operationId: 1, state: resource('a'), removeNew: 3 }],
  ],
  ['removeOld beyond the base', [success(1, { removeOld: 3 })]],
  ['deleteOld beyond the base', [success(1, { deleteOld: 9 })]],
  ['a write without snapshot', [{ kind: 'write', operationId: 0 }]],
  ['a secrets manager entry without one', [{ kind: 'secrets-manager', operationId: 0 }]],
  ['an extension without reference', [{ kind: 'extension-parameterize', operationId: 0 }]],
])('%s is a corrupt journal', (_title, entries) => {
  expect(failureOf(() => replay({ resources: base }, entries)).code).toBe('CAIRN-JOURNAL-CORRUPT');
});

describe('pending operations', () => {
  const types = (deployment: SerializedDeployment): readonly string[] =>
    deployment.pendingOperations.map((item) => `${item.type} ${item.resource.id}`);

  test('begun and not ended, by sequence id, then creating ones of the base', () => {
    const entries = [
      begin(1, operation('a')),
      begin(2),
      { ...begin(3, operation('c', 'deleting')), sequenceId: 9 },
      { ...begin(4, operation('d', 'updating')), sequenceId: 8 },
      success(1, { state: resource('a') }),
    ];
    const pendingOperations = [operation('p', 'updating'), operation('q'), operation('r', 'importing')];
    expect(types(replay({ pendingOperations }, entries))).toEqual(['updating d', 'deleting c', 'creating q']);
  });

  test.each<SerializedJournalEntry['kind']>(['success', 'failure', 'refresh-success'])(
    '%s ends a begin',
    (kind) => {
      expect(types(replay({}, [begin(1, operation('a')), { kind, operationId: 1 }]))).toEqual([]);
    },
  );

  test('outputs do not', () => {
    expect(types(replay({}, [begin(1, operation('a')), { kind: 'outputs', operationId: 1 }]))).toEqual([
      'creating a',
    ]);
  });

  test('a rebuilt base keeps creating ones', () => {
    expect(
      types(
        replay({}, [
          begin(1, operation('a')),
          begin(2, operation('b', 'updating')),
          { kind: 'rebuilt-base-state', operationId: 0 },
        ]),
      ),
    ).toEqual(['creating a']);
  });
});

describe('after a refresh', () => {
  const gone: Entry = { kind: 'refresh-success', operationId: 1, removeOld: 0 };
  const dependent = resource('d', {
    parent: urn('x'),
    dependencies: [urn('x'), urn('y')],
    propertyDependencies: { a: [urn('x')], b: [urn('x'), urn('y')], c: null },
    deletedWith: urn('x'),
    replaceWith: [urn('x')],
  });

  test('references to what is gone go; keys without any disappear', () => {
    const { resources } = replay({ resources: [resource('x'), resource('y'), dependent] }, [gone]);
    expect(resources[1]).toEqual(
      resource('d', { dependencies: [urn('y')], propertyDependencies: { b: [urn('y')] } }),
    );
  });

  test('only what stands earlier counts, but a parent may stand anywhere', () => {
    const early = resource('e', { dependencies: [urn('y')], parent: urn('y') });
    const { resources } = replay({ resources: [resource('x'), early, resource('y')] }, [gone]);
    expect(resources[0]).toEqual(resource('e', { parent: urn('y') }));
  });

  test('a success with isRefresh is one too; without a refresh nothing is touched', () => {
    const from = { resources: [resource('x'), dependent] };
    expect(
      replay(from, [success(1, { removeOld: 0, isRefresh: true })]).resources[0]?.dependencies,
    ).toBeUndefined();
    expect(replay(from, [success(1, { removeOld: 0 })]).resources[0]).toBe(dependent);
  });

  test('what is registered after the base was rebuilt is stored as it was registered', () => {
    const registered = resource('n', { propertyDependencies: { a: [], b: [urn('y')] } });
    const { resources } = replay({ resources: [resource('x'), resource('y'), dependent] }, [
      gone,
      { kind: 'rebuilt-base-state', operationId: 0 },
      success(2, { state: registered }),
    ]);
    expect(resources.map(({ id, propertyDependencies }) => [id, propertyDependencies])).toEqual([
      ['n', { a: [], b: [urn('y')] }],
      ['y', undefined],
      ['d', { b: [urn('y')] }],
    ]);
  });
});

test('secrets manager: the same one again keeps the exact text, another one replaces it', () => {
  const stored = { type: 'cloud', state: '{"url":"a\\u0026b"}' };
  const entry = (state: string): Entry => ({
    kind: 'secrets-manager',
    operationId: 0,
    secretsProvider: { type: 'cloud', state },
  });
  expect(replay({ secretsProvider: stored }, [entry('{"url":"a&b"}')]).secretsProvider).toBe(stored);
  expect(replay({ secretsProvider: stored }, [entry('{"url":"c"}')]).secretsProvider?.state).toBe(
    '{"url":"c"}',
  );
  expect(replay({}, [entry('{"url":"c"}')]).secretsProvider?.state).toBe('{"url":"c"}');
});

test('extensions: those of the base win; snippets: the list replaces; an absent one clears', () => {
  const snippet = { uuid: 'u', name: '', type: '', code: '', descriptor: {} };
  const result = replay({ extensions: { a: 1 }, snippets: [snippet] }, [
    { kind: 'extension-parameterize', operationId: 1, extensionRef: 'a', extension: 2 },
    { kind: 'extension-parameterize', operationId: 2, extensionRef: 'b', extension: 3 },
    { kind: 'snippets', operationId: 0 },
  ]);
  expect(result.extensions).toEqual({ a: 1, b: 3 });
  expect(result.snippets).toEqual([]);
});

test('any text may be the reference of an extension', () => {
  const entry = {
    kind: 'extension-parameterize',
    operationId: 1,
    extensionRef: '__proto__',
    extension: { a: 1 },
  } as const;
  expect(Object.entries(replay({}, [entry]).extensions)).toEqual([['__proto__', { a: 1 }]]);
});

test('byte strings stick', () => {
  expect(
    replay({}, [{ kind: 'failure', operationId: 1, requiresByteString: true }, success(2)]).byteStrings,
  ).toBe(true);
  expect(replay({ byteStrings: true }, []).byteStrings).toBe(true);
});

test('aliases of new states are resolved', () => {
  const { resources } = replay(
    { resources: [resource('old'), resource('user', { dependencies: [urn('old')] })] },
    [success(1, { removeOld: 0, state: resource('new', { aliases: [urn('old')] }) })],
  );
  expect(resources).toEqual([resource('new'), resource('user', { dependencies: [urn('new')] })]);
});

/**
 * Move of a random operation, which runs as the engine would run it. Each step begins, then ends well or badly, and
 * dependencies precede their dependents. The model keeps existing resources by name.
 */
type Move = {
  readonly t: 'create' | 'update' | 'delete' | 'outputs' | 'refresh';
  readonly pick: number;
  readonly fails: boolean;
};

interface Live {
  readonly name: string;
  readonly state: SerializedResource;
  /** Place of the resource: in the base, or added by an operation. */
  readonly at: { readonly old: number } | { readonly made: number };
}

function play(sizes: number, moves: readonly Move[]) {
  const from = Array.from({ length: sizes }, (_unused, index) =>
    resource(`b${index}`, { dependencies: index === 0 ? [] : [urn(`b${index - 1}`)] }),
  );
  let live: Live[] = from.map((state, index) => ({ name: state.id ?? '', state, at: { old: index } }));
  const entries: SerializedJournalEntry[] = [];
  const snapshots: ReadonlyMap<string, number>[] = [];
  let ids = 0;
  const put = (entry: Entry): void => {
    entries.push({ sequenceId: entries.length + 1, ...entry });
    snapshots.push(new Map(live.map((item) => [item.name, item.state.inputs?.['v'] as number])));
  };
  const removal = (at: Live['at']): Partial<Entry> =>
    'old' in at ? { removeOld: at.old } : { removeNew: at.made };
  for (const { t, pick, fails } of moves) {
    ids += 1;
    const id = ids;
    const victim = live[pick % Math.max(live.length, 1)];
    const isLeaf =
      victim !== undefined &&
      !live.some((item) => item.state.dependencies?.includes(victim.state.urn) === true);
    if (t !== 'create' && victim === undefined) continue;
    if ((t === 'delete' || t === 'refresh') && !isLeaf) continue;
    if (t === 'update' && !isLeaf) continue;
    put(
      begin(
        id,
        t === 'outputs'
          ? undefined
          : operation(victim?.name ?? `n${id}`, t === 'create' ? 'creating' : 'updating'),
      ),
    );
    if (fails) {
      put({ kind: 'failure', operationId: id });
      continue;
    }
    const dependencies = live
      .filter((item) => 'made' in item.at)
      .slice(0, 2)
      .map((item) => item.state.urn);
    if (t === 'create') {
      const state = resource(`n${id}`, { dependencies, inputs: { v: id } });
      live = [...live, { name: `n${id}`, state, at: { made: id } }];
      put(success(id, { state }));
    } else if (victim !== undefined && t === 'update') {
      const state: SerializedResource = {
        ...victim.state,
        dependencies: dependencies.filter((item) => item !== victim.state.urn),
        inputs: { v: id },
      };
      live = live.map((item) => (item === victim ? { ...item, state, at: { made: id } } : item));
      put(success(id, { state, ...removal(victim.at) }));
    } else if (victim !== undefined && t === 'outputs') {
      const state: SerializedResource = { ...victim.state, inputs: { v: id } };
      live = live.map((item) => (item === victim ? { ...item, state } : item));
      put({ kind: 'outputs', operationId: id, state, ...removal(victim.at) });
    } else if (victim !== undefined) {
      live = live.filter((item) => item !== victim);
      put(
        t === 'delete'
          ? success(id, removal(victim.at))
          : { kind: 'refresh-success', operationId: id, ...removal(victim.at) },
      );
    }
  }
  return { from, entries, snapshots };
}

const move: fc.Arbitrary<Move> = fc.record({
  t: fc.constantFrom('create', 'update', 'delete', 'outputs', 'refresh'),
  pick: fc.nat(20),
  fails: fc.boolean(),
});

test('property: after every entry the replay holds what the model holds and is consistent', () => {
  fc.assert(
    fc.property(fc.nat(4), fc.array(move, { maxLength: 25 }), (sizes, moves) => {
      const { from, entries, snapshots } = play(sizes, moves);
      const replayer = new Replayer({ ...emptyDeployment, resources: from }, 'j');
      entries.forEach((entry, index) => {
        replayer.add(entry);
        const deployment = replayer.generate(noManifest);
        const held = new Map(deployment.resources.map((item) => [item.id, item.inputs?.['v']]));
        expect(held).toEqual(snapshots[index]);
        expect(checkIntegrity(deployment, 'write').failure).toBeUndefined();
      });
    }),
  );
});
