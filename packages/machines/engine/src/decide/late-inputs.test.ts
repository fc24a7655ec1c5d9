import { UNKNOWN, propertyMap, secret } from '@cairn/values';
import { completedInputs, withLateInputs, withoutLateInputs } from './late-inputs.js';

const map = propertyMap;
const known = map({ size: 1 });

test.each([
  ['none are late', [], { at: 2 }, false, { size: 1 }],
  ['a new component', ['at'], undefined, false, { size: 1 }],
  ['the preview of a new one', ['at'], undefined, true, { size: 1, at: UNKNOWN }],
  ['as they were', ['at'], { size: 9, at: secret('a'), gone: 1 }, false, { size: 1, at: secret('a') }],
  ['a key that is late for the first time', ['at'], { size: 1 }, true, { size: 1 }],
])('inputs at the registration [REG-19]: %s', (_title, late, prior, preview, expected) => {
  expect(withLateInputs(known, late, prior && map(prior), preview)).toEqual(map(expected));
  expect(withoutLateInputs(map(expected), late)).toEqual(known);
});

test.each([
  ['none were announced', {}, [], { at: 2 }, false, {}],
  ['none have come', { at: 1 }, ['at'], undefined, false, { at: 1 }],
  ['a value', { size: 1, at: 1 }, ['at'], { at: 2 }, false, { size: 1, at: 2 }],
  ['no value', { size: 1, at: 1 }, ['at'], {}, false, { size: 1 }],
  ['not announced', { at: 1 }, ['at'], { at: 2, size: 3 }, false, { at: 2 }],
  ['unknown in a real run', { at: 1 }, ['at'], { at: UNKNOWN }, false, { at: 1 }],
  ['unknown inside', { at: 1 }, ['at'], { at: { deep: [UNKNOWN] } }, false, { at: 1 }],
  ['unknown and never stored', {}, ['at'], { at: secret(UNKNOWN) }, false, {}],
  ['unknown in a preview', { at: 1 }, ['at'], { at: UNKNOWN }, true, { at: UNKNOWN }],
])('inputs once the late ones have come [REG-19]: %s', (_title, stored, late, given, preview, expected) => {
  expect(completedInputs(map(stored), late, given && map(given), preview)).toEqual(map(expected));
});
