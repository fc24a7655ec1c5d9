import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Status, StatusEvent, WaitedStatus } from './status.js';
import { STATUSES, TRANSITIONS, effectiveStatus, isReady, transition } from './status.js';

test('the README shows the table as it is', () => {
  const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
  const shown = /<!-- status table -->\n\n(?<table>[\s\S]*?)\n\n<!-- end -->/.exec(readme)?.groups?.['table'];
  const cells = (table: string | undefined): string[] | undefined =>
    table?.split('\n').map((line) => line.replace(/\s+/g, ' ').replace(/-{3,}/g, '---'));
  expect(cells(shown)).toEqual(cells(statusTable()));
});

/** [CHG-8], as (from, event, to). */
const TABLE: readonly (readonly [Status, StatusEvent, Status])[] = [
  ['do', 'start', 'doing'],
  ['do', 'abort', 'hold'],
  ['doing', 'succeed', 'done'],
  ['doing', 'wait', 'wait'],
  ['doing', 'retry', 'doing'],
  ['doing', 'fail', 'error'],
  ['doing', 'abort', 'abort'],
  ['done', 'abort', 'undo'],
  ['abort', 'succeed', 'undo'],
  ['abort', 'turn-back', 'undo'],
  ['abort', 'give-up', 'hold'],
  ['abort', 'fail', 'error'],
  ['undo', 'start', 'undoing'],
  ['undo', 'skip', 'done'],
  ['undoing', 'succeed', 'undone'],
  ['undoing', 'wait', 'wait'],
  ['undoing', 'retry', 'undoing'],
  ['undoing', 'fail', 'error'],
];

test.each(TABLE)('%s on %s becomes %s', (from, event, to) => {
  expect(transition(from, event)).toBe(to);
});

test.each([
  ['do', 'hold'],
  ['doing', 'abort'],
  ['done', 'undo'],
  ['undo', 'wait'],
  ['undone', 'wait'],
  ['error', 'wait'],
  ['hold', 'wait'],
] as const)('a wait for %s becomes %s on abort', (waited: WaitedStatus, to) => {
  expect(transition('wait', 'abort', waited)).toBe(to);
  expect(transition('wait', 'resolve', waited)).toBe(waited);
  expect(effectiveStatus('wait', waited)).toBe(waited);
});

test.each(STATUSES.filter((status) => !['do', 'doing', 'done', 'wait'].includes(status)))(
  '%s does not change on abort',
  (status) => {
    expect(transition(status, 'abort')).toBe(status);
  },
);

test('any other transition is a mistake of ours', () => {
  expect(() => transition('hold', 'start')).toThrow('no transition from hold on start');
});

/** Returns the transition table as Markdown, one row for each pair of statuses: the table of the README. */
function statusTable(): string {
  const rows = STATUSES.flatMap((from) => rowsFrom(from));
  return ['| from | to | on |', '| --- | --- | --- |', ...rows].join('\n');
}

function rowsFrom(from: Status): readonly string[] {
  const targets = new Map<Status, string[]>();
  for (const [event, to] of Object.entries(TRANSITIONS[from]) as [StatusEvent, Status][]) {
    const events = targets.get(to) ?? [];
    targets.set(to, [...events, event]);
  }
  const name = isReady(from) ? `${from} (ready)` : from;
  if (targets.size === 0) return [`| ${name} | – | |`];
  return [...targets].map(([to, events]) => `| ${name} | ${to} | ${events.join(', ')} |`);
}
