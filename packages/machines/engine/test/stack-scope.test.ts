import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { resourceEntry, withEntry } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import { DAG_NAMES, dagProgram, dagState, dagSubsets, dagUrn } from './dag.js';
import { MockStack, diffAnswer, replaceOn, urnOf } from '@cairn/testkit';
import type { BareProgramFunction, Options, RequestOptions, StackBehaviour, StackRun } from '@cairn/testkit';

type Scope = NonNullable<RequestOptions['scope']>;

/** Selects all single targets and pairs, and one triple in four. */
const sampled = (names: readonly string[], index: number): boolean => names.length < 3 || index % 4 === 0;

/** Runs a preview, then the operation for real: both take the same steps and fail alike. */
async function both(world: MockStack, program: BareProgramFunction, scope: Scope): Promise<StackRun> {
  const preview = await world.preview(program, { scope });
  const run = await world.up(program, { scope });
  expect(preview.errors.length > 0).toBe(run.errors.length > 0);
  if (run.errors.length === 0) expect(preview.allSteps).toEqual(run.allSteps);
  return run;
}

/** As {@link both}, for a destroy. */
async function bothDestroys(world: MockStack, scope: Scope): Promise<StackRun> {
  const preview = await world.destroy({ scope, preview: true });
  const run = await world.destroy({ scope });
  expect(preview.errors.length > 0).toBe(run.errors.length > 0);
  if (run.errors.length === 0) expect(preview.allSteps.toSorted()).toEqual(run.allSteps.toSorted());
  return run;
}

/** Registers names in a line, each the child of the one before. */
const line =
  (...names: readonly string[]): BareProgramFunction =>
  async (p) => {
    let parent: Options['parent'];
    for (const name of names) parent = (await p.register(name, {}, { parent })).urn;
  };

/** Returns the URN of the last of a line. */
function lineUrn(...names: readonly string[]) {
  return names.reduce<ReturnType<typeof urnOf> | undefined>(
    (parent, name) => urnOf(name, undefined, parent),
    undefined,
  ) as ReturnType<typeof urnOf>;
}

/** Returns a read that counts: outputs `{count: n}`. */
function counting(): StackBehaviour {
  let count = 0;
  return {
    read: ({ id, inputs }) =>
      Promise.resolve({
        id,
        inputs,
        outputs: propertyMap({ count: (count += 1) }),
        refreshBeforeUpdate: false,
      }),
  };
}

const three =
  (v: number): BareProgramFunction =>
  async (p) => {
    const a = await p.register('A', { v });
    await p.register('B', { v }, { dependencies: [a.urn] });
    await p.register('C', { v });
  };

/** Returns steps of a kind, by name, sorted. */
const done = (run: StackRun, kind: string) =>
  run.allSteps
    .flatMap((step) => (step.startsWith(`${kind} `) ? [step.slice(kind.length + 1)] : []))
    .toSorted();

describe('targets in an up', () => {
  const changing: StackBehaviour = {
    diff: () => Promise.resolve(diffAnswer('some')),
    diffConfig: () => Promise.resolve(diffAnswer('some')),
    update: ({ news }) =>
      Promise.resolve({ outputs: propertyMap({ ...news, output_prop: 42 }), refreshBeforeUpdate: false }),
  };
  const dag = async (targets: readonly string[], targetDependents = false) => {
    const world = new MockStack();
    world.providers.behaviour = changing;
    world.snapshot = dagState();
    const scope = { targets, targetDependents };
    return targets.length > 1 ? world.up(dagProgram, { scope }) : both(world, dagProgram, scope);
  };

  test('LT2-011 targets are updated, nothing else but providers is; unknown literals fail, globs never do', async () => {
    for (const names of dagSubsets(3).filter(sampled)) {
      const run = await dag(names.map(dagUrn));
      expect(run.errors).toEqual([]);
      const updated = done(run, 'update');
      expect(updated).toEqual([...new Set([...names, 'A', 'C', 'D'])].toSorted());
      expect(done(run, 'same')).toEqual(DAG_NAMES.filter((name) => !updated.includes(name)));
    }
    const unknown = await dag(['foo']);
    expect(unknown.errors).toEqual([
      expect.stringContaining("Target 'foo' could not be found in the stack."),
      expect.stringContaining('one or more targets could not be found in the stack'),
    ]);
    expect(done(await dag([dagUrn('C')], true), 'update')).toEqual(
      expect.arrayContaining(['C', 'E', 'F', 'G', 'K']),
    );
    for (const glob of ['**C**', '**providers:pkgA**', '**nobody**']) {
      expect(done(await dag([glob]), 'update')).toEqual(['A', 'C', 'D']);
    }
  }, 60_000);

  test('LT2-035 what is untargeted keeps its dependencies, what it would newly need is not created', async () => {
    const world = new MockStack();
    const program =
      (v: number): BareProgramFunction =>
      async (p) => {
        await p.stack();
        await p.register('target', { v });
        const dependencies = v === 1 ? [] : [(await p.register('dep', { v })).urn];
        await p.register('unrelated', { v }, { dependencies });
      };
    await world.up(program(1));
    const run = await both(world, program(2), { targets: ['**target**'] });
    expect(run.errors).toEqual([]);
    expect(world.state.toSorted()).toEqual(['default', 'target', 'test-test', 'unrelated']);
    expect(world.entry('unrelated').dependencies).toEqual([]);
    expect(world.entry('unrelated').inputs).toEqual({ v: 1 });
    expect(world.entry('target').inputs).toEqual({ v: 2 });
  });

  test('LT2-024 an untargeted entry is the same before and after', async () => {
    const world = new MockStack();
    world.providers.behaviour = {
      check: ({ news }) =>
        Promise.resolve({ inputs: propertyMap({ ...news, __defaults: 'exists' }), failures: [] }),
    };
    const program: BareProgramFunction = async (p) => {
      await p.stack();
      await p.register('resA', { foo: 'foo' });
      await p.register('resB', { foo: 'bar' });
    };
    await world.up(program);
    const before = world.entry('resB');
    await both(world, program, { targets: [urnOf('resA')] });
    expect(world.entry('resB')).toEqual(before);
  });

  test('LT2-019 LT2-023 providers take part without being named', async () => {
    const explicit = new MockStack();
    await both(
      explicit,
      async (p) => {
        await p.register('resA', {}, { provider: await p.provider('provA') });
      },
      { targets: [urnOf('resA')] },
    );
    expect(explicit.state).toEqual(['provA', 'resA']);
    const implicit = new MockStack();
    await both(implicit, line('resA'), { targets: [urnOf('resA')] });
    expect(implicit.state).toEqual(['default', 'resA']);
  });

  test.each([false, true])('LT2-026 unrelated resources are no dependents (%s)', async (targetDependents) => {
    const world = new MockStack();
    const program: BareProgramFunction = async (p) => {
      await p.stack();
      await p.register('resA');
      await p.register('resB');
    };
    await both(world, program, { targets: [urnOf('resA')], targetDependents });
    expect(world.state).toEqual(['test-test', 'default', 'resA']);
  });

  test.each([
    [false, ['default', 'explicit', 'explicitX', 'implicitX', 'test-test']],
    [true, ['default', 'explicit', 'explicitX', 'explicitZ', 'implicitX', 'implicitZ', 'test-test']],
  ])(
    'LT2-028 dependents of a target, never its siblings on the same provider (%s)',
    async (targetDependents, state) => {
      const world = new MockStack();
      const program: BareProgramFunction = async (p) => {
        await p.stack();
        const x = await p.register('implicitX');
        await p.register('implicitY');
        await p.register('implicitZ', {}, { parent: x.urn });
        const provider = await p.provider('explicit');
        const parent = (await p.register('explicitX', {}, { provider })).urn;
        await p.register('explicitY', {}, { provider });
        await p.register('explicitZ', {}, { provider, parent });
      };
      await both(world, program, { targets: [urnOf('implicitX'), urnOf('explicitX')], targetDependents });
      expect(world.state.toSorted()).toEqual(state);
    },
  );

  test('a provider that is named brings in everything that uses it [TGT-4]', async () => {
    const world = new MockStack();
    const program: BareProgramFunction = async (p) => {
      const provider = await p.provider('prov');
      await p.register('resA', {}, { provider });
      await p.register('resB', {}, { provider });
      await p.register('resC');
    };
    const targets = [urnOf('prov', 'pulumi:providers:pkgA')];
    await both(world, program, { targets, targetDependents: true });
    expect(world.state).toEqual(['prov', 'resA', 'resB', 'default']);
  });
});

