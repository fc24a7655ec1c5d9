import type { PendingOperationType } from '@cairn/state';
import { propertyMap, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { TypeExtras } from '@cairn/wire';
import type { DoubtResolution } from '../model/history.js';
import { judgeFound, judgeUpdate, wayToResolve } from './in-doubt.js';

interface Given {
  readonly type?: PendingOperationType;
  readonly of?: { readonly type?: string; readonly custom?: boolean; readonly external?: boolean };
  readonly token?: string;
  readonly progressId?: string;
  readonly noCall?: boolean;
  readonly resolution?: DoubtResolution;
  readonly extras?: TypeExtras;
}

const TOKEN = { idempotencyToken: {} };
const LOOKS = { reads: 'world' } as const;
const REPEATS = { reads: 'record' } as const;
const ways: readonly (readonly [string, Given, ReturnType<typeof wayToResolve>])[] = [
  ['a create without any help', {}, { t: 'ask' }],
  [
    'a person names the object',
    { resolution: { created: 'x' } },
    { t: 'adopt', id: 'x', outputs: undefined },
  ],
  ['a person says there is none', { resolution: 'not-created' }, { t: 'not-done' }],
  [
    'a person wins over a token',
    { resolution: { created: 'x' }, extras: TOKEN },
    { t: 'adopt', id: 'x', outputs: undefined },
  ],
  ['a token', { extras: TOKEN }, { t: 'repeat', token: 'abcdef', progressId: undefined }],
  [
    'a token as long as the provider takes it',
    { extras: { idempotencyToken: { maxLength: 3 } } },
    { t: 'repeat', token: 'abc', progressId: undefined },
  ],
  ['a token that was never noted', { token: '', extras: TOKEN }, { t: 'ask' }],
  [
    'a token that was never noted, with look-up',
    { token: '', extras: { ...TOKEN, lookup: true } },
    { t: 'look-up', settleMs: 30_000 },
  ],
  ['work with a name', { progressId: 'op-1' }, { t: 'repeat', token: undefined, progressId: 'op-1' }],
  [
    'token and work with a name',
    { progressId: 'op-1', extras: TOKEN },
    { t: 'repeat', token: 'abcdef', progressId: 'op-1' },
  ],
  ['a look-up', { extras: { lookup: true, settleSeconds: 2 } }, { t: 'look-up', settleMs: 2000 }],
  [
    'a look-up that sees at once',
    { extras: { lookup: true, settleSeconds: 0 } },
    { t: 'look-up', settleMs: 0 },
  ],
  ['an update', { type: 'updating', extras: TOKEN }, { t: 'read', proves: false }],
  ['a delete', { type: 'deleting' }, { t: 'read', proves: false }],
  ['an update, by who looks', { type: 'updating', extras: LOOKS }, { t: 'read', proves: true }],
  ['a delete, by who looks', { type: 'deleting', extras: LOOKS }, { t: 'read', proves: true }],
  ['an update, by who repeats the record', { type: 'updating', extras: REPEATS }, { t: 'ask' }],
  ['a delete, by who repeats the record', { type: 'deleting', extras: REPEATS }, { t: 'ask' }],
  [
    'a repeatable update',
    { type: 'updating', extras: { ...REPEATS, repeatable: ['update'] } },
    { t: 'again' },
  ],
  ['a repeatable delete', { type: 'deleting', extras: { repeatable: ['delete'] } }, { t: 'again' }],
  [
    'a delete where the update is repeatable',
    { type: 'deleting', extras: { ...REPEATS, repeatable: ['update'] } },
    { t: 'ask' },
  ],
  [
    'a repeatable delete of what holds data',
    { type: 'deleting', extras: { ...REPEATS, repeatable: ['delete'], holdsData: true } },
    { t: 'ask' },
  ],
  [
    'a repeatable delete, by who looks',
    { type: 'deleting', extras: { ...LOOKS, repeatable: ['delete'] } },
    { t: 'read', proves: true },
  ],
  ['a delete without a call', { type: 'deleting', noCall: true, extras: REPEATS }, { t: 'forget' }],
  [
    'a person says that a delete was done',
    { type: 'deleting', resolution: { done: true } },
    { t: 'done', outputs: undefined },
  ],
  [
    'a person says that an update was not done',
    { type: 'updating', resolution: 'not-done' },
    { t: 'not-done' },
  ],
  [
    'an answer about a create is none about a delete',
    { type: 'deleting', extras: REPEATS, resolution: 'not-created' },
    { t: 'ask' },
  ],
  ['an answer about an update is none about a create', { resolution: { done: true } }, { t: 'ask' }],
  ['a read', { type: 'reading' }, { t: 'forget' }],
  ['an import', { type: 'importing' }, { t: 'forget' }],
  ['a component', { of: { custom: false } }, { t: 'forget' }],
  ['a provider instance', { of: { type: 'pulumi:providers:pkgA' } }, { t: 'forget' }],
  ['what the engine serves itself', { of: { type: 'pulumi:index:Stash' } }, { t: 'forget' }],
  ['forgetting an object that is not ours', { type: 'deleting', of: { external: true } }, { t: 'forget' }],
];

test.each(ways)('%s', (_, { type = 'creating', of, token = 'abcdef', progressId, ...rest }, way) => {
  const resource = { type: 'pkgA:m:typA', custom: true, external: false, ...of };
  const facts = { doubt: { type, resource, token, progressId }, resolution: undefined, extras: undefined };
  expect(wayToResolve({ ...facts, ...rest })).toEqual(way);
});

describe('what a look-up found', () => {
  const objects = (...ids: readonly string[]) => ids.map((id) => ({ id }));
  test.each([
    [[], [], { t: 'none' }],
    [['a'], [], { t: 'one', id: 'a' }],
    [['a', 'a'], [], { t: 'one', id: 'a' }],
    [['old', 'a'], ['old'], { t: 'one', id: 'a' }],
    [['old'], ['old'], { t: 'none' }],
    [['a', 'b'], [], { t: 'several', ids: ['a', 'b'] }],
  ] as const)('%j beside %j', (found, known, came) => {
    expect(judgeFound(objects(...found), new Set(known))).toEqual(came);
  });
});

describe('how far an update came', () => {
  const old = propertyMap({ a: 1, b: 1 });
  const target = propertyMap({ a: 2, b: 2 });
  const computed = propertyMap({ a: 1, b: 1, arn: 'x' });
  const read = (outputs: PropertyMap | undefined, inputs?: PropertyMap) => ({
    id: outputs === undefined ? '' : 'id',
    outputs,
    inputs,
  });
  test.each([
    ['inputs are the new ones', read(computed, target), 'done'],
    ['inputs are the old ones and so are outputs', read(computed, old), 'not-done'],
    ['inputs are neither', read(computed, propertyMap({ a: 2, b: 1 })), 'mixture'],
    ['outputs repeat the new inputs', read(propertyMap({ a: 2, b: 2, arn: 'x' })), 'done'],
    ['outputs repeat them and inputs are an echo', read(propertyMap({ a: 2, b: 2, arn: 'x' }), old), 'done'],
    ['outputs repeat some of them', read(propertyMap({ a: 2, b: 1, arn: 'x' })), 'mixture'],
    ['outputs say nothing of inputs', read(propertyMap({ arn: 'y' })), 'mixture'],
    ['outputs are the old ones', read(computed), 'not-done'],
    ['secret or not is no difference', read(propertyMap({ a: 2, b: secret(2), arn: 'x' })), 'done'],
    ['it is not there', read(undefined), 'gone'],
  ] as const)('%s', (_, found, came) => {
    expect(judgeUpdate({ inputs: old, outputs: computed }, target, found)).toBe(came);
  });

  test('an update without a changed input is run again', () => {
    expect(judgeUpdate({ inputs: old, outputs: computed }, old, read(propertyMap({ arn: 'y' })))).toBe(
      'mixture',
    );
  });
});
