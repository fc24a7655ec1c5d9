import type { Urn } from '@cairn/addresses';
import { urnName } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { ProgramContext, ProgramFunction } from '@cairn/testkit';
import { MockWorld, Story } from '@cairn/testkit';

/**
 * An update drops `a` and all references to it; the process dies while `a` is deleted. Until it is known whether `a`
 * exists, only entries that referred to it anyway do so.
 */

const TYPE = 'pkgA:m:typA';

type Options = NonNullable<Parameters<ProgramContext['resource']>[3]>;

interface Row {
  /** Options of `d` while `a` exists. */
  readonly refers: (a: Urn) => Options;
  /** Options of `d` without `a`. Defaults to none. */
  readonly otherwise?: (stack: Urn, a: Urn) => Options;
  readonly has: (d: ResourceEntry, a: Urn) => boolean;
}

/** Returns the URN of `d` below `a`. */
const under = (a: Urn): string => a.replace(/::a$/, `$${TYPE}::d`);

const ROWS: Readonly<Record<string, Row>> = {
  'a dependency': {
    refers: (a) => ({ dependencies: [a] }),
    has: (d, a) => d.dependencies.includes(a),
  },
  'a dependency of a property': {
    refers: (a) => ({ dependencies: [a], propertyDependencies: { of: [a] } }),
    has: (d, a) => d.propertyDependencies['of']?.includes(a) === true,
  },
  deletedWith: { refers: (a) => ({ deletedWith: a }), has: (d, a) => d.deletedWith === a },
  'a parent': {
    refers: (a) => ({ parent: a, aliases: [{ kind: 'urn', urn: a.replace(/::a$/, '::d') }] }),
    otherwise: (stack, a) => ({ aliases: [{ kind: 'urn', urn: under(a) }], parent: stack }),
    has: (d, a) => d.parent === a,
  },
  replaceWith: { refers: (a) => ({ replaceWith: [a] }), has: (d, a) => d.replaceWith.includes(a) },
};

function programs({ refers, otherwise = () => ({}) }: Row): readonly [ProgramFunction, ProgramFunction] {
  const rest = async ({ resource }: ProgramContext, options: Options) => {
    const d = await resource(TYPE, 'd', { of: 'd' }, options);
    await resource(TYPE, 'e', { of: 'e' }, { dependencies: [d.urn as Urn] });
  };
  return [
    async (context) => {
      const a = await context.resource(TYPE, 'a', { of: 'a' });
      await rest(context, refers(a.urn as Urn));
    },
    async (context) =>
      rest(
        context,
        otherwise(context.stack, context.stack.replace(/pulumi:pulumi:Stack::.*$/, `${TYPE}::a`) as Urn),
      ),
  ];
}

const keyOf = ({ inDoubt: [task] }: Story): string => task?.resolves ?? `${task?.change}/${task?.id}`;

const entryOf = ({ snapshot }: Story, name: string): ResourceEntry | undefined =>
  snapshot.resources.find(({ urn }) => urnName(urn) === name);

async function killed(row: Row, before: boolean): Promise<Story> {
  const [first, second] = programs(row);
  const story = new Story(new MockWorld({ pkgA: { behaviour: { reads: 'record' } } }));
  await story.run({ program: first });
  await story.runAndKill('delete', 'a', { program: second, before });
  story.providers.forgetCalls();
  return story;
}

describe.each(Object.entries(ROWS))('%s', (_, row) => {
  test.each([false, true])(
    'a rollback leaves it out until it is known what became of the delete (cut before its effect: %s)',
    async (before) => {
      const story = await killed(row, before);
      const a = entryOf(story, 'a')?.urn as Urn;
      expect((await story.goOn('rollback')).result.summary.result).toBe('waiting');
      expect(row.has(entryOf(story, 'd') as ResourceEntry, a)).toBe(false);
      const answer = before ? 'not-done' : ({ done: true } as const);
      const said = await story.goOn('resolve', { resolutions: new Map([[keyOf(story), answer]]) });
      expect(said.result.summary.result).toBe('succeeded');
      const { result } = await story.goOn('rollback');
      expect(result.summary.result).toBe('succeeded');
      expect(row.has(entryOf(story, 'd') as ResourceEntry, a)).toBe(true);
      expect(entryOf(story, 'e')?.dependencies).toEqual([entryOf(story, 'd')?.urn]);
      expect(story.providers.called('create')).toEqual(before ? [] : ['create a']);
      expect(story.providers.called('delete')).toEqual([]);
      expect([...story.providers.alive].sort()).toEqual(['a', 'd', 'e']);
    },
  );

  test.each([false, true])(
    'an update that goes back to the first program waits as well (cut before its effect: %s)',
    async (before) => {
      const story = await killed(row, before);
      const [first] = programs(row);
      expect((await story.run({ program: first })).result.summary.result).toBe('waiting');
      const answer = before ? 'not-done' : ({ done: true } as const);
      await story.goOn('resolve', { resolutions: new Map([[keyOf(story), answer]]) });
      expect((await story.run({ program: first })).result.summary.result).toBe('succeeded');
      expect(story.providers.called('create')).toEqual(before ? [] : ['create a']);
      expect(story.providers.called('delete')).toEqual([]);
    },
  );
});

test('what is found gone when an update of it was in doubt is referred to no more', async () => {
  const sized =
    (size: number): ProgramFunction =>
    async ({ resource }) => {
      const a = await resource(TYPE, 'a', { size });
      await resource(TYPE, 'd', { of: 'd' }, { dependencies: [a.urn as Urn] });
    };
  const story = new Story(new MockWorld({ pkgA: {} }));
  await story.run({ program: sized(1) });
  await story.runAndKill('update', 'a', { program: sized(2) });
  story.providers.objects.clear();
  expect((await story.goOn('rollback')).result.summary.result).toBe('succeeded');
  expect(entryOf(story, 'a')).toBeUndefined();
  expect(entryOf(story, 'd')?.dependencies).toEqual([]);
});