describe('creates that are left out', () => {
  /** Registers `a`, new and untargeted, and `b`, which refers to it in different ways. */
  const rows: [
    string,
    string,
    (p: Parameters<BareProgramFunction>[0], a: ReturnType<typeof urnOf>) => Options,
  ][] = [
    ['LT2-015', 'none', (_p, a) => ({ dependencies: [a] })],
    ['LT2-017', 'some', (_p, a) => ({ deletedWith: a })],
    ['LT2-018', 'some', (p, a) => ({ parent: a, aliases: [p.urn('b')] })],
    ['replaceWith', 'none', (_p, a) => ({ replaceWith: [a] })],
  ];
  test.each(rows)(
    '%s a target (diff: %s) that needs one does not come back',
    async (_id, changes, options) => {
      const world = new MockStack();
      await world.up(async (p) => {
        await p.stack();
        await p.register('b', { v: 1 });
      });
      world.providers.behaviour = { diff: () => Promise.resolve(diffAnswer(changes as 'none' | 'some')) };
      const before = world.state;
      let returned = false;
      const program: BareProgramFunction = async (p) => {
        await p.stack();
        const a = await p.register('a');
        expect(a).toMatchObject({ unknown: true, id: '', outputs: {}, result: 'success' });
        await p.register('b', { v: 1 }, options(p, a.urn));
        returned = true;
      };
      const preview = await world.preview(program, { scope: { targets: ['**b**'] } });
      expect(preview.errors).toEqual([
        expect.stringContaining('which was was not specified in --target list.'),
      ]);
      returned = false;
      const run = await world.up(program, { scope: { targets: ['**b**'] } });
      expect([returned, run.errors[1]]).toEqual([false, expect.stringContaining('untargeted create')]);
      expect(run.errors[0]).toContain(
        `Resource '${urnOf('b', undefined, _id === 'LT2-018' ? urnOf('a') : undefined)}' depends on '${urnOf('a')}'`,
      );
      expect(world.state).toEqual(before);
    },
  );

  test('LT2-020 left-out creates may depend on each other', async () => {
    const world = new MockStack();
    await world.up(line('resA'));
    const program: BareProgramFunction = async (p) => {
      const b = await p.register('resB');
      const c = await p.register('resC', {}, { dependencies: [b.urn] });
      expect(c.unknown).toBe(true);
      await p.outputs(c.urn, { ignored: 1 });
      await p.register('resA');
    };
    const run = await both(world, program, { targets: [urnOf('resA')] });
    expect([run.errors, run.steps]).toEqual([[], ['same resA']]);
    expect(world.state).toEqual(['default', 'resA']);
  });

  test('preview names each of them once, and goes on [TGT-6]', async () => {
    const world = new MockStack();
    const program: BareProgramFunction = async (p) => {
      const x = await p.register('x');
      const y = await p.register('y');
      await p.register('t1', {}, { dependencies: [x.urn, y.urn] });
      await p.register('t2', {}, { dependencies: [x.urn] });
      await p.read('t3', 'id', { dependencies: [y.urn] });
    };
    const preview = await world.preview(program, { scope: { targets: ['**::t*'] } });
    expect(preview.errors).toHaveLength(2);
    expect(preview.steps).toEqual(['create t1', 'create t2', 'read t3']);
    const reading = await world.up(
      async (p) => {
        const x = await p.register('x');
        await p.read('t3', 'id', { dependencies: [x.urn] });
      },
      { scope: { targets: ['**::t*'] } },
    );
    expect(reading.errors).toEqual([
      expect.stringContaining('was was not specified'),
      expect.stringContaining('untargeted create'),
    ]);
  });
});

