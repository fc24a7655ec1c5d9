import type { RunRow } from '../runs/rows.js';
import { judgeApprovalLink, readApprovalLink, signApprovalLink } from './approval-link.js';
import type { ApprovalClaims } from './approval-link.js';
import { openPage } from './approval-page.js';

const KEY = Buffer.alloc(32, 1);
const NOW = new Date('2026-01-01T12:00:00Z');
const CLAIMS: ApprovalClaims = {
  ...{ run: '7', person: 'ada', until: '2026-01-01T12:00:01.000Z' },
  ...{ digest: 'plan', base: 'state', commit: 'c0ffee' },
};
const RUN: RunRow = {
  ...{ id: '7', stack: 'dev', kind: 'up', request: 'r', by: 'bob', status: 'waiting' },
  ...{ began: '2026-01-01T00:00:00Z', why: ['1 create'], approvals: [], needed: 2 },
  ...{ digest: 'plan', base: 'state', commit: 'c0ffee' },
};
const approval = (by: string) => ({
  by,
  at: NOW.toISOString(),
  digest: 'plan',
  base: 'state',
  commit: 'c0ffee',
});

test('a token returns what was signed, with and without a commit', () => {
  expect(readApprovalLink(KEY, signApprovalLink(KEY, CLAIMS))).toEqual(CLAIMS);
  const { commit: _commit, ...without } = CLAIMS;
  expect(readApprovalLink(KEY, signApprovalLink(KEY, without))).toEqual(without);
});

const TOKEN = signApprovalLink(KEY, CLAIMS);
const [CONTENT = '', SIGNATURE = ''] = TOKEN.split('.');
const contentOf = (person: string): string =>
  signApprovalLink(KEY, { ...CLAIMS, person }).split('.')[0] ?? '';

test.each([
  ['nothing', ''],
  ['no signature', CONTENT],
  ['an empty signature', `${CONTENT}.`],
  ['another person', `${contentOf('eve')}.${SIGNATURE}`],
  ['a changed signature', `${CONTENT}.${SIGNATURE.slice(0, -2)}AA`],
  ['a third part', `${TOKEN}.x`],
  ['another key', signApprovalLink(Buffer.alloc(32, 2), CLAIMS)],
  ['too long a text', `${TOKEN}${'A'.repeat(5000)}`],
])('a token with %s was not signed', (_what, token) => {
  expect(readApprovalLink(KEY, token)).toBeUndefined();
});

test.each<[string, Partial<RunRow> | undefined, Partial<ApprovalClaims>, boolean, string]>([
  ['the first of two', {}, {}, false, 'open'],
  ['the second of two', { approvals: [approval('carol')] }, {}, true, 'open'],
  ['at its end', {}, { until: NOW.toISOString() }, false, 'link-late'],
  ['without a valid end', {}, { until: 'never' }, false, 'link-late'],
  ['of a person who gets no links any more', {}, { person: 'eve' }, false, 'link-person'],
  ['of the person who asked', { by: 'ada' }, {}, true, 'link-person'],
  ['of the person who asked, where that counts', { by: 'ada' }, {}, false, 'open'],
  ['a second time', { approvals: [approval('ada')] }, {}, false, 'link-used'],
  [
    'a second time, after the run',
    { status: 'succeeded', approvals: [approval('ada')] },
    {},
    false,
    'link-used',
  ],
  ['after another has ended it', { status: 'denied' }, {}, false, 'link-moved'],
  ['after it expired', { status: 'expired' }, {}, false, 'link-moved'],
  ['with another plan', { digest: 'other' }, {}, false, 'link-moved'],
  ['with another state', { base: 'other' }, {}, false, 'link-moved'],
  ['with another commit', { commit: 'other' }, {}, false, 'link-moved'],
  ['of a run that is forgotten', undefined, {}, false, 'link-moved'],
])('a link %s', (_what, run, claims, others, answer) => {
  const verdict = judgeApprovalLink(
    { ...CLAIMS, ...claims },
    {
      ...{ now: NOW, persons: new Set(['ada']), others },
      run: run === undefined ? undefined : ({ ...RUN, ...run } as RunRow),
    },
  );
  expect(verdict.t === 'open' ? 'open' : verdict.code).toBe(answer);
});

test('nothing of a run is HTML on its page', () => {
  const html = openPage({ ...RUN, stack: '<script>', why: ['"a" & <b>'], by: "o'neil" }, CLAIMS);
  expect(html).not.toMatch(/<script|<b>|o'neil/);
  expect(html).toContain('&#60;script&#62;');
  expect(html).toContain('<form method="post"><button>Approve as ada</button></form>');
});
