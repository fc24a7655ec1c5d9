import { urnName } from '@cairn/addresses';
import type { ProgramFunction } from '@cairn/testkit';
import { MockWorld, Story, diffAnswer } from '@cairn/testkit';
import type { MockBehaviour } from '@cairn/testkit';
import { propertyMap } from '@cairn/values';
import { InitFailedError, ProviderError } from '@cairn/wire';

const TYPE = 'pkgA:m:typA';
const TOKENS: MockBehaviour = { extras: { types: { '*': { idempotencyToken: {} } } } };
const LOOKUP: MockBehaviour = { extras: { types: { [TYPE]: { lookup: true, settleSeconds: 0 } } } };
const PROGRESS: MockBehaviour = { extras: { types: {} }, progressIds: true };

const pair: ProgramFunction = async ({ resource }) => {
  const a = await resource(TYPE, 'a', { size: 1 });
  await resource(TYPE, 'b', { from: a.id });
};

function storyOf(behaviour: MockBehaviour = {}): Story {
  return new Story(new MockWorld({ pkgA: { behaviour } }));
}

/** Makes another size need another object. */
function sizeReplaces(deleteBeforeReplace: boolean): NonNullable<MockBehaviour['diff']> {
  return ({ oldInputs, news }) =>
    oldInputs['size'] === news['size']
      ? diffAnswer('none')
      : diffAnswer('some', { replaceKeys: ['size'], deleteBeforeReplace });
}

const NAME = /^[0-9a-f]{8}$/;

/** Creates in doubt: the process died after the effect, or before it. */
const died = { 'after the effect': false, 'before it': true };

describe.each(Object.entries(died))('a create whose process died %s', (_, before) => {
  test.each([
    ['a token', TOKENS],
    ['a look-up', LOOKUP],
    // Work has a name as soon as it has begun.
    ...(before ? [] : [['a name of the work', PROGRESS] as const]),
  ] as const)('is settled by %s; nothing is made twice [JRN-7]', async (way, behaviour) => {
    const story = storyOf(behaviour);
    const { providers } = story;
    await story.runAndKill('create', 'a', { program: pair, before });
    expect(story.snapshot.pendingOperations.map(({ type }) => type)).toEqual(['creating']);
    providers.forgetCalls();
    const { result, names } = await story.run({ program: pair });
    expect(result).toMatchObject({ summary: { result: 'succeeded' }, waiting: [] });
    expect([...names].sort()).toEqual(['a', 'b', 'default', 'test-test']);
    // A settled step is not counted again, because its resource then remains as it is.
    expect(result.summary.changes).toEqual({ create: 2, same: 1 });
    expect(providers.alive).toEqual(['a', 'b']);
    expect(story.snapshot.pendingOperations).toEqual([]);
    if (way === 'a token') expect(providers.called('create')).toEqual(['create a', 'create b']);
  });

  test('waits for an answer when its provider offers nothing, and nothing of it is made [REC-1]', async () => {
    const story = storyOf();
    await story.runAndKill('create', 'a', { program: pair, before });
    const calls = story.providers.called('create');
    const { result } = await story.run({ program: pair });
    expect(result.summary.result).toBe('waiting');
    expect(result.waiting).toMatchObject([{ task: expect.stringMatching(NAME), kind: 'in-doubt' }]);
    expect(result.diagnostics.at(-1)).toMatchObject({
      severity: 'warning',
      code: 'CAIRN-IN-DOUBT',
      hint: expect.stringContaining(`\`cairn change resolve ${result.waiting[0]?.task} --created ID\``),
    });
    expect(story.providers.called('create')).toEqual(calls);
    expect(story.snapshot.pendingOperations).toHaveLength(1);
    // The question remains the same, no matter how often it is tried.
    const again = await story.run({ program: pair });
    expect(again.result.waiting.map(({ task }) => task)).toEqual(result.waiting.map(({ task }) => task));
    expect(story.snapshot.pendingOperations).toHaveLength(1);
  });
});