describe('entries that stay as they are', () => {
  type Link = (urns: readonly ReturnType<typeof urnOf>[]) => Options;
  const relations: [string, Link][] = [
    ['dependencies', (urns) => ({ dependencies: urns })],
    ['parents', ([urn]) => ({ parent: urn })],
    ['property dependencies', (urns) => ({ dependencies: urns, propertyDependencies: { v: urns } })],
    ['deleted-with', ([urn]) => ({ deletedWith: urn })],
  ];
  const removals = [['a'], ['b'], ['a', 'b']];
  const cases = relations.flatMap(([name, link]) => removals.map((gone) => [name, gone, link] as const));
  test.each(cases)('LT2-039 chains by %s keep their order without %s', async (_name, gone, link) => {
    const world = new MockStack();
    const program =
      (v: number, without: readonly string[]): BareProgramFunction =>
      async (p) => {
        await p.stack();
        let before: ReturnType<typeof urnOf>[] = [];
        for (const name of ['a', 'b', 'c']) {
          if (without.includes(name)) before = [];
          else before = [(await p.register(name, { v }, before.length === 0 ? {} : link(before))).urn];
        }
        await p.register('target', { v });
      };
    await world.up(program(1, []));
    const old = new Map(world.snapshot.resources.map((entry) => [entry.urn, entry]));
    const run = await both(world, program(2, gone), { targets: ['**target**'] });
    expect(run.errors).toEqual([]);
    expect(done(run, 'update')).toEqual(['target']);
    expect(done(run, 'delete')).toEqual([]);
    for (const entry of world.snapshot.resources) {
      if (urnName(entry.urn) !== 'target') expect(entry).toEqual(old.get(entry.urn));
    }
    expect(world.snapshot.resources).toHaveLength(old.size);
    expect((await world.up(program(2, gone))).errors).toEqual([]);
  });

  test('LT2-039 a renamed link of a chain whose bottom is gone', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      const a = await p.register('a');
      const b = await p.register('b', {}, { dependencies: [a.urn] });
      await p.register('c', {}, { dependencies: [b.urn] });
      await p.register('target', { v: 1 });
    });
    const run = await both(
      world,
      async (p) => {
        const b = await p.register('b2', {}, { aliases: [p.urn('b')] });
        await p.register('c', {}, { dependencies: [b.urn] });
        await p.register('target', { v: 2 });
      },
      { targets: ['**target**'] },
    );
    expect([run.errors, run.steps]).toEqual([[], ['same a', 'same b2', 'same c', 'update target']]);
    expect(world.entry('c').dependencies).toEqual([urnOf('b2')]);
    expect(world.entry('b2').dependencies).toEqual([urnOf('a')]);
  });

  describe('an untargeted entry that refers to what is only left to be deleted', () => {
    const kinds: readonly (readonly [string, (a: Urn) => Options])[] = [
      ['dependencies', (a) => ({ dependencies: [a] })],
      ['propertyDependencies', (a) => ({ dependencies: [a], propertyDependencies: { v: [a] } })],
      ['deletedWith', (a) => ({ deletedWith: a })],
      ['replaceWith', (a) => ({ replaceWith: [a] })],
      ['parent', (a) => ({ parent: a })],
    ];
    const scopes: readonly Scope[] = [{ targets: ['**target**'] }, { excludes: ['**b**'] }];
    const rows = kinds.flatMap(([kind, options]) => scopes.map((scope) => ({ kind, options, scope })));

    test.each(rows)(
      '$kind $scope: it is renamed, or needed by what takes part',
      async ({ options, scope }) => {
        for (const name of ['b', 'b2']) {
          const world = new MockStack();
          await world.up(async (p) => {
            const a = await p.register('a');
            await p.register('b', { v: 1 }, options(a.urn));
            await p.register('target', { v: 1 });
          });
          const resources = world.snapshot.resources.map((each) =>
            each.urn === urnOf('a') ? withEntry(each, { delete: true }) : each,
          );
          world.snapshot = { ...world.snapshot, resources };
          const aliases = [world.entry('b').urn];
          const program: BareProgramFunction = async (p) => {
            const b = await p.register(name, { v: 1 }, { aliases });
            await p.register('target', { v: 2 }, { dependencies: [b.urn] });
          };
          const run = await both(world, program, scope);
          expect([run.errors, run.steps]).toEqual([[], [`same ${name}`, 'update target']]);
          expect(world.state).toEqual(['default', 'a(delete)', name, 'target']);
          expect((await both(world, program, {})).errors).toEqual([]);
          expect(world.state).toEqual(['default', name, 'target']);
        }
      },
    );
  });

  test('same steps: needed ones first and depth first, the rest at the end in snapshot order [TGT-7] [TGT-11]', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      const a = await p.register('a');
      const b = await p.register('b', {}, { dependencies: [a.urn] });
      await p.register('c', {}, { dependencies: [b.urn] });
      await p.register('d', {}, { dependencies: [a.urn] });
      await p.register('e');
      await p.register('target', { v: 1 });
    });
    const run = await both(
      world,
      async (p) => {
        await p.register('c');
        await p.register('target', { v: 2 }, { dependencies: [p.urn('d')] });
      },
      { targets: ['**target**'] },
    );
    expect([run.errors, run.steps]).toEqual([
      [],
      ['same a', 'same b', 'same c', 'same d', 'update target', 'same e'],
    ]);
    expect(world.entry('target').dependencies).toEqual([urnOf('d')]);
  });

  test('a target that nobody registers stays while something untargeted needs it, with a warning', async () => {
    const world = new MockStack();
    await world.up(three(1));
    const run = await both(
      world,
      async (p) => {
        await p.register('B', { v: 1 });
        await p.register('C', { v: 1 });
      },
      { targets: ['**::A'] },
    );
    expect([run.errors, run.steps]).toEqual([[], ['same A', 'same B', 'same C']]);
    expect(run.result.diagnostics).toEqual([
      expect.objectContaining({ severity: 'warning', summary: expect.stringContaining('is not deleted') }),
    ]);
    expect(world.state.toSorted()).toEqual(['A', 'B', 'C', 'default']);
  });

  test('LT2-042 an untargeted entry whose deletedWith was replaced under another URN', async () => {
    const world = new MockStack();
    const program =
      (first: boolean, aliases: boolean): BareProgramFunction =>
      async (p) => {
        const parent = (await p.register('resP')).urn;
        const options = first ? { parent } : aliases ? { aliases: [p.urn('resA', undefined, parent)] } : {};
        const a = await p.register('resA', { v: first ? 1 : 2 }, options);
        await p.register('resB', {}, { deletedWith: a.urn });
      };
    await world.up(program(true, false));
    world.providers.behaviour = {
      diff: replaceOn(['v']),
      delete: ({ urn }) =>
        urnName(urn) === 'resA'
          ? Promise.reject(new ProviderError('INTERNAL', 'failed to delete resA'))
          : Promise.resolve(),
    };
    const failed = await world.up(program(false, true), { scope: { targets: ['**resA**'] } });
    expect(failed.errors).toEqual([expect.stringContaining('failed to delete resA')]);
    expect(world.state.toSorted()).toEqual(['default', 'resA', 'resA(delete)', 'resB', 'resP']);
    expect(world.entry('resB').deletedWith).toBe(urnOf('resA'));
    world.providers.behaviour = { diff: replaceOn(['v']) };
    const run = await both(world, program(false, false), {});
    expect(run.errors).toEqual([]);
    expect(world.state.toSorted()).toEqual(['default', 'resA', 'resB', 'resP']);
  });

  test('LT2-047 targets that register after what depends on them are updated', async () => {
    const world = new MockStack();
    const names = ['rollback-1', 'rollback-2', 'rollback-3'];
    await world.up(async (p) => {
      const urns = [];
      for (const name of names) urns.push((await p.register(name, { value: 'initial' })).urn);
      await p.register('snapshot-marker', {}, { dependencies: urns });
    });
    const run = await both(
      world,
      async (p) => {
        await p.register('snapshot-marker');
        for (const name of names) await p.register(name, { value: 'updated' });
      },
      { targets: names.map((name) => urnOf(name)) },
    );
    expect(run.errors).toEqual([]);
    for (const name of names) expect(world.entry(name).inputs).toEqual({ value: 'updated' });
  });

  test('what turns a dependency around under targets is refused: there is no order for it', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      const second = await p.register('second', { v: 1 });
      const middle = await p.register('middle', {}, { dependencies: [second.urn] });
      await p.register('marker', {}, { dependencies: [middle.urn] });
    });
    const before = world.state;
    const rows: BareProgramFunction[] = [
      async (p) => {
        const marker = await p.register('marker');
        await p.register('second', { v: 3 }, { dependencies: [marker.urn] });
      },
      async (p) => {
        await p.register('second', { v: 3 }, { dependencies: [p.urn('marker')] });
      },
    ];
    for (const program of rows) {
      const turned = await both(world, program, { targets: ['**::second'] });
      expect(turned.errors).toEqual([expect.stringContaining('CAIRN-RESOURCE-CYCLE')]);
      expect(world.state).toEqual(before);
    }
    const excluded = await both(
      world,
      async (p) => {
        const middle = await p.register('middle');
        await p.read('second', world.entry('second').id, { dependencies: [middle.urn] });
      },
      { excludes: ['**::middle'] },
    );
    expect(excluded.errors).toEqual([expect.stringContaining('is excluded and still depends on it')]);
    const straightened = await both(
      world,
      async (p) => {
        await p.register('middle');
        const marker = await p.register('marker');
        await p.register('second', { v: 3 }, { dependencies: [marker.urn] });
      },
      { targets: ['**::second', '**::middle'] },
    );
    expect(straightened.errors).toEqual([]);
  });

  test('what turns a dependency around through another target is refused', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      const second = await p.register('second', { v: 1 });
      await p.register('middle', {}, { dependencies: [second.urn] });
    });
    const turned = await both(
      world,
      async (p) => {
        const middle = await p.register('middle');
        const added = await p.register('added', {}, { dependencies: [middle.urn] });
        await p.register('second', { v: 3 }, { dependencies: [added.urn] });
      },
      { targets: ['**::second', '**::added'] },
    );
    expect(turned.errors).toEqual([expect.stringContaining('CAIRN-RESOURCE-CYCLE')]);
  });
});

