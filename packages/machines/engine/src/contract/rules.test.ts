import { asUrn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import { OutputValue, ResourceReference, UNKNOWN, propertyMap, secret } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { DiffResponse } from '@cairn/wire';
import { contractDiagnostic } from './contract-diagnostic.js';
import { hasPremises } from './claims.js';
import {
  actionDepartures,
  checkDepartures,
  fulfils,
  noChangesDepartures,
  previewDepartures,
  replaceKeyDepartures,
  stableDepartures,
} from './rules.js';

type Map = Readonly<Record<string, PropertyValue>>;

const urn = asUrn('urn:pulumi:dev::shop::aws:s3:Bucket::logs');
const reference = (id: string) => new ResourceReference({ urn, id });
const paths = (found: readonly { readonly path: string }[]) => found.map(({ path }) => path);

test.each<[string, Map, Map, Map | undefined, readonly string[]]>([
  ['echoes', { a: 1, b: [{ c: 'x' }] }, { a: 1, b: [{ c: 'x' }] }, undefined, []],
  ['adds a default', { a: 1 }, { a: 1, name: 'a-1234', nested: { x: 1 } }, undefined, []],
  ['adds a default inside', { a: { b: 1 } }, { a: { b: 1, c: 2 } }, undefined, []],
  ['marks a secret', { a: 'x' }, { a: secret('x') }, undefined, []],
  ['answers an output as plain', { a: new OutputValue('x', true, []) }, { a: 'x' }, undefined, []],
  [
    'reads a number from text',
    { a: '80', b: 8, c: 'true', d: '080' },
    { a: 80, b: '8', c: true, d: 80 },
    undefined,
    [],
  ],
  ['writes JSON another way', { a: '{"x": [1, 2]}' }, { a: '{"x":[1,2]}' }, undefined, []],
  ['answers the id of a reference', { a: reference('i') }, { a: 'i' }, undefined, []],
  ['answers the URN of a component', { a: new ResourceReference({ urn }) }, { a: urn }, undefined, []],
  ['cannot say the id of a reference', { a: reference('') }, { a: UNKNOWN }, undefined, []],
  ['drops what is null or empty', { a: null, b: [], c: {} }, {}, undefined, []],
  ['keeps what the object has had', { a: 'New', b: UNKNOWN }, { a: 'old', b: 1 }, { a: 'old', b: 1 }, []],
  ['keeps to itself what starts with __', { __defaults: ['a'] }, {}, undefined, []],
  [
    'leaves an unknown unknown',
    { a: UNKNOWN, b: { c: UNKNOWN } },
    { a: UNKNOWN, b: { c: UNKNOWN } },
    undefined,
    [],
  ],
  ['says more about an unknown', { a: UNKNOWN }, { a: { known: 1, other: UNKNOWN } }, undefined, []],
  ['alters', { a: 'x' }, { a: 'y' }, undefined, ['a']],
  ['alters inside', { a: { b: ['x', 'y'] } }, { a: { b: ['x', 'z'] } }, undefined, ['a.b[1]']],
  ['alters a secret', { a: secret('x') }, { a: secret('y') }, undefined, ['a']],
  ['alters JSON', { a: '{"x":1}' }, { a: '{"x":2}' }, undefined, ['a']],
  ['alters to something that never was', { a: 'new' }, { a: 'other' }, { a: 'old' }, ['a']],
  ['drops', { a: 'x', b: { c: 1 } }, { b: {} }, undefined, ['a', 'b.c']],
  ['shortens a list', { a: [1, 2] }, { a: [1] }, undefined, ['a']],
  ['answers another type', { a: [1], b: 'x' }, { a: 1, b: ['x'] }, undefined, ['a', 'b']],
  ['answers another resource', { a: reference('i') }, { a: 'j' }, undefined, ['a']],
  ['guesses an unknown', { a: UNKNOWN }, { a: 'x' }, undefined, ['a']],
  ['forgets an unknown', { a: UNKNOWN }, {}, { a: 1 }, ['a']],
  ['forgets a value', { a: 'x' }, { a: UNKNOWN }, undefined, ['a']],
])('a check that %s', (_what, news, answered, prior, expected) => {
  const found = checkDepartures(propertyMap(news), propertyMap(answered), prior && propertyMap(prior));
  expect(paths(found)).toEqual(expected);
});

test.each<[string, Map, Map, readonly string[]]>([
  ['the same', { a: 1 }, { a: 1 }, []],
  ['more than was shown', { a: 1 }, { a: 1, arn: 'x' }, []],
  ['what was unknown', { a: UNKNOWN, b: { c: UNKNOWN, d: 1 } }, { a: 'x', b: { c: 'y', d: 1 } }, []],
  ['nothing for an unknown', { a: UNKNOWN }, {}, []],
  ['nothing for what was null', { a: null }, { a: 'x' }, []],
  ['another value', { a: 1, b: { d: 'x' } }, { a: 2, b: { d: 'y' } }, ['a', 'b.d']],
  ['nothing for a value', { a: 1 }, {}, ['a']],
  ['another number of items', { a: [UNKNOWN] }, { a: ['x', 'y'] }, ['a']],
])('after a preview %s is applied', (_what, claimed, applied, expected) => {
  expect(paths(previewDepartures(propertyMap(claimed), propertyMap(applied)))).toEqual(expected);
});

const diff = (rest: Partial<DiffResponse>): DiffResponse => ({
  changes: 'some',
  replaceKeys: [],
  changedKeys: [],
  stableKeys: [],
  detailedDiff: undefined,
  deleteBeforeReplace: false,
  ...rest,
});

test.each<[string, DiffResponse, readonly string[]]>([
  ['no changes, no keys', diff({ changes: 'none' }), []],
  ['changes without keys', diff({}), []],
  ['changes with keys', diff({ changedKeys: ['a'] }), []],
  ['it cannot say', diff({ changes: 'unknown', replaceKeys: ['a'] }), []],
  ['no changes, a key to replace', diff({ changes: 'none', replaceKeys: ['a'] }), ['a']],
  ['no changes, a changed key', diff({ changes: 'none', changedKeys: ['a', 'b'] }), ['a', 'b']],
  [
    'no changes, a path',
    diff({ changes: 'none', detailedDiff: { 'a.b': { kind: 'update', inputDiff: false } } }),
    ['a.b'],
  ],
])('a diff: %s', (_what, answer, expected) => {
  expect(paths(noChangesDepartures(answer, propertyMap({ a: 1 }), propertyMap({ a: 2 })))).toEqual(expected);
});

test.each<[string, DiffResponse, readonly string[]]>([
  ['an input before', diff({ replaceKeys: ['before'] }), []],
  ['an output', diff({ replaceKeys: ['output'] }), []],
  ['an input now', diff({ replaceKeys: ['now'] }), []],
  ['the id, and what belongs to the provider', diff({ replaceKeys: ['id', '__meta'] }), []],
  ['nothing', diff({ replaceKeys: ['nowhere'] }), ['nowhere']],
  ['nothing, but nothing changes', diff({ changes: 'none', replaceKeys: ['nowhere'] }), []],
  [
    'a path that leads nowhere',
    diff({
      detailedDiff: {
        'nowhere.deep[0]': { kind: 'update-replace', inputDiff: false },
        'elsewhere.deep': { kind: 'update', inputDiff: false },
        'now.deep': { kind: 'add-replace', inputDiff: false },
      },
    }),
    ['nowhere.deep[0]'],
  ],
])('a replacement because of %s', (_what, answer, expected) => {
  const sides = [propertyMap({ before: 1 }), propertyMap({ output: 1 }), propertyMap({ now: 1 })];
  expect(paths(replaceKeyDepartures(answer, sides))).toEqual(expected);
});

test.each<[string, DiffResponse, Map, Map, readonly string[]]>([
  ['an update again', diff({ changedKeys: ['a'] }), { a: 1 }, { a: 1 }, []],
  ['a replacement of the same inputs', diff({ replaceKeys: ['a'] }), { a: 1 }, { a: 1 }, ['a']],
  ['a replacement of other inputs', diff({ replaceKeys: ['a'] }), { a: 1 }, { a: 2 }, []],
  ['a replacement of inputs that were not known', diff({ replaceKeys: ['a'] }), { a: UNKNOWN }, { a: 1 }, []],
])('after an announced update %s', (_what, answer, claimed, inputs, expected) => {
  expect(paths(actionDepartures(answer, propertyMap(claimed), propertyMap(inputs)))).toEqual(expected);
});

test('an output declared stable stays', () => {
  const stable = (keys: readonly string[], after: Map) =>
    paths(stableDepartures(keys, propertyMap({ arn: 'x', size: 1 }), propertyMap(after)));
  expect(stable(['arn'], { arn: 'x', size: 2 })).toEqual([]);
  expect(stable(['arn', 'new'], { arn: 'y', size: 1, new: 1 })).toEqual(['arn']);
  expect(stable(['arn'], {})).toEqual(['arn']);
});

test.each<[boolean, PropertyValue, PropertyValue | undefined]>([
  [true, { a: 1 }, { a: 1 }],
  [true, { a: secret('x') }, { a: 'x' }],
  [true, { a: UNKNOWN, b: [UNKNOWN, 1] }, { a: { deep: 1 }, b: ['x', 1] }],
  [true, { a: UNKNOWN, b: 1 }, { b: 1 }],
  [true, new OutputValue(undefined, false, []), 'x'],
  [false, { a: 1 }, { a: 2 }],
  [false, { a: 1 }, { a: 1, b: 2 }],
  [false, { a: UNKNOWN }, { a: 1, b: 2 }],
  [false, { a: UNKNOWN, b: 1 }, { a: 1 }],
  [false, [UNKNOWN], ['x', 'y']],
  [false, { a: [UNKNOWN] }, { a: 'x' }],
  [false, { a: 1 }, undefined],
])('fulfilled (%s): %j by %j', (expected, announced, present) => {
  expect(fulfils(announced, present)).toBe(expected);
});

test('claims count for the same step on the same object only', () => {
  const old = resourceEntry({
    urn,
    type: 'aws:s3:Bucket',
    custom: true,
    id: 'i',
    outputs: propertyMap({ x: 1 }),
  });
  const next = resourceEntry({
    urn,
    type: 'aws:s3:Bucket',
    custom: true,
    id: 'i',
    inputs: propertyMap({ a: 1 }),
  });
  const cell = { entry: old, gone: false } as never;
  const step = {
    kind: 'update',
    urn,
    reason: { t: 'unchanged' },
    diff: diff({}) as never,
    cell,
    old,
    new: next,
  } as const;
  const claim = {
    kind: 'update',
    inputs: propertyMap({ a: UNKNOWN }),
    outputs: propertyMap({}),
    old,
  } as const;
  expect(hasPremises(claim, step)).toBe(true);
  expect(hasPremises({ ...claim, kind: 'create' }, step)).toBe(false);
  expect(hasPremises({ ...claim, old: undefined }, step)).toBe(false);
  expect(hasPremises({ ...claim, inputs: propertyMap({ a: 2 }) }, step)).toBe(false);
  const drifted = { ...old, outputs: propertyMap({ x: 2 }) };
  expect(hasPremises(claim, { ...step, old: drifted })).toBe(false);
});

test('a diagnostic names provider, resource, property and both values, and masks secrets', () => {
  const found = [
    { path: 'size', promised: 1, given: undefined, secret: false },
    { path: 'password', promised: 'hunter2', given: 'hunter3', secret: true },
    { path: 'text', promised: 'x'.repeat(200), given: null, secret: false },
  ];
  const diagnostic = contractDiagnostic('preview', { urn, type: 'aws:s3:Bucket' }, found, false);
  expect(diagnostic).toEqual({
    severity: 'warning',
    code: 'CAIRN-PROVIDER-CONTRACT',
    summary:
      'provider "aws" broke its contract for aws:s3:Bucket "logs": it showed values in the preview and applied others',
    urn,
    causes: [
      'size: shown 1, applied nothing',
      'password: shown [secret], applied [secret]',
      `text: shown "${'x'.repeat(79)}…, applied null`,
    ],
    hint: 'Report this bug to the authors of "aws".',
  });
  expect(contractDiagnostic('check', { urn, type: 'aws:s3:Bucket' }, found, true).severity).toBe('error');
});