describe('what a person says', () => {
  async function asked(before: boolean): Promise<Story> {
    const story = storyOf();
    await story.runAndKill('create', 'a', { program: pair, before });
    return story;
  }

  test('the object is taken over by its id', async () => {
    const story = await asked(false);
    const [id = ''] = story.providers.objects.keys();
    const { result } = await story.goOn('resolve', { resolutions: new Map([['1/3', { created: id }]]) });
    expect(result.summary).toMatchObject({ kind: 'resolve', result: 'succeeded' });
    expect(story.snapshot.resources.map(({ urn, id: own }) => [urnName(urn), own])).toContainEqual(['a', id]);
    expect(story.snapshot.pendingOperations).toEqual([]);
    const { steps } = await story.run({ program: pair });
    expect(steps).toEqual(['same a', 'create b']);
    expect(story.providers.alive).toEqual(['a', 'b']);
  });

  test('there is none: it is forgotten, and made when it is needed', async () => {
    const story = await asked(true);
    const { result } = await story.goOn('resolve', { resolutions: new Map([['1/3', 'not-created']]) });
    expect(result.summary.result).toBe('succeeded');
    expect(story.snapshot.pendingOperations).toEqual([]);
    expect(story.providers.called('create')).toEqual(['create a']);
    await story.run({ program: pair });
    expect(story.providers.alive).toEqual(['a', 'b']);
  });

  test.each([
    ['an object that does not exist', 'nowhere', 'does not exist'],
    ['an object of the stack', 'id-0', 'already belongs to the stack'],
  ])('%s is refused, and the step stays in doubt', async (_, id, why) => {
    const story = storyOf();
    await story.run({ program: async ({ resource }) => void (await resource(TYPE, 'other')) });
    const own = story.snapshot.resources.find(({ urn }) => urnName(urn) === 'other')?.id ?? '';
    await story.runAndKill('create', 'a', { program: pair });
    const key = story.inDoubt[0];
    const { result } = await story.goOn('resolve', {
      resolutions: new Map([[`${key?.change}/${key?.id}`, { created: id === 'id-0' ? own : id }]]),
    });
    expect(result.summary.result).toBe('failed');
    expect(result.diagnostics.find(({ severity }) => severity === 'error')).toMatchObject({
      code: 'CAIRN-RESOURCE-MISSING',
      summary: expect.stringContaining(why),
    });
    expect(story.inDoubt).toHaveLength(1);
    expect(story.snapshot.pendingOperations).toHaveLength(1);
  });

  test('a step that nobody knows is refused before anything is done', async () => {
    const story = await asked(false);
    const { result } = await story.goOn('resolve', { resolutions: new Map([['9/9', 'not-created']]) });
    expect(result.diagnostics).toMatchObject([
      { severity: 'error', summary: 'there is no step 9/9 in doubt' },
    ]);
    expect(story.inDoubt).toHaveLength(1);
  });

  test('only what was said something about is touched by a resolve', async () => {
    const story = storyOf();
    await story.runAndKill('create', 'a', { program: pair });
    await story.run({ program: pair, resolutions: new Map() });
    const { result } = await story.goOn('resolve', { resolutions: new Map([['1/3', 'not-created']]) });
    expect(result.summary.result).toBe('succeeded');
    expect(story.inDoubt).toEqual([]);
  });

  test('the answer wins over what the provider could find out', async () => {
    const story = storyOf(LOOKUP);
    await story.runAndKill('create', 'a', { program: pair });
    await story.goOn('resolve', { resolutions: new Map([['1/3', 'not-created']]) });
    expect(story.providers.called('lookup')).toEqual([]);
    expect(story.snapshot.pendingOperations).toEqual([]);
  });
});