describe('targeted destroys', () => {
  const replacing: StackBehaviour = {
    diff: ({ oldOutputs, news }) =>
      Promise.resolve(
        oldOutputs['A'] === news['A']
          ? diffAnswer('none')
          : diffAnswer('some', { replaceKeys: ['A'], changedKeys: ['A'] }),
      ),
    diffConfig: ({ oldOutputs, news }) =>
      Promise.resolve(
        oldOutputs['A'] === news['A']
          ? diffAnswer('none')
          : diffAnswer('some', { replaceKeys: ['A'], changedKeys: ['A'], deleteBeforeReplace: true }),
      ),
  };
  const dag = async (names: readonly string[], targetDependents: boolean) => {
    const world = new MockStack();
    world.providers.behaviour = replacing;
    world.snapshot = dagState();
    const scope = { targets: names.map(dagUrn), targetDependents };
    return names.length > 1 ? world.destroy({ scope }) : bothDestroys(world, scope);
  };

  test('LT2-002 targets and their dependents go, everything else has a same step', async () => {
    for (const names of dagSubsets(3).filter(sampled)) {
      const run = await dag(names, true);
      expect(run.errors).toEqual([]);
      const deleted = done(run, 'delete');
      expect(deleted).toEqual(expect.arrayContaining([...names]));
      expect(done(run, 'same')).toEqual(DAG_NAMES.filter((name) => !deleted.includes(name)));
      expect(run.allSteps).toHaveLength(DAG_NAMES.length);
    }
    expect(done(await dag(['A'], true), 'delete')).toEqual(DAG_NAMES);
    const refused = await dag(['A'], false);
    expect(refused.errors).toHaveLength(12);
    expect(refused.errors.at(-1)).toContain('delete untargeted resource');
    expect(refused.allSteps).toEqual([]);
  }, 60_000);

  test('LT2-022 children, their dependents and nothing else', async () => {
    const entries: [string, string?, string?][] = [
      ['A'],
      ['B'],
      ['C'],
      ['D', 'A'],
      ['E', 'B'],
      ['F', 'B'],
      ['G', 'D'],
      ['H', 'D'],
      ['I', 'A', 'G'],
      ['J', 'E'],
      ['K', 'E', 'H'],
      ['L', 'F'],
      ['M', 'F'],
      ['N', undefined, 'H'],
    ];
    const isComponent = (name: string) => 'ABDEF'.includes(name);
    const urns = new Map<string, ReturnType<typeof urnOf>>();
    const state = (): MockStack => {
      const world = new MockStack();
      const resources = entries.map(([name, parent, needs]) => {
        const type = isComponent(name) ? 'my:index:Component' : 'pkgA:m:typA';
        const parentUrn = parent === undefined ? undefined : urns.get(parent);
        const urn = urnOf(name, type, parentUrn);
        urns.set(name, urn);
        const needed = [needs === undefined ? undefined : urns.get(needs)].filter(
          (each) => each !== undefined,
        );
        return resourceEntry({
          urn,
          type,
          custom: !isComponent(name),
          id: isComponent(name) ? '' : `id-${name}`,
          parent: parentUrn,
          dependencies: needed,
          propertyDependencies: needed.length === 0 ? {} : { A: needed },
        });
      });
      world.snapshot = { ...world.snapshot, resources };
      return world;
    };
    const rows: [string, boolean, readonly string[]][] = [
      ['A', true, ['A', 'D', 'G', 'H', 'I', 'K', 'N']],
      ['B', true, ['B', 'E', 'F', 'J', 'K', 'L', 'M']],
      ['A', false, []],
      ['B', false, []],
    ];
    for (const [name, targetDependents, expected] of rows) {
      const world = state();
      const run = await bothDestroys(world, { targets: [`**::${name}`], targetDependents });
      expect(done(run, 'delete')).toEqual(expected);
      const missing = run.errors.flatMap(
        (error) => /Resource '\S+::(\w)' will be destroyed/.exec(error)?.[1] ?? [],
      );
      const others = name === 'A' ? ['D', 'G', 'H', 'I', 'K', 'N'] : ['E', 'F', 'J', 'K', 'L', 'M'];
      expect(missing.toSorted()).toEqual(targetDependents ? [] : others);
    }
  });

  test.each([
    ['LT2-030', (a: ReturnType<typeof urnOf>): Options => ({ dependencies: [a] })],
    ['LT2-031', (a: ReturnType<typeof urnOf>): Options => ({ parent: a })],
  ])('%s what hangs on a target stops its destroy', async (_id, options) => {
    const world = new MockStack();
    await world.up(async (p) => {
      const a = await p.register('resA');
      await p.register('resB', {}, options(a.urn));
    });
    const before = world.snapshot;
    const run = await bothDestroys(world, { targets: [urnOf('resA')] });
    expect(run.errors).toEqual([
      expect.stringContaining(
        'will be destroyed but was not specified in --target list. Either include resource in --target list or ' +
          'pass --target-dependents to proceed.',
      ),
      expect.stringContaining('delete untargeted resource'),
    ]);
    expect(world.snapshot).toEqual(before);
  });

  const cannotDelete = () => Promise.reject(new ProviderError('INTERNAL', "can't delete"));

  test('LT2-032 a target that cannot be deleted stays', async () => {
    const world = new MockStack();
    await world.up(line('resA'));
    world.providers.behaviour = { delete: cannotDelete };
    const run = await world.destroy({ scope: { targets: [urnOf('resA')] } });
    expect(run.errors).toEqual([expect.stringContaining("can't delete")]);
    expect(world.state).toEqual(['default', 'resA']);
  });

  test.each([
    ['LT2-033', (a: ReturnType<typeof urnOf>): Options => ({ dependencies: [a] })],
    ['LT2-034', (a: ReturnType<typeof urnOf>): Options => ({ parent: a })],
  ])('%s a target stays when what hangs on it cannot be deleted', async (_id, options) => {
    for (const scope of [
      { targets: ['**::resA'], targetDependents: true },
      { targets: ['**::resA', '**::resB'] },
    ]) {
      const world = new MockStack();
      await world.up(async (p) => {
        const a = await p.register('resA');
        await p.register('resB', {}, options(a.urn));
      });
      world.providers.behaviour = { delete: cannotDelete };
      const run = await world.destroy({ scope });
      expect(run.errors).toHaveLength(1);
      expect(world.providers.called('delete')).toEqual(['delete resB']);
      expect(world.state).toEqual(['default', 'resA', 'resB']);
    }
  });

  test('LT1-090 a pending delete that is no target stays one', async () => {
    const world = new MockStack();
    const type = 'my:index:Component';
    world.snapshot = {
      ...world.snapshot,
      resources: [
        resourceEntry({ urn: urnOf('resA', type), type, custom: false }),
        resourceEntry({ urn: urnOf('resB', type), type, custom: false, delete: true }),
      ],
    };
    const run = await bothDestroys(world, { targets: [urnOf('resA', type)] });
    expect([run.errors, world.state]).toEqual([[], ['resB(delete)']]);
  });

  test('LT1-057 an up that would delete the pending delete under a target says so and deletes nothing', async () => {
    const world = new MockStack();
    const type = 'my:index:Component';
    const parent = urnOf('resA', type);
    world.snapshot = {
      ...world.snapshot,
      resources: [
        resourceEntry({ urn: parent, type, custom: false }),
        resourceEntry({
          urn: urnOf('childA', undefined, parent),
          type: 'pkgA:m:typA',
          custom: true,
          id: 'id',
          parent,
          delete: true,
        }),
      ],
    };
    const run = await both(world, () => Promise.resolve(), { targets: [parent] });
    expect(run.errors).toEqual([
      expect.stringContaining(
        `Resource '${urnOf('childA', undefined, parent)}' will be destroyed but was not`,
      ),
      expect.stringContaining('delete untargeted resource'),
    ]);
    expect(world.state).toEqual(['default', 'resA', 'childA(delete)']);
  });
});

