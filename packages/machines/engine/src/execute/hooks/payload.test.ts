import { asUrn } from '@cairn/addresses';
import { noTimeouts, resourceEntry } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import { hookBinding, isHooked, storedHooks } from '../../model/hook-moments.js';
import type { HookedStep, HookPhase } from '../../model/hook-moments.js';
import { createStep, createReplacement, deleteStep, updateStep } from '../../model/make-step.js';
import { noDiff } from '../../model/step.js';
import { durationText } from './duration.js';
import { errorHookRequest, hookOptions, hookRequest } from './payload.js';

const urn = asUrn('urn:pulumi:test::test::pkgA:m:typA::resA');
const base = { urn, type: 'pkgA:m:typA', custom: true };
const old = resourceEntry({
  ...base,
  id: 'old',
  inputs: propertyMap({ v: 'a' }),
  outputs: propertyMap({ v: 'a!' }),
});
const entry = resourceEntry({ ...base, inputs: propertyMap({ v: 'b' }) });
const cell = { entry: old, place: { t: 'base', index: 0 }, gone: false, unwritten: false } as const;
const reason = { t: 'new' } as const;
const found = { id: 'new', outputs: propertyMap({ v: 'b!' }) };
const steps: Record<string, HookedStep> = {
  create: createStep(entry),
  replacement: createReplacement(cell, old, entry, noDiff, reason),
  update: updateStep(cell, old, entry, noDiff, reason),
  delete: deleteStep(cell, reason, () => false) as HookedStep,
};

/** Rows of [HOOK-4], by moment: id, newInputs, oldInputs, newOutputs, oldOutputs, oldOptions, newOptions. */
const TABLE: readonly (readonly [string, HookPhase, readonly (string | boolean | undefined)[]])[] = [
  ['create', 'before', ['', 'b', undefined, undefined, undefined, false, true]],
  ['create', 'after', ['new', 'b', undefined, 'b!', undefined, false, true]],
  ['replacement', 'before', ['', 'b', undefined, undefined, undefined, false, true]],
  ['replacement', 'after', ['new', 'b', undefined, 'b!', undefined, false, true]],
  ['update', 'before', ['old', 'b', 'a', undefined, 'a!', true, true]],
  ['update', 'after', ['new', 'b', 'a', 'b!', 'a!', true, true]],
  ['delete', 'before', ['old', undefined, 'a', undefined, 'a!', true, false]],
  ['delete', 'after', ['old', undefined, 'a', undefined, 'a!', true, false]],
];

test.each(TABLE)('%s, %s', (name, phase, expected) => {
  const step = steps[name] as HookedStep;
  const request = hookRequest(step, phase, phase === 'after' && name !== 'delete' ? found : undefined);
  expect([
    request.id,
    request.newInputs?.v,
    request.oldInputs?.v,
    request.newOutputs?.v,
    request.oldOutputs?.v,
    request.oldOptions !== undefined,
    request.newOptions !== undefined,
  ]).toEqual(expected);
  expect(request).toMatchObject({ urn, name: 'resA', type: 'pkgA:m:typA' });
});

test('error hooks hear of the operation, whichever half of a replacement it is', () => {
  const operations = Object.values(steps).map((step) => errorHookRequest(step, ['e']).failedOperation);
  expect(operations).toEqual(['create', 'create', 'update', 'delete']);
});

test('steps without an operation have no hooks', () => {
  expect(isHooked({ kind: 'refresh' })).toBe(false);
  expect(isHooked({ kind: 'same' })).toBe(false);
  expect(isHooked({ kind: 'delete-replaced' })).toBe(true);
});

test('lists are stored under their names, without the empty ones, and read back', () => {
  const binding = {
    beforeCreate: ['a'],
    afterCreate: [],
    beforeUpdate: [],
    afterUpdate: ['b', 'c'],
    beforeDelete: [],
    afterDelete: [],
    onError: ['d'],
  };
  const resourceHooks = storedHooks(binding);
  expect(resourceHooks).toEqual({ BeforeCreate: ['a'], AfterUpdate: ['b', 'c'], OnError: ['d'] });
  expect(hookBinding(resourceEntry({ ...base, resourceHooks }))).toEqual(binding);
  expect(hookBinding(entry)).toBeUndefined();
  expect(storedHooks(undefined)).toEqual({});
});

test('protect and retainOnDelete are always said; timeouts are durations', () => {
  const customTimeouts = { ...noTimeouts, create: 5400.5, delete: 30 };
  expect(hookOptions(resourceEntry({ ...base, customTimeouts }))).toMatchObject({
    protect: false,
    retainOnDelete: false,
    customTimeouts: { create: '1h30m0.5s', update: '', delete: '30s' },
    hooks: undefined,
  });
  expect([0, 300, 3600, 0.25].map(durationText)).toEqual(['', '5m0s', '1h0m0s', '0.25s']);
});
