import { stopGraceMs } from './stop-grace.js';

test.each([
  [undefined, 5_000],
  ['', 5_000],
  ['1', 1_000],
  ['0.25', 250],
  ['86400', 86_400_000],
])('CAIRN_STOP_GRACE=%s', (text, ms) => {
  expect(stopGraceMs({ CAIRN_STOP_GRACE: text })).toBe(ms);
});

test.each(['0', '-1', 'soon', '5s', '86401', 'Infinity', 'NaN'])('CAIRN_STOP_GRACE=%s is refused', (text) => {
  expect(() => stopGraceMs({ CAIRN_STOP_GRACE: text })).toThrow(
    `CAIRN_STOP_GRACE is "${text}", which is not a number of seconds`,
  );
});