describe('excludes', () => {
  test('LT2-004 an excluded resource and its dependents are not created', async () => {
    const world = new MockStack();
    const excludes = [lineUrn('resA', 'resB')];
    const run = await both(world, line('resA', 'resB', 'resC', 'resD'), {
      excludes,
      excludeDependents: true,
    });
    expect([run.errors, world.state]).toEqual([[], ['default', 'resA']]);
  });

  test('everything else is created; references to what was left out cannot be stored [TGT-6]', async () => {
    const world = new MockStack();
    const unknown: boolean[] = [];
    const program: BareProgramFunction = async (p) => {
      const a = await p.register('resA');
      const b = await p.register('resB', {}, { parent: a.urn });
      unknown.push(b.unknown);
      const c = await p.register('resC', { v: 1 }, { parent: b.urn, dependencies: [b.urn, a.urn] });
      await p.register('resD', { v: 1 }, { replaceWith: [b.urn], deletedWith: b.urn, dependencies: [c.urn] });
      await p.read('resE', 'id', { parent: b.urn, dependencies: [b.urn] });
    };
    const run = await both(world, program, { excludes: [lineUrn('resA', 'resB')] });
    expect([run.errors, world.state]).toEqual([[], ['default', 'resA', 'resC', 'resD', 'resE']]);
    const a = world.entry('resA').urn;
    expect(world.entry('resC')).toMatchObject({
      parent: a,
      dependencies: [a],
      propertyDependencies: { v: [a] },
    });
    expect(world.entry('resD')).toMatchObject({ replaceWith: [], deletedWith: undefined });
    expect(world.entry('resE')).toMatchObject({ parent: a, dependencies: [] });
    const whole = await both(world, program, {});
    expect([whole.errors, done(whole, 'create')]).toEqual([[], ['resB']]);
    expect(unknown).toEqual([true, true, false, false]);
  });

  test('LT2-005 what an excluded resource needs survives a destroy, and can be excluded itself', async () => {
    const world = new MockStack();
    await world.up(line('resA', 'resB', 'resC'));
    const first = await bothDestroys(world, { excludes: [lineUrn('resA'), lineUrn('resA', 'resB')] });
    expect([first.errors, world.state]).toEqual([[], ['default', 'resA', 'resB']]);
    const second = await bothDestroys(world, {
      excludes: ['urn:pulumi:test::test::pulumi:providers:pkgA::default'],
    });
    expect([second.errors, world.state]).toEqual([[], ['default']]);
  });

  test('LT2-006 dependents of an excluded resource survive when that is asked for', async () => {
    const world = new MockStack();
    await world.up(line('resA', 'resB', 'resC'));
    const run = await bothDestroys(world, { excludes: [lineUrn('resA')], excludeDependents: true });
    expect(run.errors).toEqual([]);
    expect(run.allSteps).toEqual(['same default', 'same resA', 'same resB', 'same resC']);
    expect(world.state).toEqual(['default', 'resA', 'resB', 'resC']);
  });

  test('LT2-007 the provider of an excluded resource survives', async () => {
    const world = new MockStack();
    await world.up(line('resA', 'resB'));
    const run = await bothDestroys(world, { excludes: [lineUrn('resA')] });
    expect([run.errors, world.state]).toEqual([[], ['default', 'resA']]);
  });

  test('LT2-008 globs exclude', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      await p.register('resA');
      await p.register('resB');
    });
    const run = await both(world, () => Promise.resolve(), { excludes: ['**pkgA**'] });
    expect(run.errors).toEqual([]);
    expect(world.state).toEqual(['default', 'resA', 'resB']);
  });

  test('what an excluded resource needs is not deleted; targets win over excludes', async () => {
    const world = new MockStack();
    await world.up(three(1));
    const run = await both(world, () => Promise.resolve(), { excludes: ['**::B'] });
    expect([run.errors, done(run, 'delete'), done(run, 'same')]).toEqual([[], ['C'], ['A', 'B', 'default']]);
    const won = await both(world, three(2), { targets: ['**::A'], excludes: ['**::A'] });
    expect([won.errors, won.steps]).toEqual([[], ['update A', 'same B']]);
  });

  test('dependents of an excluded entry stay as they are when that is asked for, else they change', async () => {
    for (const excludeDependents of [false, true]) {
      const world = new MockStack();
      await world.up(three(1));
      const run = await both(world, three(2), { excludes: ['**::A'], excludeDependents });
      expect(run.steps).toEqual(['same A', excludeDependents ? 'same B' : 'update B', 'update C']);
    }
  });

  test('a delete-first replacement that would take an excluded or untargeted resource along is refused', async () => {
    const program =
      (v: number): BareProgramFunction =>
      async (p) => {
        const a = await p.register('A', { v });
        await p.register('B', { in: 1 }, { dependencies: [a.urn], propertyDependencies: { in: [a.urn] } });
      };
    const world = new MockStack();
    await world.up(program(1));
    const before = world.snapshot;
    world.providers.behaviour = { diff: replaceOn(['v', 'in'], true) };
    const rows: [Scope, string][] = [
      [{ excludes: ['**::B'] }, 'cannot live without it and is excluded'],
      [{ targets: ['**::A'] }, 'will be destroyed but was not specified'],
    ];
    for (const [scope, text] of rows) {
      const run = await both(world, program(2), scope);
      expect(run.errors).toEqual([expect.stringContaining(text)]);
      expect(world.snapshot).toEqual(before);
    }
    const run = await both(world, program(2), { targets: ['**::A'], targetDependents: true });
    expect([run.errors, done(run, 'create-replacement')]).toEqual([[], ['A', 'B']]);
  });

  test('an update does not check excludes, a refresh checks both lists before any read', async () => {
    const world = new MockStack();
    await world.up(line('resA'));
    expect((await both(world, line('resA'), { excludes: ['nobody'] })).errors).toEqual([]);
    for (const scope of [{ excludes: ['nobody'] }, { targets: ['nobody'] }]) {
      const run = await world.refresh({ scope });
      expect(run.errors).toEqual([
        expect.stringContaining("Target 'nobody' could not be found in the stack."),
        expect.stringContaining('one or more targets could not be found in the stack'),
      ]);
      expect(run.result.diagnostics[0]?.hint).toContain('quote');
    }
    expect(world.providers.called('read')).toEqual([]);
  });
});

