import { makeUrn, urnName } from '@cairn/addresses';
import { propertyMap, secret } from '@cairn/values';
import type { Chapter, MockBehaviour, ProgramFunction } from '@cairn/testkit';
import { MockWorld, Story, diffAnswer, importItem, noSelector, runScenario } from '@cairn/testkit';
import { doubtName } from '@cairn/engine';
import { ProviderError } from '@cairn/wire';

const TYPE = 'pkgA:m:typA';
const TOKENS: MockBehaviour = { extras: { types: { '*': { idempotencyToken: {} } } } };

/** Registers a, then b and c that depend on it. */
const three: ProgramFunction = async ({ resource }) => {
  const a = await resource(TYPE, 'a', { size: 1, password: secret('hidden') });
  await Promise.all(['b', 'c'].map((name) => resource(TYPE, name, { from: a.id })));
};

function storyOf(behaviour: MockBehaviour = TOKENS): Story {
  return new Story(new MockWorld({ pkgA: { behaviour } }));
}

/** Returns inputs and outputs by name, without ids. */
function stateOf({ snapshot }: Pick<Story, 'snapshot'>): unknown {
  const shown = snapshot.resources
    .filter(({ delete: goes }) => !goes)
    .map(({ urn, inputs, outputs }) => [urnName(urn), { inputs, outputs }]);
  return Object.fromEntries(shown.sort(([a], [b]) => String(a).localeCompare(String(b))) as never);
}

async function uncut(...chapters: readonly Chapter[]): Promise<Story> {
  const story = storyOf();
  for (const chapter of chapters) await story.run(chapter);
  return story;
}

describe('a resumed up', () => {
  test('answers what was done at once, and does the rest', async () => {
    const story = storyOf();
    await story.runAndKill('create', 'b', { program: three, parallel: 1, before: true });
    story.providers.forgetCalls();
    const { result, steps } = await story.goOn('resume', { program: three });
    expect(result.summary.result).toBe('succeeded');
    expect([...story.providers.called('check', 'diff', 'create')].sort()).toEqual([
      'check c',
      'create b',
      'create c',
    ]);
    expect(steps).toContain('same a');
    expect(story.providers.alive).toEqual(['a', 'b', 'c']);
    expect(stateOf(story)).toEqual(stateOf(await uncut({ program: three })));
    expect(story.snapshot.pendingOperations).toEqual([]);
  });

  test('does not mind in which order the program registers', async () => {
    const story = storyOf();
    const order =
      (...names: readonly string[]): ProgramFunction =>
      async ({ resource }) => {
        for (const name of names) await resource(TYPE, name, { of: name });
      };
    await story.runAndKill('create', 'c', { program: order('a', 'b', 'c', 'd') });
    const { result } = await story.goOn('resume', { program: order('d', 'c', 'b', 'a') });
    expect(result.summary.result).toBe('succeeded');
    expect(story.providers.alive).toEqual(['a', 'b', 'c', 'd']);
  });

  test('can die and be resumed again and again', async () => {
    const story = storyOf();
    await story.runAndKill('create', 'a', { program: three });
    await story.runAndKill('create', 'b', { program: three, how: 'resume', parallel: 1 });
    await story.runAndKill('create', 'c', { program: three, how: 'resume', parallel: 1, before: true });
    story.providers.forgetCalls();
    const { result } = await story.goOn('resume', { program: three });
    expect(result.summary.result).toBe('succeeded');
    expect(story.providers.called('check')).toEqual([]);
    expect(story.providers.alive).toEqual(['a', 'b', 'c']);
    expect(stateOf(story)).toEqual(stateOf(await uncut({ program: three })));
  });

  test('a preview of it behaves alike and does nothing', async () => {
    const story = storyOf();
    await story.runAndKill('create', 'b', { program: three, parallel: 1, before: true });
    const { steps, result } = await story.goOn('resume', { program: three, preview: true });
    expect(result.summary.result).toBe('succeeded');
    expect([...steps].sort()).toEqual(['create b', 'create c', 'same a']);
    expect(story.providers.alive).toEqual(['a']);
  });

  test('nothing of what was wanted is stored in clear, and every line of changes has a key of its own', async () => {
    const story = storyOf();
    const { store } = await story.run({ program: three });
    const digests = store.records.flatMap((record) =>
      record.record === 'task' ? [String(record.data?.['goal'])] : [],
    );
    expect(digests.length).toBeGreaterThan(3);
    for (const digest of digests) expect(digest).toMatch(/^2:[\w-]{21}\.[\w-]{22}$/);
    const providers = new MockWorld({ pkgA: {} });
    const other = await runScenario({ program: three, providers, goalKey: new Uint8Array(32).fill(8) });
    const others = other.store.records.flatMap((record) =>
      record.record === 'task' ? [String(record.data?.['goal'])] : [],
    );
    expect(others.filter((digest) => digests.includes(digest))).toEqual([]);
  });
});

