import { asUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Status } from '@cairn/changes';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import { Before } from '../execute/undo/before.js';
import { objectKey } from '../model/history.js';
import type { PastTask } from '../model/history.js';
import type { StepKind } from '../model/step-kinds.js';
import { LiveState } from '../record/live-state.js';
import { planRollback } from './plan-rollback.js';
import type { RollbackFacts } from './plan-rollback.js';

/** Plans of a lineage's rollback [REC-12], from the previous state, the present state, and its tasks. */

const urnOf = (name: string): Urn => asUrn(`urn:pulumi:dev::p::a:b:C::${name}`);

/**
 * `a1@2>b`: resource a with the first object and inputs of version 2, which depends on b. `!`: pending delete; `?`:
 * pending replacement.
 */
function entries(text: string): readonly ResourceEntry[] {
  return words(text).map((word) => {
    const [, name = '', id = '', version, flags = '', needs = ''] =
      /^([a-z])(\d)(?:@(\d))?([!?]*)(?:>(\w+))?$/.exec(word) ?? [];
    return resourceEntry({
      urn: urnOf(name),
      type: 'a:b:C',
      custom: true,
      id: `${name}${id}`,
      created: `at ${id}`,
      inputs: propertyMap({ v: Number(version ?? 1) }),
      dependencies: [...needs].map(urnOf),
      delete: flags.includes('!'),
      pendingReplacement: flags.includes('?'),
    });
  });
}

/** Reads tasks in order, done unless they state otherwise: `create a`, `update a=undone`, `delete a+container`. */
function tasks(...texts: readonly string[]): readonly PastTask[] {
  return texts.map((text, index) => {
    const [, kind = '', name = '', status = 'done', container] =
      /^([a-z-]+) ([a-z])(?:=(\w+))?(\+container)?$/.exec(text) ?? [];
    return {
      change: '1',
      id: String(index + 1),
      kind: kind as StepKind,
      urn: urnOf(name),
      status: status as Status,
      undone: status === 'undone',
      goal: undefined,
      rollback: undefined,
      lanes: [0],
      ...(container !== undefined && { withContainer: true }),
    };
  });
}

/** Returns undos in the order in which the steps were done, each with those that it came after: `remove b <a`. */
function planned(
  was: string,
  is: string,
  past: readonly PastTask[],
  more: Partial<RollbackFacts> = {},
): readonly string[] {
  const before = new Before(entries(was).filter((entry) => !entry.delete));
  const plan = planRollback({
    before,
    leavingBefore: entries(was).filter((entry) => entry.delete),
    present: new LiveState(entries(is)).cells(),
    past,
    ...more,
  });
  const name = (index: number) => nameOf(plan.undos[index]?.urn);
  return [
    ...plan.undos.map(({ part, urn, cell, withContainer, after }) =>
      [
        part,
        nameOf(urn),
        ...(cell?.entry.delete === true ? ['(left over)'] : []),
        ...(withContainer ? ['(went along)'] : []),
        ...after.map((index) => `<${name(index)}`),
      ].join(' '),
    ),
    ...plan.createdAgain.map(({ since }) => `again ${since.id}`),
    ...plan.vanished.map((urn) => `vanished ${nameOf(urn)}`),
  ];
}

test.each<
  readonly [title: string, was: string, is: string, past: readonly PastTask[], plan: readonly string[]]
