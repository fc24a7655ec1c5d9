import { isOverdue } from './overdue.js';

const HOUR = 3_600_000;
const begun = Date.parse('2026-01-01T00:00:00Z');
const change = { id: '7', spawned: '2026-01-01T00:00:00Z', running: false };

test.each([
  ['rests for less than three days', change, 71.9, false],
  ['rests for three days', change, 72, true],
  ['runs', { ...change, running: true }, 100, false],
])('a change that %s', (_how, row, hours, overdue) => {
  expect(isOverdue(row, new Date(begun + hours * HOUR))).toBe(overdue);
});
