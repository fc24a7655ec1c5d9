import { tokenHash } from '../crypto/tokens.js';
import type { AuditEvent } from '../domain/audit.js';
import type { AuditRecord } from '../store/audit-store.js';
import type { TokenRecord } from '../store/token-store.js';
import { RefusedCalls } from './refused-calls.js';

const token = (user: string): TokenRecord => ({
  ...{
    hash: tokenHash(user),
    user,
    name: 'laptop',
    role: 'reader',
    createdAt: 0,
  },
});
const call = (user?: string, route = 'delete-stack') => ({
  ...{ route, organization: 'acme', stack: 'shop/dev', sourceIp: '192.0.2.1' },
  token: user === undefined ? undefined : token(user),
  user: undefined as string | undefined,
});

function counted() {
  const events: (AuditEvent | undefined)[] = [];
  const clock = { ms: 0, fails: false };
  const store = {
    audited: async <T>({ event }: AuditRecord, work: () => Promise<T>): Promise<T> => {
      if (clock.fails) throw new Error('no store');
      events.push(event());
      return work();
    },
    auditRows: async () => [],
    takeAuditRows: async () => false,
  };
  const calls = new RefusedCalls({ store, now: () => new Date(5000), monotonic: () => clock.ms });
  return { events, clock, calls };
}

test('calls of one caller on one route are one row, and those of others are others', async () => {
  const { events, calls } = counted();
  for (const user of ['ann', 'bob', 'ann']) calls.note(call(user));
  calls.note(call('ann', 'get-stack'));
  await calls.record({ isEnd: false });
  expect(events).toMatchObject([
    {
      at: 5,
      event: 'refused-call',
      organization: 'acme',
      user: 'ann',
      description: 'refused 2 calls: delete-stack',
    },
    { user: 'bob', description: 'refused a call: delete-stack', stack: 'shop/dev', sourceIp: '192.0.2.1' },
    { user: 'ann', description: 'refused a call: get-stack', tokenName: 'laptop' },
  ]);
});

test('strangers cannot fill the log: a million calls are one row in a minute', async () => {
  const { events, clock, calls } = counted();
  for (let minute = 0; minute < 3; minute += 1) {
    for (let count = 0; count < 100_000; count += 1)
      calls.note({ ...call(), organization: `o${count}`, sourceIp: `10.0.0.${count}` });
    for (let looks = 0; looks < 6; looks += 1) {
      await calls.record({ isEnd: false });
      clock.ms += 10_000;
    }
  }
  expect(events).toHaveLength(3);
  expect(events[0]).toMatchObject({
    ...{ description: 'refused 100000 calls of strangers: delete-stack first', organization: '', user: '' },
  });
});

test('nor can callers who are known: there are twenty rows in a minute, and one for the rest', async () => {
  const { events, calls } = counted();
  for (let count = 0; count < 1000; count += 1) calls.note(call(`user-${count}`));
  calls.note(call());
  await calls.record({ isEnd: false });
  expect(events).toHaveLength(22);
  expect(events.map((event) => event?.description)).toContain(
    'refused 980 calls of more callers: delete-stack first',
  );
  expect(events.map((event) => event?.description)).toContain(
    'refused a call of strangers: delete-stack first',
  );
});

test('an end records what is left, and a store that fails loses one row at most', async () => {
  const { events, clock, calls } = counted();
  calls.note(call('ann'));
  await calls.record({ isEnd: false });
  for (const user of ['bob', 'eve']) calls.note(call(user));
  await calls.record({ isEnd: false });
  expect(events).toHaveLength(1);
  clock.fails = true;
  await expect(calls.record({ isEnd: true })).rejects.toThrow('no store');
  clock.fails = false;
  await calls.record({ isEnd: true });
  expect(events.map((event) => event?.user)).toEqual(['ann', 'eve']);
});