describe('refreshes', () => {
  const counts = (world: MockStack) =>
    Object.fromEntries(
      ['resA', 'resB', 'resC', 'resD'].map((name) => [name, world.entry(name).outputs['count']]),
    );

  test('LT2-001 a target and its dependents', async () => {
    const world = new MockStack();
    await world.up(line('resA', 'resB', 'resC', 'resD'));
    world.providers.behaviour = counting();
    const run = await world.refresh({
      scope: { targets: [lineUrn('resA', 'resB')], targetDependents: true },
    });
    expect(run.errors).toEqual([]);
    expect(world.providers.called('read').toSorted()).toEqual(['read resB', 'read resC', 'read resD']);
    expect(counts(world)).toEqual({ resA: undefined, resB: 1, resC: 2, resD: 3 });
  });

  test('LT2-010 everything but an excluded resource and its dependents', async () => {
    const world = new MockStack();
    await world.up(line('resA', 'resB', 'resC', 'resD'));
    world.providers.behaviour = counting();
    const run = await world.refresh({
      scope: { excludes: [lineUrn('resA', 'resB')], excludeDependents: true },
    });
    expect(run.errors).toEqual([]);
    expect(counts(world)).toEqual({ resA: 1, resB: undefined, resC: undefined, resD: undefined });
    const some = await world.refresh({ scope: { excludes: [lineUrn('resA', 'resB')] } });
    expect(done(some, 'refresh')).toEqual(['default', 'resA', 'resC', 'resD']);
  });
});