describe('a program that changed since', () => {
  const other: ProgramFunction = async ({ resource }) => {
    const a = await resource(TYPE, 'a', { size: 2, password: secret('hidden') });
    await Promise.all(['b', 'c'].map((name) => resource(TYPE, name, { from: a.id })));
  };
  const without: ProgramFunction = async ({ resource }) => {
    await resource(TYPE, 'c', { size: 2 });
  };

  test.each([
    ['wants something else of what was done', other, 'it now wants something else of'],
    ['does not want it at all', without, 'it no longer registers'],
  ] as const)('%s: the operation ends, and nothing is undone or deleted', async (_, program, why) => {
    const story = storyOf();
    await story.runAndKill('create', 'b', { program: three, parallel: 1 });
    const before = story.providers.alive;
    const { result } = await story.goOn('resume', { program });
    expect(result.summary.result).toBe('failed');
    expect(result.diagnostics.find(({ severity }) => severity === 'error')).toMatchObject({
      code: 'CAIRN-PROGRAM-CHANGED',
      summary: expect.stringContaining(`program changed since the operation started: ${why}`),
      hint: expect.stringContaining('`cairn rollback 1`'),
    });
    expect(story.providers.alive).toEqual(expect.arrayContaining([...before]));
  });

  test('the program as it was can go on all the same', async () => {
    const story = storyOf();
    await story.runAndKill('create', 'b', { program: three, parallel: 1 });
    await story.goOn('resume', { program: other });
    expect((await story.goOn('resume', { program: three })).result.summary.result).toBe('succeeded');
    expect(stateOf(story)).toEqual(stateOf(await uncut({ program: three })));
  });

  test('a secret that differs is a difference', async () => {
    const story = storyOf();
    const keyed =
      (password: string): ProgramFunction =>
      async ({ resource }) => {
        await resource(TYPE, 'a', { password: secret(password) });
        await resource(TYPE, 'b');
      };
    await story.runAndKill('create', 'b', { program: keyed('one') });
    const { result } = await story.goOn('resume', { program: keyed('two') });
    expect(result.diagnostics.map(({ code }) => code)).toContain('CAIRN-PROGRAM-CHANGED');
  });

  test('a provider with other settings is said, and compared as ever', async () => {
    const story = storyOf();
    const on =
      (region: string): ProgramFunction =>
      async ({ provider, resource }) => {
        const reference = await provider('pkgA', 'prov', { region });
        await resource(TYPE, 'a', { size: 1 }, { provider: reference });
        await resource(TYPE, 'b', { size: 1 }, { provider: reference });
      };
    await story.runAndKill('create', 'b', { program: on('east') });
    const { result } = await story.goOn('resume', { program: on('west') });
    expect(result.summary.result).toBe('succeeded');
    expect(result.diagnostics).toContainEqual(
      expect.objectContaining({
        severity: 'warning',
        code: 'CAIRN-PROGRAM-CHANGED',
        summary: expect.stringContaining('the provider "prov" has other settings'),
      }),
    );
    expect(story.providers.alive).toEqual(['a', 'b']);
  });
});

