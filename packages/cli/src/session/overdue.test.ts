import { overdueWarnings } from './overdue.js';

const HOUR = 3_600_000;
const begun = Date.parse('2026-01-01T00:00:00Z');
const change = { id: '7', spawned: '2026-01-01T00:00:00Z', running: false };

test.each([
  ['rests for less than three days', change, 71.9, []],
  ['rests for three days', change, 72, ['change 7 was begun 3 days ago and is still not finished']],
  ['runs', { ...change, running: true }, 100, []],
  ['is not there', undefined, 100, []],
])('a change that %s', (_how, row, hours, summaries) => {
  const warnings = overdueWarnings(row, new Date(begun + hours * HOUR));
  expect(warnings.map(({ summary }) => summary)).toEqual(summaries);
});