describe('looking for an object', () => {
  test('that is not found at once is done again after the settle time', async () => {
    const story = storyOf({ ...LOOKUP, lookUpsTooEarly: 1 });
    await story.runAndKill('create', 'a', { program: pair });
    const { result } = await story.run({ program: pair });
    expect(result.summary.result).toBe('succeeded');
    expect(story.providers.called('lookup')).toEqual(['lookup a', 'lookup a']);
    expect(story.providers.alive).toEqual(['a', 'b']);
  });

  test('several objects are a question that names them', async () => {
    const story = storyOf(LOOKUP);
    await story.runAndKill('create', 'a', { program: pair });
    const [[id = '', object] = []] = story.providers.objects;
    if (object !== undefined) story.providers.objects.set('twin', object);
    const { result } = await story.run({ program: pair });
    expect(result.waiting).toMatchObject([{ why: `several objects match: ${id}, twin` }]);
  });

  test('the original of a replacement has the same name and is not the one', async () => {
    const program =
      (size: number): ProgramFunction =>
      async ({ resource }) => {
        await resource(TYPE, 'a', { size });
      };
    const story = storyOf({ ...LOOKUP, diff: sizeReplaces(false) });
    await story.run({ program: program(1) });
    await story.runAndKill('create', 'a', { program: program(2) });
    const { result, names } = await story.run({ program: program(2) });
    expect(result.summary.result).toBe('succeeded');
    expect([...names].sort()).toEqual(['a', 'default', 'test-test']);
    expect(story.providers.alive).toEqual(['a']);
    expect([...story.providers.objects.keys()]).toEqual(['id-2']);
  });
});

describe.each(['answered for', 'looked up'])(
  'a replacement that gets the id of its deleted original, %s',
  (how) => {
    const program =
      (size: number): ProgramFunction =>
      async ({ resource }) => {
        await resource(TYPE, 'a', { size });
      };

    test.each(['resume', 'rollback'] as const)('is taken over (%s)', async (way) => {
      const behaviour = how === 'looked up' ? LOOKUP : {};
      const story = storyOf({ ...behaviour, diff: sizeReplaces(true) });
      await story.run({ program: program(1) });
      if (way === 'rollback') {
        await story.run({ program: program(2) });
        await story.runAndKill('create', 'a', { how: 'rollback' });
      } else await story.runAndKill('create', 'a', { program: program(2) });
      const { objects } = story.providers;
      const id = story.snapshot.resources.find(({ pendingReplacement }) => pendingReplacement)?.id ?? '';
      for (const [own, object] of [...objects]) {
        objects.delete(own);
        objects.set(id, object);
      }
      story.providers.forgetCalls();
      if (how === 'answered for') {
        const [task] = story.inDoubt;
        const key = task?.resolves ?? `${task?.change}/${task?.id}`;
        const { result } = await story.goOn('resolve', { resolutions: new Map([[key, { created: id }]]) });
        expect(result.summary.result).toBe('succeeded');
      }
      const { result } = await story.goOn(way, way === 'resume' ? { program: program(2) } : {});
      expect(result.summary.result).toBe('succeeded');
      expect(story.providers.called('create')).toEqual([]);
      expect([...objects.keys()]).toEqual([id]);
      expect(story.snapshot.resources.find(({ type }) => type === TYPE)).toMatchObject({
        id,
        pendingReplacement: false,
      });
    });
  },
);