>([
  ['nothing was done', 'a1 b1', 'a1 b1', [], []],
  ['only the order is another one', 'a1 b1', 'b1 a1', tasks(), []],
  ['one was made', 'a1', 'a1 b1', tasks('create b'), ['remove b']],
  [
    'two were made, one on the other: the later one goes first',
    '',
    'a1 b1>a',
    tasks('create a', 'create b'),
    ['remove a', 'remove b <a'],
  ],
  ['one was altered', 'a1@1', 'a1@2', tasks('update a'), ['restore a']],
  ['one was altered, and that was rolled back', 'a1@1', 'a1@1', tasks('update a=undone'), []],
  ['one was deleted', 'a1 b1', 'a1', tasks('delete b'), ['recreate b']],
  [
    'two were deleted: the first one back is what the other needs',
    'a1 b1>a',
    '',
    tasks('delete b', 'delete a'),
    ['recreate b', 'recreate a <b'],
  ],
  ['one that a look did not find stays away', 'a1', '', tasks('refresh a'), []],
  ['a delete that held did nothing', 'a1 b1', 'a1', tasks('delete b=hold'), []],
  [
    'one went along with its container',
    'a1 b1',
    'a1',
    tasks('delete b+container'),
    ['recreate b (went along)'],
  ],
  [
    'one went along with its container, and was replaced: the new object did not',
    'a1 b1>a',
    'a2 b2>a a1!',
    tasks('create-replacement a', 'create-replacement b', 'delete-replaced b+container'),
    ['remove a', 'remove b <a', 'recreate b (went along) <b'],
  ],
  [
    'replaced, create first, the old one still there',
    'a1',
    'a2 a1!',
    tasks('create-replacement a'),
    ['remove a'],
  ],
  [
    'replaced, create first, the old one deleted',
    'a1',
    'a2',
    tasks('create-replacement a', 'delete-replaced a'),
    ['remove a', 'recreate a <a'],
  ],
  ['replaced, delete first, nothing new yet', 'a1', 'a1?', tasks('delete-replaced a'), ['recreate a']],
  [
    'replaced, delete first',
    'a1',
    'a2',
    tasks('delete-replaced a', 'create-replacement a'),
    ['recreate a', 'remove a <a'],
  ],
  ['what was on its way out before is left alone', 'a1 b1!', 'a1', tasks('delete-replaced b'), []],
  ['what was on its way out before and still is', 'a1 b1!', 'a1 b1!', tasks(), []],
  [
    'a left-over of the lineage goes',
    'a1',
    'a1 a2!',
    tasks('create-replacement a'),
    ['remove a (left over)'],
  ],
  [
    'gone without a step that deleted it, and made anew: there is nothing to lead back to',
    'a1',
    'a2',
    tasks('create a'),
    ['remove a', 'vanished a'],
  ],
])('%s', (_, was, is, past, plan) => {
  expect(planned(was, is, past)).toEqual(plan);
});

test('only what is asked for, and the rest of the lineage later', () => {
  const past = tasks('update a', 'update b', 'create c');
  const only = new Set([urnOf('b')]);
  expect(planned('a1@1 b1@1', 'a1@2 b1@2 c1', past, { only })).toEqual(['restore b']);
  expect(planned('a1@1 b1@1', 'a1@2 b1@1 c1', past)).toEqual(['restore a', 'remove c']);
});

test('what a look has found altered stays as it was found; what was altered since is rolled back to that', () => {
  const found = new Map(entries('a1@2').map((entry) => [entry.urn, entry] as const));
  expect(planned('a1@1', 'a1@2', tasks('refresh a'), { found })).toEqual([]);
  expect(planned('a1@1', 'a1@3', tasks('refresh a', 'update a'), { found })).toEqual(['restore a']);
});

test('a rollback that was cut off: what it has created again takes the place of what it was', () => {
  const past = [...tasks('delete a', 'delete b'), ...tasks('delete a=undone', 'delete b=undoing')];
  const plan = planned('a1 b1>a', 'a3', past, { made: new Set() });
  expect(plan).toEqual(['recreate b', 'again a3']);
});

test('a rollback that never learned what became of a create: what was found since takes the place of what it was', () => {
  const lost = tasks('delete a=wait').map((task) => ({ ...task, undoWasInDoubt: true }));
  const past = [...tasks('delete a'), ...lost];
  expect(planned('a1', 'a3', past, { made: new Set() })).toEqual(['again a3']);
  expect(planned('a1', '', past, { made: new Set() })).toEqual(['recreate a']);
});

test('an object that the lineage itself has made is not one that a rollback has created again', () => {
  const past = [...tasks('delete-replaced a', 'create-replacement a'), ...tasks('delete a=undone')];
  const [made] = entries('a2');
  const made2 = new Set([objectKey(made as ResourceEntry)]);
  expect(planned('a1', 'a2', past, { made: made2 })).toEqual(['recreate a', 'remove a <a']);
});

test('the last word of the program about a resource counts, and take-overs are forgotten only', () => {
  const past = tasks('import a').map((task) => ({ ...task, rollback: 'hold' as const }));
  const before = new Before([]);
  const present = new LiveState(entries('a1')).cells();
  const { undos } = planRollback({ before, leavingBefore: [], present, past });
  expect(undos).toMatchObject([{ part: 'remove', imported: true, option: 'hold' }]);
});

function nameOf(urn: Urn | undefined): string {
  return urn?.split('::').at(-1) ?? '';
}

function words(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}