describe('what a refresh leaves behind', () => {
  /** Simulates objects deleted by others. */
  const gone = (...names: readonly string[]): StackBehaviour => ({
    read: ({ urn, id, inputs, state }) =>
      Promise.resolve({
        id: names.includes(urnName(urn)) ? '' : id,
        inputs,
        outputs: state,
        refreshBeforeUpdate: false,
      }),
  });

  test.each([
    [['B', 'C'], 'A'],
    [['C'], 'B'],
    [['A', 'B', 'C'], undefined],
  ])('without %j the parent of D is %s [REF-6]', async (lost, parent) => {
    const world = new MockStack();
    await world.up(line('A', 'B', 'C', 'D', 'E'));
    world.providers.behaviour = gone(...lost);
    const run = await world.refresh();
    expect(run.errors).toEqual([]);
    const found = world.entry('D').parent;
    expect(found && urnName(found)).toBe(parent);
    expect(world.entry('E').parent).toBe(world.entry('D').urn);
  });

  test('references to what is gone are dropped, also when only targets were looked up [REF-6]', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      const a = await p.register('A');
      const b = await p.register('B');
      const both = [a.urn, b.urn];
      await p.register(
        'C',
        { x: 1, y: 1 },
        {
          dependencies: both,
          propertyDependencies: { x: [a.urn], y: both, z: [] },
          replaceWith: both,
          deletedWith: a.urn,
        },
      );
    });
    world.providers.behaviour = gone('A', 'B');
    const run = await world.refresh({ scope: { targets: ['**::A'] } });
    expect(run.errors).toEqual([]);
    expect(world.state).toEqual(['default', 'B', 'C']);
    const b = world.entry('B').urn;
    expect(world.entry('C')).toMatchObject({
      dependencies: [b],
      propertyDependencies: { y: [b] },
      replaceWith: [b],
      deletedWith: undefined,
    });
  });

  test('before an up, flagged entries are looked up as far as the scope goes [REF-3]', async () => {
    const world = new MockStack();
    world.providers.behaviour = {
      create: ({ inputs }) => Promise.resolve({ id: 'id', outputs: inputs, refreshBeforeUpdate: true }),
    };
    await world.up(line('A', 'B'));
    world.providers.behaviour = {};
    const rows: [Scope, readonly string[]][] = [
      [{ targets: ['**::B'] }, ['B']],
      [{ excludes: ['**::B'] }, ['A']],
      [{ targets: ['**::A'], targetDependents: true }, ['A', 'B']],
    ];
    for (const [scope, expected] of rows) {
      expect(done(await world.preview(line('A', 'B'), { scope }), 'refresh')).toEqual(expected);
    }
  });
});