describe('updates and deletes whose end nobody saw', () => {
  const sized =
    (size: number): ProgramFunction =>
    async ({ resource }) => {
      await resource(TYPE, 'a', { size });
    };

  test.each([
    [false, 'same a'],
    [true, 'update a'],
  ])('an update is looked at (cut before its effect: %s)', async (before, step) => {
    const story = storyOf();
    await story.run({ program: sized(1) });
    await story.runAndKill('update', 'a', { program: sized(2), before });
    expect(story.snapshot.pendingOperations.map(({ type }) => type)).toEqual(['updating']);
    const { steps, result } = await story.run({ program: sized(2) });
    expect(result.summary.result).toBe('succeeded');
    expect(steps.at(-1)).toBe(step);
    expect(story.snapshot.resources.at(-1)?.outputs).toEqual({ size: 2 });
  });

  test('an update of an object that is gone: it is made anew', async () => {
    const story = storyOf();
    await story.run({ program: sized(1) });
    await story.runAndKill('update', 'a', { program: sized(2) });
    story.providers.objects.clear();
    const { result } = await story.run({ program: sized(2) });
    expect(result.summary.result).toBe('succeeded');
    expect(story.providers.alive).toEqual(['a']);
  });

  test.each([
    [false, 0],
    [true, 1],
  ])('a delete is looked at (cut before its effect: %s)', async (before, deletes) => {
    const story = storyOf();
    await story.run({ program: sized(1) });
    await story.runAndKill('delete', 'a', { kind: 'destroy', before });
    story.providers.forgetCalls();
    const { result } = await story.run({ kind: 'destroy' });
    expect(result.summary.result).toBe('succeeded');
    expect(story.providers.called('delete')).toHaveLength(deletes);
    expect(story.providers.alive).toEqual([]);
    expect(story.snapshot.resources).toEqual([]);
  });

  test.each([false, true])(
    'the delete ahead of a replacement (cut before its effect: %s)',
    async (before) => {
      const story = storyOf({
        diff: sizeReplaces(true),
      });
      await story.run({ program: sized(1) });
      await story.runAndKill('delete', 'a', { program: sized(2), before });
      const { result, names } = await story.run({ program: sized(2) });
      expect(result.summary.result).toBe('succeeded');
      expect([...names].sort()).toEqual(['a', 'default', 'test-test']);
      expect(story.providers.alive).toEqual(['a']);
    },
  );
});