describe('a resource that the program registers only when it is resumed', () => {
  const all =
    (...names: readonly string[]): ProgramFunction =>
    async ({ resource }) => {
      for (const name of names) await resource(TYPE, name, { of: name });
    };
  const added = (story: Story, program: ProgramFunction, more: Chapter = {}): Promise<unknown> =>
    story
      .goOn('resume', { program, ...more })
      .then(({ result }) => [
        result.summary.result,
        ...result.diagnostics
          .filter(({ code }) => code === 'CAIRN-PROGRAM-CHANGED')
          .map(({ summary }) => summary.replace(/ urn:\S+::/, ' ')),
      ]);
  const refused = (name: string): readonly string[] => [
    'failed',
    `program changed since the operation started: it now registers ${name}`,
  ];

  /** Kills the process while the stack deletes \`old\`, once the program has ended. */
  async function killedInDeletes(chapter: Chapter): Promise<Story> {
    const story = storyOf();
    await story.run({ program: all('a', 'old') });
    await story.runAndKill('delete', 'old', chapter);
    return story;
  }

  test('is refused when the program had registered everything, in a preview too; the program as it was goes on', async () => {
    const story = await killedInDeletes({ program: all('a', 'b') });
    story.providers.forgetCalls();
    const program = all('a', 'b', 'new');
    expect(await added(story, program, { preview: true })).toEqual(refused('new'));
    expect(await added(story, program)).toEqual(refused('new'));
    expect(story.providers.called('create', 'update', 'delete')).toEqual([]);
    expect(await added(story, all('a', 'b'))).toEqual(['succeeded']);
    expect(story.providers.alive).toEqual(['a', 'b']);
  });

  test('is refused as well by whoever goes on with what was resumed', async () => {
    const story = await killedInDeletes({ program: all('a', 'b'), parallel: 1 });
    await story.goOn('resume', { program: all('a', 'b', 'new') });
    expect(await added(story, all('a', 'b', 'new'))).toEqual(refused('new'));
  });

  test('is refused when the program had dropped it, and it was deleted', async () => {
    const story = storyOf();
    await story.run({
      program: async ({ resource }) => {
        const a = await resource(TYPE, 'first');
        await resource(TYPE, 'second', { of: a.id }, { dependencies: [a.urn] });
      },
    });
    await story.runAndKill('delete', 'first', { program: all('a') });
    expect(await added(story, all('a', 'second'))).toEqual(refused('second'));
  });

  test('is made when the program had not come to its end', async () => {
    const story = storyOf();
    await story.runAndKill('create', 'b', { program: all('a', 'b') });
    expect(await added(story, all('a', 'b', 'new'))).toEqual(['succeeded']);
    expect(story.providers.alive).toEqual(['a', 'b', 'new']);
  });

  test('is none when a failure has kept it from being made', async () => {
    const program: ProgramFunction = async ({ resource }) => {
      await resource(TYPE, 'a', { of: 'a' });
      const b = await resource(TYPE, 'b');
      await resource(TYPE, 'c', {}, { dependencies: [b.urn] });
    };
    const chapter: Chapter = { program, policy: { continueOnError: true } };
    const story = storyOf();
    await story.run({ program: all('a', 'old') });
    story.providers.failNext('create', 'b', new ProviderError('INTERNAL', 'not today'));
    await story.runAndKill('delete', 'old', chapter);
    expect(await added(story, program, chapter)).toEqual(['succeeded']);
    expect(story.providers.alive).toEqual(['a', 'b', 'c']);
  });

  test('is none when it had to wait for an answer about a step in doubt', async () => {
    const program: ProgramFunction = async ({ resource }) => {
      const b = await resource(TYPE, 'b');
      await resource(TYPE, 'c', {}, { dependencies: [b.urn] });
    };
    const story = storyOf({});
    await story.run({ program: all('old') });
    await story.runAndKill('create', 'b', { program, before: true });
    const [doubt] = story.inDoubt;
    expect((await story.goOn('resume', { program })).result.summary.result).toBe('waiting');
    const answered = {
      request: { resolutions: new Map([[doubtName(doubt!.doubt!), 'not-created' as const]]) },
    };
    expect(await added(story, program, answered)).toEqual(['succeeded']);
    expect(story.providers.alive).toEqual(['b', 'c']);
  });

  test('is none when the operation is not about it', async () => {
    const chapter: Chapter = { scope: { targets: ['**::a', '**::b', '**::old'] } };
    const story = await killedInDeletes({ ...chapter, program: all('a', 'b', 'c') });
    expect(await added(story, all('a', 'b', 'c', 'new'), chapter)).toEqual(['succeeded']);
    expect(story.providers.alive).toEqual(['a', 'b']);
  });

  test('is none when its object was lost meanwhile, and the operation looks', async () => {
    const looking = { scope: { refresh: true } };
    const story = await killedInDeletes({ program: all('a', 'b') });
    for (const [id, { urn }] of story.providers.objects)
      if (urnName(urn) === 'a') story.providers.objects.delete(id);
    expect(await added(story, all('a', 'b'), looking)).toEqual(['succeeded']);
    expect(story.providers.alive).toEqual(['a', 'b']);
  });

  test('is none when it is the default provider of another version', async () => {
    const versioned =
      (version: string): ProgramFunction =>
      async ({ resource }) => {
        await resource(TYPE, 'a', {}, { package: { ...noSelector, version } });
      };
    const versions = ['1.0.0', '2.0.0'].map((version) => ({ version, behaviour: TOKENS }));
    const story = new Story(new MockWorld({ pkgA: versions }));
    await story.run({ program: all('old') });
    await story.runAndKill('delete', 'old', { program: versioned('1.0.0') });
    const { result } = await story.goOn('resume', { program: versioned('2.0.0') });
    expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(result.diagnostics.map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(
        /^the provider "pkgA" now has version 2\.0\.0; operation \S+ began with version 1\.0\.0$/,
      ),
    );
  });
});

