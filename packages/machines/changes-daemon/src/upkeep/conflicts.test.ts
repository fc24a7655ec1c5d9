import { EVERYTHING } from '@cairn/changes';
import type { Claim } from '@cairn/changes';
import type { AffectingTask, ConflictRules, RunningChange, WantedChange } from './conflicts.js';
import { affectedBy, refuseConflict } from './conflicts.js';

const own = (key: string): Claim => ({ key, mode: 'exclusive' });
const RULES: ConflictRules = {
  byKind: { create: ({ data }) => [own(data['urn'] as string)], look: () => [] },
  byAttribute: { urns: (value) => (value as string[]).map(own), urn: (value) => [own(value as string)] },
  exclusive: {
    migrate: 'the stack is being migrated: nothing else may start',
    'rotate-secrets': 'secrets are being rotated: nothing else may start',
  },
  irrelevant: new Set(['preview']),
  unknown: 'everything',
};

const task = (kind: string, data: Record<string, unknown> = {}): AffectingTask => ({ kind, data });
function change(
  id: string,
  kind: string,
  tasks: readonly AffectingTask[] = [],
  more: Partial<RunningChange> = {},
): RunningChange {
  return {
    id,
    kind,
    isReady: false,
    claims: [],
    tasks: new Map(tasks.map((one, at) => [String(at + 1), one])),
    ...more,
  };
}
const up = (...keys: readonly string[]): WantedChange => ({ kind: 'up', claims: keys.map(own) });
const says = (wanted: WantedChange, ...changes: readonly RunningChange[]): string | undefined =>
  refuseConflict(wanted, changes, RULES)?.message;

describe('what a task holds', () => {
  test.each<[string, AffectingTask, readonly string[]]>([
    ['by its kind, whatever its data', task('create', { urn: 'a', urns: ['b'] }), ['a']],
    ['nothing, when its kind says so', task('look', { urn: 'a' }), []],
    [
      'by its data, the first entry of the table that it has',
      task('odd', { urn: 'a', urns: ['b', 'c'] }),
      ['b', 'c'],
    ],
    ['everything, when nobody knows it', task('odd'), [EVERYTHING]],
    ['everything, when its kind has the name of something inherited', task('toString'), [EVERYTHING]],
  ])('%s', (_title, one, keys) => {
    expect(affectedBy(one, RULES).map(({ key }) => key)).toEqual(keys);
  });

  test('nothing in the bare machine, when nobody knows it', () => {
    expect(affectedBy(task('odd'), { ...RULES, unknown: 'nothing' })).toEqual([]);
  });
});

describe('what may start beside what', () => {
  const creating = change('7', 'up', [task('create', { urn: 'a' })]);

  test.each<[string, string | undefined, readonly RunningChange[]]>([
    ['the same object', 'a has change 7 ("up") in progress', [creating]],
    ['another object', undefined, [change('7', 'up', [task('create', { urn: 'b' })])]],
    ['a change that is over', undefined, [{ ...creating, isReady: true }]],
    ['a change that is in nobody’s way', undefined, [{ ...creating, kind: 'preview' }]],
    ['a task that nobody knows', 'a has change 8 ("up") in progress', [change('8', 'up', [task('odd')])]],
    [
      'what a change holds itself',
      'a has change 9 ("up") in progress',
      [change('9', 'up', [], { claims: [own('a')] })],
    ],
    ['several: the first', 'a has change 7 ("up") in progress', [creating, change('8', 'up', [task('odd')])]],
  ])('%s', (_title, message, changes) => {
    expect(says(up('a'), ...changes)).toBe(message);
  });

  test('shared claims meet peacefully', () => {
    const shared: Claim = { key: 'net', mode: 'shared' };
    const holder = change('7', 'up', [], { claims: [shared] });
    expect(says({ kind: 'up', claims: [shared] }, holder)).toBeUndefined();
    expect(says(up('net'), holder)).toContain('net has change 7');
  });

  test('a change is not in its own way when it goes on', () => {
    expect(says({ ...up('a'), ignore: '7' }, creating)).toBeUndefined();
    expect(says({ ...up('a'), ignore: '6' }, creating)).toContain('change 7');
  });

  test('CH-217 an exclusive change blocks everything, with its own message', () => {
    const migrating = change('3', 'migrate', [task('look')]);
    for (const wanted of [
      up('unrelated'),
      { kind: 'migrate', claims: [] },
      { kind: 'rotate-secrets', claims: [] },
    ])
      expect(refuseConflict(wanted, [migrating], RULES)).toEqual({
        t: 'exclusive',
        changeId: '3',
        changeKind: 'migrate',
        message: 'the stack is being migrated: nothing else may start',
      });
    expect(says(up('x'), { ...migrating, isReady: true })).toBeUndefined();
  });

  test('CH-218 an exclusive request is refused while any change is unready', () => {
    const ordinary = change('5', 'up', [task('look')]);
    const wanted: WantedChange = { kind: 'migrate', claims: [] };
    const message = says(wanted, ordinary);
    expect(message).toContain('"migrate"');
    expect(message).toContain('change 5 ("up")');
    expect(says(wanted, { ...ordinary, isReady: true })).toBeUndefined();
    expect(says({ ...wanted, ignore: '5' }, ordinary)).toBeUndefined();
  });

  test('what was read before slow planning must still be there', () => {
    expect(says({ ...up('a'), planned: { read: 41, present: 41 } })).toBeUndefined();
    expect(says({ ...up('a'), planned: { read: 41, present: 42 } })).toBe('stack changed since the plan');
  });
});
