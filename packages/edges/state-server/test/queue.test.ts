import { randomUUID } from 'node:crypto';
import { S, endServices, isShared, startTestService, storeTest, startUpdate } from './service.js';
import type { Answer, TestService } from './service.js';

afterEach(endServices);

/** Time after which a place lapses, with a little more. */
const LAPSED = 15_100;

interface Waiting {
  readonly service: TestService;
  readonly tickets: readonly string[];
  /** Keeps a place. The answer may wait, in seconds. */
  keep(ticket: string, wait?: number): Promise<Answer>;
  leave(ticket: string): Promise<Answer>;
  /** Creates and starts an update, and returns the answer to the start. */
  start(ticket?: string): Promise<Answer>;
  /** Returns the numbers of those before each place. */
  places(): Promise<readonly number[]>;
}

async function waiting(count: number): Promise<Waiting> {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const tickets = Array.from({ length: count }, () => randomUUID());
  const at = waitingAt(service, tickets);
  for (const ticket of tickets) expect((await at.keep(ticket)).status).toBe(200);
  return at;
}

function waitingAt(service: TestService, tickets: readonly string[]): Waiting {
  const keep = (ticket: string, wait = 0): Promise<Answer> =>
    service.call('POST', `${S}/queue/${ticket}`, { body: { wait } });
  return {
    ...{ service, tickets, keep },
    leave: (ticket) => service.call('DELETE', `${S}/queue/${ticket}`),
    start: async (ticket) => {
      const { body } = await service.call('POST', `${S}/update`, { body: { options: { dryRun: false } } });
      const route = `${S}/update/${String(body['updateID'])}`;
      return service.call('POST', route, { body: { journalVersion: 1, ticket } });
    },
    places: async () => {
      const places: number[] = [];
      for (const ticket of tickets) places.push(((await keep(ticket)).body['before'] as object[]).length);
      return places;
    },
  };
}

storeTest('places keep the order of asking, and only the first one may start', async () => {
  const { tickets, start, places, keep, service } = await waiting(3);
  expect(await places()).toEqual([0, 1, 2]);
  const other = 'Conflict: Another update is currently in progress.';
  for (const ticket of [undefined, tickets[1], tickets[2], randomUUID()]) {
    const { status, body } = await start(ticket);
    expect([status, body['message']]).toEqual([
      409,
      `${other} writer-user waits for the stack and asked before, and 2 more.`,
    ]);
  }
  const preview = await startUpdate(service, { dryRun: true });
  expect(preview.answer.status).toBe(200);
  expect((await start(tickets[0])).status).toBe(200);
  expect((await keep(tickets[1] as string)).body).toEqual({
    before: [],
    current: { kind: 'update', author: 'writer-user', started: expect.any(Number) },
  });
  const { status, body } = await start(tickets[1]);
  expect([status, body['message']]).toEqual([409, expect.stringContaining(`${other} It is update `)]);
});

storeTest('a place that is not kept lapses, and a client that returns is the last', async () => {
  const { tickets, keep, start, places, service } = await waiting(3);
  const [first, second, third] = tickets as [string, string, string];
  await service.pass(LAPSED / 2);
  for (const ticket of [second, third]) await keep(ticket);
  await service.pass(LAPSED / 2);
  expect((await start(third)).status).toBe(409);
  expect((await keep(first)).body['before']).toHaveLength(2);
  expect(await places()).toEqual([2, 0, 1]);
  expect((await start(second)).status).toBe(200);
});

storeTest(
  'a place that is left is free for the next one, and once all have lapsed any client may start',
  async () => {
    const { tickets, leave, places, start, service } = await waiting(3);
    await leave(tickets[0] as string);
    await leave(tickets[0] as string);
    expect(((await places()) as number[]).slice(1)).toEqual([0, 1]);
    await service.pass(LAPSED);
    expect((await start()).status).toBe(200);
  },
);

storeTest('places that are kept at the same moment have an order', async () => {
  const { service } = await waiting(0);
  const tickets = Array.from({ length: 12 }, () => randomUUID());
  const { keep, places } = waitingAt(service, tickets);
  await Promise.all(tickets.map((ticket) => keep(ticket)));
  expect([...(await places())].sort((a, b) => a - b)).toEqual(tickets.map((_ticket, index) => index));
});

storeTest('places outlive the process of the service', async () => {
  const { tickets, service } = await waiting(3);
  if (!isShared()) await service.stop();
  const again = waitingAt(await startTestService(service.folder), tickets);
  expect(await again.places()).toEqual([0, 1, 2]);
  expect((await again.start(tickets[1])).status).toBe(409);
  expect((await again.start(tickets[0])).status).toBe(200);
});

storeTest('names that are none, and stacks that are none, are refused', async () => {
  const { service, leave, keep } = await waiting(1);
  for (const name of ['x', '..%2fx', 'ffffffff']) {
    expect((await keep(name)).status).toBe(400);
    expect((await leave(name)).status).toBe(400);
  }
  expect((await service.call('POST', `${S}2/queue/${randomUUID()}`)).status).toBe(404);
});

/** Longest wait of a call: a test in which nothing wakes it takes that long, and gets the answer from before. */
const WAIT = 5;

storeTest(
  'a call that waits is answered when the update ends, or those before leave [STORE-20]',
  async () => {
    const { keep, leave, service } = await waiting(0);
    const update = await startUpdate(service);
    const [first, second] = [randomUUID(), randomUUID()];
    expect((await keep(second)).body['current']).toMatchObject({ kind: 'update' });
    const waits = keep(second, WAIT);
    await service.call('POST', `${update.route}/complete`, {
      ...{ auth: update.auth, body: { status: 'succeeded' } },
    });
    expect((await waits).body).toEqual({ before: [] });
    await keep(first);
    const behind = keep(first, WAIT);
    await leave(second);
    expect((await behind).body).toEqual({ before: [] });
    // The first place does not wait.
    expect((await keep(first, WAIT)).body).toEqual({ before: [] });
  },
);

storeTest(
  'a call that waits is answered when its time is over; a longer one is refused [STORE-20]',
  async () => {
    const { tickets, keep } = await waiting(2);
    expect((await keep(tickets[1] as string, 0.05)).body['before']).toHaveLength(1);
    expect((await keep(tickets[1] as string, WAIT + 1)).status).toBe(400);
  },
);