describe('what an operation asked for is not done twice', () => {
  const sized =
    (size: number): ProgramFunction =>
    async ({ resource }) => {
      const a = await resource(TYPE, 'a', { size });
      await resource(TYPE, 'b', { size: 1 });
      await resource(TYPE, 'c', { from: a.id });
    };
  const replaces = (deleteBeforeReplace: boolean): MockBehaviour => ({
    ...TOKENS,
    diff: ({ oldInputs, news }) =>
      oldInputs['size'] === news['size'] && oldInputs['from'] === news['from']
        ? diffAnswer('none')
        : diffAnswer('some', { replaceKeys: ['size', 'from'], deleteBeforeReplace }),
  });

  test('a replacement that was asked for', async () => {
    const story = storyOf();
    await story.run({ program: sized(1) });
    const a = story.snapshot.resources.find(({ urn }) => urnName(urn) === 'a')?.urn;
    const scope = { replace: [String(a)] };
    await story.runAndKill('update', 'c', { program: sized(1), scope });
    const before = story.providers.called('create').length;
    const { result } = await story.goOn('resume', { program: sized(1), scope });
    expect(result.summary.result).toBe('succeeded');
    expect(story.providers.called('create')).toHaveLength(before);
    expect(story.providers.alive).toEqual(['a', 'b', 'c']);
  });

  test.each([true, false])(
    'a replacement and those who follow it (delete first: %s)',
    async (deleteFirst) => {
      for (const method of ['create', 'delete'] as const) {
        for (const name of ['a', 'c']) {
          for (const before of [true, false]) {
            const story = storyOf(replaces(deleteFirst));
            await story.run({ program: sized(1) });
            await story.runAndKill(method, name, { program: sized(2), before });
            const { result } = await story.goOn('resume', { program: sized(2) });
            expect(result.summary.result).toBe('succeeded');
            expect(story.providers.alive).toEqual(['a', 'b', 'c']);
            expect(
              story.snapshot.resources.filter((entry) => entry.delete || entry.pendingReplacement),
            ).toEqual([]);
          }
        }
      }
    },
  );

  test('a look at every object', async () => {
    const story = storyOf();
    await story.run({ program: three });
    story.providers.forgetCalls();
    await story.runAndKill('read', 'c', { kind: 'refresh', parallel: 1 });
    const { result } = await story.goOn('resume', { kind: 'refresh' });
    expect(result.summary.result).toBe('succeeded');
    expect([...story.providers.called('read')].sort()).toEqual(['read a', 'read b', 'read c', 'read c']);
  });
});

