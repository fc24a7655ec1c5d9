import { EMPTY_AUDIT, checkNext, nextAuditRow } from './audit.js';
import type { AuditEvent, AuditRow } from './audit.js';

function event(description: string): AuditEvent {
  return {
    ...{ at: 1_900_000_000, organization: 'acme', event: 'stack-created', description, user: 'ann' },
    ...{ sourceIp: '127.0.0.1', tokenId: '0123456789ab', tokenName: 'laptop', stack: 'shop/dev' },
  };
}

const LOG = ['one', 'two', 'three', 'four'].reduce<readonly AuditRow[]>(
  (rows, text) => [...rows, nextAuditRow(event(text), rows.at(-1))],
  [],
);

/** Returns the fault of a log, or `none`. */
function faultOf(rows: readonly AuditRow[]): string {
  return rows.reduce(checkNext, EMPTY_AUDIT).fault ?? 'none';
}

const [first, second, third, fourth] = LOG as [AuditRow, AuditRow, AuditRow, AuditRow];
const altered = second.text.replace('two', 'too');
const forged = nextAuditRow(event('forged'), first);

test.each<readonly [string, readonly AuditRow[], string]>([
  ['a whole log', LOG, 'none'],
  ['no rows', [], 'none'],
  ['an altered row', [first, { ...second, text: altered }, third, fourth], 'row 2 was altered'],
  ['an altered hash', [first, { ...second, hash: third.hash }, third, fourth], 'row 2 was altered'],
  ['an altered row with a hash to match', [first, forged, third, fourth], 'row 3 does not follow row 2'],
  ['a removed row', [first, third, fourth], 'row 2 is missing'],
  ['a removed first row', [second, third, fourth], 'row 1 is missing'],
  ['a row that was put in', [first, second, { ...forged, seq: 2 }, third, fourth], 'row 2 is there twice'],
  ['two rows that changed places', [first, third, second, fourth], 'row 2 is missing'],
  ['a row under another number', [first, { ...third, seq: 2 }, fourth], 'row 2 was altered'],
  ['a text that is no row', [first, { seq: 2, text: '{}', hash: hashless() }], 'row 2 was altered'],
])('the check of %s', (_name, rows, expected) => {
  expect(faultOf(rows)).toBe(expected);
});

/** SHA-256 of `{}`. */
function hashless(): string {
  return '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
}
