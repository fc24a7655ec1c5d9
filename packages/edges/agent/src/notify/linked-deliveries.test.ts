import type { ApprovalClaims, RunRow } from '@cairn/changes-daemon';
import type { NoticeTarget } from '../config/agent-config.js';
import { linkedDeliveries } from './linked-deliveries.js';

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

test('each person with a link has a delivery of their own, and the others have none', () => {
  const mail: NoticeTarget = {
    ...{ name: 'm', kind: 'mail', address: 'M', from: 'a@b.c', recipients: ['ada@x.y', 'ops@x.y'] },
    links: new Map([['ada@x.y', 'ada']]),
  };
  const hook: NoticeTarget = { name: 'h', kind: 'webhook', address: 'H', links: 'bob' };
  const links = { address: 'https://a.example', validMs: 1000 };
  const wanted = { type: 'approval-wanted' } as const;
  expect(linkedDeliveries(mail, wanted, RUN, links, NOW)).toEqual([
    { to: ['ada@x.y'], link: CLAIMS },
    { to: ['ops@x.y'] },
  ]);
  expect(linkedDeliveries(hook, wanted, RUN, links, NOW)).toEqual([{ link: { ...CLAIMS, person: 'bob' } }]);
  for (const without of [
    linkedDeliveries(mail, { type: 'run-failed' }, RUN, links, NOW),
    linkedDeliveries(mail, wanted, RUN, undefined, NOW),
    linkedDeliveries(mail, wanted, { ...RUN, status: 'applying' }, links, NOW),
    linkedDeliveries(mail, wanted, undefined, links, NOW),
    linkedDeliveries({ name: 'c', kind: 'slack', address: 'C' }, wanted, RUN, links, NOW),
  ])
    expect(without).toEqual([{}]);
});