describe('updates and deletes of objects at which nobody can be seen to look', () => {
  const sized =
    (size: number): ProgramFunction =>
    async ({ resource }) => {
      await resource(TYPE, 'a', { size, name: 'of a' });
    };
  const failing: MockBehaviour['read'] = () => Promise.reject(new ProviderError('UNIMPLEMENTED', 'no reads'));
  const BLIND: readonly (readonly [string, MockBehaviour])[] = [
    ['says that its reads repeat the record', { reads: 'record' }],
    ['repeats the record and says nothing', { reads: 'echo' }],
    ['cannot read', { reads: 'unsaid', read: failing }],
    ['says that it looks, and fails to', { reads: 'world', read: failing }],
  ];

  async function cut(behaviour: MockBehaviour, before: boolean, method: 'update' | 'delete'): Promise<Story> {
    const story = storyOf(behaviour);
    await story.run({ program: sized(1) });
    const next = method === 'update' ? { program: sized(2) } : { kind: 'destroy' as const };
    await story.runAndKill(method, 'a', { ...next, before });
    story.providers.forgetCalls();
    return story;
  }
  const keyOf = ({ inDoubt: [task] }: Story): string => task?.resolves ?? `${task?.change}/${task?.id}`;

  describe.each(BLIND)('its provider %s', (_, behaviour) => {
    test.each([false, true])('a delete waits for an answer (cut before its effect: %s)', async (before) => {
      const story = await cut(behaviour, before, 'delete');
      const { result } = await story.run({ kind: 'destroy' });
      expect(result.summary.result).toBe('waiting');
      expect(result.waiting).toMatchObject([{ kind: 'in-doubt', doubt: 'deleting' }]);
      expect(
        result.diagnostics.find(({ code, severity }) => code === 'CAIRN-IN-DOUBT' && severity === 'warning')
          ?.hint,
      ).toMatch(/--done` or `.* --not-done`/);
      expect(story.providers.called('delete')).toEqual([]);
      const answer = before ? 'not-done' : ({ done: true } as const);
      const said = await story.goOn('resolve', { resolutions: new Map([[keyOf(story), answer]]) });
      expect(said.result.summary.result).toBe('succeeded');
      const { result: end } = await story.run({ kind: 'destroy' });
      expect(end.summary.result).toBe('succeeded');
      expect(story.providers.called('delete')).toHaveLength(before ? 1 : 0);
      expect([story.providers.alive, story.snapshot.resources]).toEqual([[], []]);
    });

    test('a rollback of the destroy does not keep what a person says is gone', async () => {
      const story = await cut(behaviour, false, 'delete');
      expect((await story.goOn('rollback', {})).result.summary.result).toBe('waiting');
      const resolutions = new Map([[keyOf(story), { done: true }]] as const);
      const { result } = await story.goOn('rollback', { resolutions });
      expect(result.summary.result).toBe('succeeded');
      expect(story.providers.called('create')).toEqual(['create a']);
      expect(story.providers.alive).toEqual(['a']);
    });

    test('an update waits for an answer; one that was not done is done then', async () => {
      const story = await cut(behaviour, true, 'update');
      expect((await story.run({ program: sized(2) })).result.summary.result).toBe('waiting');
      expect(story.providers.called('update')).toEqual([]);
      const resolutions = new Map([[keyOf(story), 'not-done']] as const);
      await story.goOn('resolve', { resolutions });
      expect((await story.run({ program: sized(2) })).steps).toEqual(['update a']);
    });
  });

  test('an update that was done has the outputs that a person tells', async () => {
    const story = await cut({ reads: 'record' }, false, 'update');
    const wanted = await story.goOn('resolve', { resolutions: new Map([[keyOf(story), { done: true }]]) });
    expect(wanted.result.diagnostics.find(({ severity }) => severity === 'error')).toMatchObject({
      code: 'CAIRN-RESOURCE-MISSING',
      summary: expect.stringContaining('its provider cannot read its outputs'),
      hint: expect.stringContaining('--outputs FILE'),
    });
    expect(wanted.result.waiting).toMatchObject([{ outputs: { names: [], needed: 'always' } }]);
    expect(story.inDoubt).toHaveLength(1);
    const outputs = { size: 2, made: 'by hand' };
    await story.goOn('resolve', { resolutions: new Map([[keyOf(story), { done: true, outputs }]]) });
    const { steps } = await story.run({ program: sized(2) });
    expect(steps).toEqual(['same a']);
    expect(story.snapshot.resources.at(-1)).toMatchObject({
      inputs: { size: 2 },
      outputs: { size: 2, made: 'by hand', name: 'of a' },
    });
  });

  test.each([false, true])(
    'a provider that says nothing and finds the object by its id has looked (cut before its effect: %s)',
    async (before) => {
      const story = await cut({ reads: 'unsaid' }, before, 'delete');
      const { result } = await story.run({ kind: 'destroy' });
      expect(result.summary.result).toBe('succeeded');
      expect(story.providers.called('read')).toHaveLength(before ? 2 : 1);
      expect(story.providers.called('delete')).toHaveLength(before ? 1 : 0);
    },
  );

  test.each([
    ['update', false],
    ['update', true],
    ['delete', false],
    ['delete', true],
  ] as const)('a repeatable %s is run to its end (cut before its effect: %s)', async (method, before) => {
    const types = { '*': { reads: 'record', repeatable: [method] } } as const;
    const story = await cut({ reads: 'record', extras: { types } }, before, method);
    const { result } = await story.goOn('rollback', {});
    expect(result.summary.result).toBe('succeeded');
    expect(story.providers.called(method)[0]).toBe(`${method} a`);
    expect(story.snapshot.resources.at(-1)?.outputs).toMatchObject({ size: 1 });
    expect([...story.providers.objects.values()].map(({ outputs }) => outputs['size'])).toEqual([1]);
  });

  test.each(['rollback', 'destroy'] as const)(
    'a delete that is repeated and says what is still there has that recorded, in doubt no more (%s)',
    async (next) => {
      const types = { '*': { reads: 'record', repeatable: ['delete'] } } as const;
      const story = await cut({ reads: 'record', extras: { types } }, true, 'delete');
      const left = propertyMap({ size: 1, half: true });
      const busy = () => new InitFailedError('', left, undefined, ['in use'], false, 'busy');
      story.providers.failNext('delete', 'a', busy());
      if (next === 'rollback') {
        const { result } = await story.goOn('rollback', {});
        expect(result.diagnostics).toContainEqual(expect.objectContaining({ causes: ['in use'] }));
        expect(story.snapshot.resources.at(-1)?.outputs).toEqual(left);
        expect(story.providers.alive).toEqual(['a']);
      } else {
        const { result } = await story.run({ kind: 'destroy' });
        expect(result.diagnostics).toContainEqual(
          expect.objectContaining({ causes: ['in use'], severity: 'warning' }),
        );
        const deletes = story.providers.calls.filter(({ method }) => method === 'delete');
        expect(deletes.at(-1)?.request).toMatchObject({ oldOutputs: left });
        expect(story.providers.alive).toEqual([]);
      }
      expect(story.inDoubt).toEqual([]);
      expect(story.snapshot.pendingOperations).toEqual([]);
    },
  );
});

test('a resolution that is cut itself is gone on with: the first token stays', async () => {
  const story = storyOf(TOKENS);
  await story.runAndKill('create', 'a', { program: pair, before: true });
  await story.runAndKill('create', 'a', { program: pair });
  await story.runAndKill('create', 'a', { program: pair });
  const tokens = story.providers.calls
    .filter(({ method, name }) => method === 'create' && name === 'a')
    .map(({ request }) => (request as { readonly token: string }).token);
  expect(new Set(tokens).size).toBe(1);
  const { result } = await story.run({ program: pair });
  expect(result.summary.result).toBe('succeeded');
  expect(story.providers.alive).toEqual(['a', 'b']);
  expect(story.snapshot.pendingOperations).toEqual([]);
});

test('a provider that is gone: an error, nothing is lost, and it is settled when it is back', async () => {
  const story = storyOf(TOKENS);
  await story.runAndKill('create', 'a', { program: pair });
  story.providers.install('pkgA');
  const { result } = await story.run({ program: pair });
  expect(result.summary.result).toBe('failed');
  expect(story.snapshot.pendingOperations).toHaveLength(1);
  story.providers.install('pkgA', { behaviour: TOKENS });
  expect((await story.run({ program: pair })).result.summary.result).toBe('succeeded');
  expect(story.providers.alive).toEqual(['a', 'b']);
});

test('a pending create that only the state knows of is settled by look-up, or asked for', async () => {
  const story = storyOf(LOOKUP);
  await story.runAndKill('create', 'a', { program: pair });
  const inherited = new Story(story.providers, { stack: story.snapshot });
  expect(inherited.inDoubt).toMatchObject([{ change: 'state', id: expect.stringMatching(NAME) }]);
  expect((await inherited.run({ program: pair })).result.summary.result).toBe('succeeded');
  expect(story.providers.alive).toEqual(['a', 'b']);
});

test('a preview asks nothing and changes nothing', async () => {
  const story = storyOf(TOKENS);
  await story.runAndKill('create', 'a', { program: pair });
  story.providers.forgetCalls();
  const { result, steps } = await story.run({ program: pair, preview: true });
  expect(result.summary.result).toBe('succeeded');
  expect(steps).toEqual(['create a', 'create b']);
  expect(story.inDoubt).toHaveLength(1);
  expect(story.providers.alive).toEqual(['a']);
});

test('the preview of a rollback names what nobody knows about, and asks nothing', async () => {
  const story = storyOf(LOOKUP);
  await story.runAndKill('create', 'b', { program: pair });
  story.providers.forgetCalls();
  const preview = await story.goOn('rollback', { preview: true });
  expect(preview.result.summary.result).toBe('succeeded');
  expect(preview.result.diagnostics).toMatchObject([
    {
      severity: 'warning',
      code: 'CAIRN-IN-DOUBT',
      summary: 'it is unknown whether creating "b" (pkgA:m:typA) was done',
      causes: ['the rollback finds out first; if it was, it is undone too'],
    },
  ]);
  expect(story.providers.called('lookup')).toEqual([]);
  const { result } = await story.goOn('rollback');
  expect(result.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  expect(story.providers.alive).toEqual([]);
});