describe('replacements that are asked for', () => {
  test('LT2-021 they are replaced whatever their diff says, and nothing else is', async () => {
    const world = new MockStack();
    world.snapshot = dagState();
    world.providers.behaviour = {
      diff: () => Promise.resolve(diffAnswer('none')),
      diffConfig: () => Promise.resolve(diffAnswer('none')),
      create: ({ inputs }) =>
        Promise.resolve({ id: 'created-id', outputs: inputs, refreshBeforeUpdate: false }),
    };
    const run = await both(world, dagProgram, { replace: ['F', 'B', 'G'].map(dagUrn) });
    expect(run.errors).toEqual([]);
    for (const kind of ['replace', 'create-replacement', 'delete-replaced']) {
      expect(done(run, kind)).toEqual(['B', 'F', 'G']);
    }
    expect(done(run, 'same')).toEqual([...'ACDEHIJKL']);
  });

  test('what is not in the stack is found before the program starts [TGT-2]', async () => {
    const world = new MockStack();
    await world.up(line('resA'));
    let started = false;
    const run = await both(
      world,
      () => {
        started = true;
        return Promise.resolve();
      },
      { replace: [urnOf('resB'), urnOf('resA'), '**nobody'] },
    );
    expect(started).toBe(false);
    expect(run.errors).toEqual([
      expect.stringContaining(`Target '${urnOf('resB')}' could not be found in the stack.`),
      expect.stringContaining('one or more targets could not be found in the stack'),
    ]);
  });

  test('without old inputs in its check, once, in the order of the option; an untargeted one stays [DIFF-2]', async () => {
    const world = new MockStack();
    const program =
      (deleteBeforeReplace?: boolean): BareProgramFunction =>
      async (p) => {
        await p.register('resA', { v: 1 }, { deleteBeforeReplace });
        await p.register('resB');
      };
    await world.up(program());
    world.providers.behaviour = {
      diff: () => Promise.resolve(diffAnswer('none', { deleteBeforeReplace: true })),
    };
    world.providers.calls.length = 0;
    const run = await world.up(program(), { scope: { replace: [urnOf('resA')] } });
    expect(run.steps).toEqual([
      'create-replacement resA',
      'replace resA',
      'same resB',
      'delete-replaced resA',
    ]);
    const checks = world.providers.calls.filter(({ method, name }) => method === 'check' && name === 'resA');
    expect(checks).toMatchObject([{ request: { olds: undefined } }]);
    const first = await both(world, program(true), { replace: [urnOf('resA')] });
    expect(first.steps).toEqual([
      'delete-replaced resA',
      'replace resA',
      'create-replacement resA',
      'same resB',
    ]);
    const untargeted = await both(world, program(), { replace: [urnOf('resA')], targets: [urnOf('resB')] });
    expect(untargeted.steps).toEqual(['same resA', 'same resB']);
  });
});

describe('protection', () => {
  const protectedOne =
    (A: number, options: Options = {}): BareProgramFunction =>
    async (p) => {
      await p.register('resA', { A }, { protect: true, ...options });
    };

  test('LT1-101 a protected resource is replaced when protection is ignored, and stays protected', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diff: replaceOn(['A']) };
    await world.up(protectedOne(1));
    const refused = await world.up(protectedOne(2));
    expect(refused.errors).toEqual([expect.stringContaining('it is protected')]);
    const run = await world.up(protectedOne(2), { policy: { ignoreProtect: true } });
    expect([run.errors, done(run, 'delete-replaced')]).toEqual([[], ['resA']]);
    expect(world.entry('resA').protect).toBe(true);
  });

  test('LT1-102 so is a protected dependent of a delete-first replacement', async () => {
    const world = new MockStack();
    const program =
      (A: number): BareProgramFunction =>
      async (p) => {
        const a = await p.register('resA', { A });
        await p.register(
          'resB',
          { A: 1 },
          { protect: true, dependencies: [a.urn], propertyDependencies: { A: [a.urn] } },
        );
      };
    await world.up(program(1));
    world.providers.behaviour = { diff: replaceOn(['A'], true) };
    expect((await world.up(program(2))).errors).toHaveLength(1);
    const run = await world.up(program(2), { policy: { ignoreProtect: true } });
    expect(run.errors).toEqual([]);
    expect(world.state).toEqual(['default', 'resA', 'resB']);
    expect(world.entry('resB').protect).toBe(true);
  });

  test('deletes and destroys of protected resources [DEL-4]', async () => {
    for (const kind of ['up', 'destroy'] as const) {
      const world = new MockStack();
      await world.up(protectedOne(1));
      const refused = await world.run({ kind }, undefined);
      expect(refused.errors).toEqual([expect.stringContaining('it is protected')]);
      const run = await world.run({ kind, policy: { ignoreProtect: true } }, undefined);
      expect([run.errors, world.state]).toEqual([[], []]);
    }
  });

  test('LT1-078 a protected resource that is deleted with another one stops its replacement', async () => {
    const world = new MockStack();
    const program =
      (foo: number): BareProgramFunction =>
      async (p) => {
        const t = await p.register('T', { foo });
        await p.register('D', {}, { deletedWith: t.urn, protect: true });
      };
    await world.up(program(1));
    const before = world.snapshot;
    world.providers.behaviour = { diff: replaceOn(['foo'], true) };
    const run = await both(world, program(2), {});
    expect(run.errors).toEqual([expect.stringContaining('it is protected')]);
    expect(world.snapshot).toEqual(before);
  });
});

describe('partners', () => {
  test('LT1-036 each of two partners whose inputs changed is replaced once', async () => {
    const world = new MockStack();
    const program =
      (v: number): BareProgramFunction =>
      async (p) => {
        const a = await p.register('A', { foo: v });
        await p.register('B', { bar: v }, { replaceWith: [a.urn] });
      };
    await world.up(program(1));
    world.providers.behaviour = { diff: replaceOn(['foo', 'bar']) };
    await both(world, program(2), {});
    expect(
      world.providers.calls.filter(
        ({ method, request }) => method === 'create' && !(request as { preview: boolean }).preview,
      ),
    ).toHaveLength(4);
    expect(world.providers.called('delete').toSorted()).toEqual(['delete A', 'delete B']);
    expect(world.state).toEqual(['default', 'A', 'B']);
  });

  test('LT1-080 replaced with one partner, deleted with another', async () => {
    const world = new MockStack();
    const program =
      (first: boolean): BareProgramFunction =>
      async (p) => {
        const b = first ? [(await p.register('B')).urn] : [];
        const c = await p.register('C', { foo: first ? 1 : 2 });
        await p.register('A', {}, { deletedWith: b[0], replaceWith: [c.urn] });
      };
    await world.up(program(true));
    expect(world.entry('A')).toMatchObject({ deletedWith: urnOf('B'), replaceWith: [urnOf('C')] });
    world.providers.behaviour = { diff: replaceOn(['foo']) };
    const run = await both(world, program(false), {});
    expect(done(run, 'create-replacement')).toEqual(['A', 'C']);
    expect(world.providers.called('delete').toSorted()).toEqual(['delete B', 'delete C']);
    expect(world.state).toEqual(['default', 'C', 'A']);
  });
});