describe('other operations', () => {
  test('a destroy', async () => {
    const story = storyOf();
    await story.run({ program: three });
    await story.runAndKill('delete', 'b', { kind: 'destroy', parallel: 1 });
    const { result } = await story.goOn('resume', { kind: 'destroy' });
    expect(result.summary.result).toBe('succeeded');
    expect(story.providers.alive).toEqual([]);
    expect(story.snapshot.resources).toEqual([]);
  });

  test('an up that deletes', async () => {
    const story = storyOf();
    await story.run({ program: three });
    const one: ProgramFunction = async ({ resource }) => {
      await resource(TYPE, 'a', { size: 1, password: secret('hidden') });
    };
    await story.runAndKill('delete', 'b', { program: one, parallel: 1, before: true });
    const { result } = await story.goOn('resume', { program: one });
    expect(result.summary.result).toBe('succeeded');
    expect(story.providers.alive).toEqual(['a']);
  });

  test('targets that are gone by then', async () => {
    const story = storyOf();
    await story.run({ program: three });
    const targets = story.snapshot.resources
      .filter(({ urn }) => /^[bc]$/.test(urnName(urn)))
      .map(({ urn }) => urn);
    const chapter: Chapter = { kind: 'destroy', parallel: 1, scope: { targets } };
    await story.runAndKill('delete', 'c', chapter);
    const { result } = await story.goOn('resume', chapter);
    expect(result.summary.result).toBe('succeeded');
    expect(story.providers.alive).toEqual(['a']);
  });
});

test('a failed operation is resumed: what failed is tried again', async () => {
  const story = storyOf();
  story.providers.failNext('create', 'b', new Error('quota'));
  const failed = await story.run({ program: three });
  expect(failed.result.summary.result).toBe('failed');
  const { result } = await story.goOn('resume', { program: three });
  expect(result.summary.result).toBe('succeeded');
  expect(story.providers.alive).toEqual(['a', 'b', 'c']);
});

test('what a resume has taken back is not taken for done by the next one', async () => {
  const program =
    (v: number): ProgramFunction =>
    async ({ resource }) => {
      const a = await resource(TYPE, 'a', { v });
      const held = await resource(TYPE, 'held', { v }, { rollback: 'hold', dependencies: [a.urn] });
      await resource(TYPE, 'b', { v }, { dependencies: [held.urn] });
    };
  const story = storyOf();
  const { providers } = story;
  await story.run({ program: program(1) });
  await story.runAndKill('update', 'b', { program: program(2), before: true });
  const chapter: Chapter = { program: program(2), policy: { onError: 'rollback' } };
  providers.failNext('update', 'b', new ProviderError('FAILED_PRECONDITION', 'no'));
  const failed = await story.goOn('resume', chapter);
  expect(failed.result.summary).toMatchObject({ result: 'failed', rollback: { undone: 1, held: 1 } });
  const values = () =>
    Object.fromEntries([...providers.objects.values()].map(({ urn, inputs: { v } }) => [urnName(urn), v]));
  expect(values()).toEqual({ a: 1, held: 2, b: 1 });
  const { result } = await story.goOn('resume', chapter);
  expect(result.summary.result).toBe('succeeded');
  expect(values()).toEqual({ a: 2, held: 2, b: 2 });
});

test('outputs of the stack and of components are there after a resume', async () => {
  const program: ProgramFunction = async ({ component, resource, outputs }) => {
    const { urn } = await component('my:m:Comp', 'comp');
    const a = await resource(TYPE, 'a', { size: 1 }, { parent: urn });
    await outputs(urn, { id: a.id });
    await resource(TYPE, 'b');
    return { size: 1 };
  };
  const story = storyOf();
  await story.runAndKill('create', 'b', { program });
  const { result } = await story.goOn('resume', { program });
  expect(result.stackOutputs).toEqual(propertyMap({ size: 1 }));
  expect(stateOf(story)).toEqual(stateOf(await uncut({ program })));
});

