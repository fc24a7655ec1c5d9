import { asUrn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import { FORMS } from './option-forms.js';
import { goalEntry } from './make-step.js';
import { OPTIONS, STORED_OPTIONS, blankOf, goalOf, isStored } from './options.js';
import type { GoalOption } from './options.js';

const identity = { urn: asUrn('urn:pulumi:dev::p::a:b:C::x'), type: 'a:b:C', name: 'x', custom: true };

/** Options that a column must contain according to the rules. The compiler checks the rows themselves. */
test.each<[string, (row: (typeof OPTIONS)[GoalOption], name: GoalOption) => boolean, readonly GoalOption[]]>([
  [
    'come from the parent [REG-9] [REC-6]',
    ({ inherited }) => inherited === 'unset',
    ['protect', 'retainOnDelete', 'deletedWith', 'rollback'],
  ],
  ['add to those of the parent', ({ inherited }) => inherited === 'added', ['gates']],
  [
    'are known in the run only',
    (_row, name) => !isStored(name),
    [
      'idempotencyKey',
      'deleteBeforeReplace',
      'statedAliases',
      'rollback',
      'gates',
      'lateInputs',
      'aliases',
      'naming',
    ],
  ],
  ['are in no transcript [REC-13]', ({ transcript }) => !transcript, ['resourceHooks']],
  [
    'limit plans, in the order in which violations are looked for [PLAN-4]',
    ({ planned }) => planned !== undefined,
    [
      'protect',
      'deleteBeforeReplace',
      'importId',
      'customTimeouts',
      'ignoreChanges',
      'additionalSecretOutputs',
      'dependencies',
      'statedAliases',
      'propertyDependencies',
    ],
  ],
  [
    'do not change what is wanted',
    ({ wanted }) => !wanted,
    ['statedAliases', 'rollback', 'gates', 'lateInputs', 'aliases', 'naming', 'sourcePosition', 'stackTrace'],
  ],
  [
    'are told to policy packs [POL-3]',
    ({ policy }) => policy,
    [
      'protect',
      'deleteBeforeReplace',
      'customTimeouts',
      'ignoreChanges',
      'additionalSecretOutputs',
      'aliases',
    ],
  ],
])('options that %s', (_title, holds, expected) => {
  const names = (Object.keys(OPTIONS) as GoalOption[]).filter((name) => holds(OPTIONS[name], name));
  expect(names).toEqual(expected);
});

test('a goal without options stores what an entry without options holds', () => {
  const entry = goalEntry(goalOf(identity), {}, undefined);
  const { urn, type, custom } = identity;
  expect(entry).toEqual(resourceEntry({ urn, type, custom }));
  expect(Object.keys(entry)).toEqual(Object.keys(resourceEntry({ urn, type, custom })));
});

test('every stored option reaches the entry', () => {
  const marks = Object.fromEntries(STORED_OPTIONS.map((name) => [name, `${name} of the goal`]));
  expect(goalEntry({ ...goalOf(identity), ...marks } as never, {}, undefined)).toMatchObject(marks);
});

test('a blank is like itself, and is what a goal has', () => {
  const goal = goalOf(identity);
  for (const name of Object.keys(OPTIONS) as GoalOption[]) expect(goal[name]).toBe(blankOf(name));
  for (const { blank, same } of Object.values(FORMS))
    expect((same as (a: unknown, b: unknown) => boolean)(blank, blank)).toBe(true);
});
