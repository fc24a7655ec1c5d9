import { propertyMap, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { mayBeEcho, tellsRecorded, withoutRecord } from './evidence.js';

const inputs = propertyMap({ name: 'n' });
const outputs = propertyMap({ name: 'n', arn: 'arn:n:1', tags: null });
const told = { id: 'n', inputs, outputs };
const answer = (map: PropertyMap | undefined, given?: PropertyMap, id = 'n') => ({
  id,
  inputs: given,
  outputs: map,
});

describe('whether an answer may be nothing but the request', () => {
  test.each([
    ['outputs as they were told', answer(outputs), true],
    ['outputs and inputs as they were told', answer(outputs, inputs), true],
    ['outputs in place of inputs', answer(outputs, outputs), true],
    ['marks of secrets', answer(propertyMap({ ...outputs, arn: secret('arn:n:1') })), true],
    ['nothing in place of null', answer(propertyMap({ name: 'n', arn: 'arn:n:1' })), true],
    ['another output', answer(propertyMap({ ...outputs, arn: 'arn:n:2' })), false],
    ['one output more', answer(propertyMap({ ...outputs, size: 1 })), false],
    ['another input', answer(outputs, propertyMap({ name: 'm' })), false],
    ['another id', answer(outputs, inputs, 'm'), false],
    ['nothing', answer(undefined), false],
  ] as const)('%s', (_, found, echo) => {
    expect(mayBeEcho(told, found)).toBe(echo);
  });
});

describe('whether an answer to the id alone shows a look', () => {
  test.each([
    ['a recorded text', answer(propertyMap({ arn: 'arn:n:1' })), true],
    ['a recorded text inside', answer(propertyMap({ at: { host: ['a.example'] } })), true],
    ['nothing', answer(undefined), false],
    ['no object', answer(outputs, undefined, ''), false],
    ['the id', answer(propertyMap({ name: 'n' })), false],
    ['a part of the id', answer(propertyMap({ part: 'n' })), false],
    ['numbers and flags, which may be defaults', answer(propertyMap({ size: 0, open: true })), false],
    ['the same inside', answer(propertyMap({ limits: { size: 0 } })), false],
    ['what the provider keeps for itself', answer(propertyMap({ __provider: 'code of it' })), false],
    ['a text that the record does not have', answer(propertyMap({ arn: 'arn:n:2' })), false],
  ] as const)('%s', (_, found, shows) => {
    const recorded = propertyMap({
      ...outputs,
      part: 'n',
      size: 0,
      open: true,
      at: { host: ['a.example'] },
      limits: { size: 0 },
      __provider: 'code of it',
    });
    expect(tellsRecorded({ ...told, outputs: recorded }, found)).toBe(shows);
  });
});

test('a read that is told nothing still names the code of a dynamic provider', () => {
  expect(withoutRecord(outputs)).toBeUndefined();
  expect(withoutRecord(propertyMap({ ...outputs, __provider: 'x' }))).toEqual({ __provider: 'x' });
});