test('an operation that was being rolled back when it died is taken back to the end', async () => {
  const story = storyOf();
  story.providers.failNext('create', 'c', new Error('quota'));
  const chapter: Chapter = { program: three, policy: { onError: 'rollback' }, parallel: 1 };
  await story.runAndKill('delete', 'a', chapter);
  const creates = story.providers.called('create').length;
  const { result } = await story.goOn('resume', chapter);
  expect(result.summary).toMatchObject({ kind: 'rollback', result: 'succeeded' });
  expect(result.diagnostics).toContainEqual(
    expect.objectContaining({ severity: 'info', code: 'CAIRN-UNFINISHED' }),
  );
  expect(story.providers.called('create')).toHaveLength(creates);
  expect(story.providers.alive).toEqual([]);
  expect(story.snapshot.resources).toEqual([]);
});

test('a component that fails again after a resume is taken back whole, the others stay', async () => {
  const program: ProgramFunction = async ({ component, resource }) => {
    await Promise.all(
      ['left', 'right'].map(async (name) => {
        const { urn } = await component('my:m:Comp', name);
        const first = await resource(TYPE, `${name}-1`, {}, { parent: urn });
        await resource(TYPE, `${name}-2`, { from: first.id }, { parent: urn });
      }),
    );
  };
  const story = storyOf();
  const chapter: Chapter = { program, policy: { onError: 'rollback', isolate: 'component' }, parallel: 1 };
  await story.runAndKill('create', 'left-2', { ...chapter, before: true });
  expect(story.providers.alive).toEqual(['left-1', 'right-1']);
  story.providers.failNext('create', 'left-2', new ProviderError('FAILED_PRECONDITION', 'no'));
  const { result } = await story.goOn('resume', {
    ...chapter,
    resolutions: new Map([['1/7', 'not-created']]),
  });
  expect(result.summary.result).toBe('failed');
  expect(story.providers.alive).toEqual(['right-1', 'right-2']);
  const names = story.snapshot.resources
    .map(({ urn }) => urnName(urn))
    .filter((name) => !/test|default/.test(name));
  expect([...names].sort()).toEqual(['right', 'right-1', 'right-2']);
});

describe('an import that was killed', () => {
  const items = ['a', 'b', 'c'].map((name) => importItem({ type: TYPE, name, id: `there-${name}` }));

  function imported(): Story {
    const story = storyOf();
    for (const name of ['a', 'b', 'c']) {
      const urn = makeUrn({ project: 'test', stack: 'test', parent: undefined, type: TYPE, name });
      const inputs = propertyMap({ size: 1 });
      story.providers.objects.set(`there-${name}`, {
        urn,
        type: TYPE,
        inputs,
        outputs: inputs,
        settings: undefined,
      });
    }
    return story;
  }

  test.each([true, false])('takes over the rest, each once (cut before the look: %s)', async (before) => {
    const story = imported();
    await story.runAndKill('read', 'b', { kind: 'import', imports: items, parallel: 1, before });
    expect(story.snapshot.resources.map(({ urn }) => urnName(urn))).toContain('a');
    expect(story.snapshot.resources.map(({ urn }) => urnName(urn))).not.toContain('c');
    story.providers.forgetCalls();
    const { result } = await story.goOn('resume', { kind: 'import', imports: items });
    expect(result.summary.result).toBe('succeeded');
    expect(story.providers.called('read')).not.toContain('read a');
    const ids = story.snapshot.resources.map(({ urn, id }) => [urnName(urn), id]);
    expect(Object.fromEntries(ids)).toMatchObject({ a: 'there-a', b: 'there-b', c: 'there-c' });
    expect(ids).toHaveLength(5);
    expect([story.providers.alive, story.snapshot.pendingOperations]).toEqual([['a', 'b', 'c'], []]);
    const whole = imported();
    await whole.run({ kind: 'import', imports: items });
    expect(stateOf(story)).toEqual(stateOf(whole));
  });
});
