import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import type { Postgres } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { FaultyService } from '../support/faulty-service.js';
import { claim, makeStack, runUpdate } from '../support/faulty-update.js';
import type { FaultBatch, SentUpdate } from '../support/faulty-update.js';
import { randomFrom } from '../support/random.js';
import type { Random } from '../support/random.js';
import type { ServedStore } from '../support/served.js';

/** Real processes of the service, and a PostgreSQL with syncs, that die while updates run. */

jest.setTimeout(3_600_000);

/** Sizes of a run in CI. Larger ones are nightly, and by hand. */
const UPDATES = Number(process.env['CAIRN_FAULT_UPDATES'] ?? 6);
const RESOURCES = Number(process.env['CAIRN_FAULT_RESOURCES'] ?? 4);
const FAULTS = Number(process.env['CAIRN_FAULTS'] ?? 4);
const RACES = Number(process.env['CAIRN_RACES'] ?? 20);
const SEED = Number(process.env['CAIRN_SEED'] ?? 1);
/** Stacks on which clients race at the same time. */
const RACED = 5;
/** Number of clients for each one that dies. */
const DYING = 5;

const why = whyNoPostgres();

describe.each(['PostgreSQL', 'a bucket'] as const)(`faults of a service over %s, seed ${SEED}`, (kind) => {
  const storeTest = kind === 'PostgreSQL' && why !== undefined ? test.skip : test;
  let postgres: Postgres | undefined;
  let box: Sandbox;
  let service: FaultyService;
  let random: Random;
  beforeAll(async () => {
    box = sandbox();
    random = randomFrom(SEED);
    if (kind === 'PostgreSQL' && why !== undefined) return;
    if (kind === 'PostgreSQL') postgres = await startPostgres({ syncs: true });
    service = new FaultyService(box, storeOf(), random, postgres);
    await service.start();
  });
  afterAll(async () => {
    service?.stop();
    await postgres?.close();
    box.remove();
  });

  function storeOf(): ServedStore {
    const folder = path.join(box.directory, 'store');
    mkdirSync(folder, { recursive: true });
    if (postgres === undefined) return { words: ['--store', `file://${folder}`], env: {} };
    const { user, host, port, password } = postgres;
    const url = `postgres://${user}@${host}:${port}/postgres`;
    return { words: ['--store', url, '--blobs', `file://${folder}`], env: { PGPASSWORD: password } };
  }

  storeTest(`${UPDATES} updates at once leave what was acknowledged, after ${FAULTS} faults`, async () => {
    const harms = harmsOf(UPDATES * RESOURCES * 2, FAULTS);
    let acknowledged = 0;
    const moved = (): void => {
      acknowledged += 1;
      if (harms.has(acknowledged)) service.harm();
    };
    const sent = await Promise.all(
      Array.from({ length: UPDATES }, async (_each, index) => {
        const stack = `s${index}`;
        await makeStack(service, stack);
        const dies = index % DYING === DYING - 1 ? random.below(RESOURCES * 2) : undefined;
        return runUpdate(service, { stack, resources: RESOURCES, dies }, random, moved);
      }),
    );
    await service.calm();
    for (const update of sent) await judge(service, update);
    const { kill, crash, clock, lost } = service.faults;
    expect([kill + crash + clock >= FAULTS - 1, lost > 0]).toEqual([true, true]);
    const verified = await box.process(['serve', 'audit', 'verify', ...storeOf().words], {
      env: storeOf().env,
    });
    expect(expectOk(verified).stdout).toMatch(/^\d+:[0-9a-f]{64}\n$/);
  });

  storeTest(`of two that claim one stack, one gets it, ${RACES} times`, async () => {
    await service.calm();
    const races = Math.ceil(RACES / RACED);
    await Promise.all(
      Array.from({ length: RACED }, async (_each, index) => {
        await makeStack(service, `raced${index}`);
        for (let race = 1; race <= races; race += 1) await raceFor(service, `raced${index}`, race);
      }),
    );
  });
});

/** Returns the numbers of acknowledged batches after which something happens. */
function harmsOf(batches: number, faults: number): ReadonlySet<number> {
  const each = Math.floor((batches * (1 - 1 / DYING)) / (faults + 1));
  return new Set(Array.from({ length: faults }, (_fault, index) => (index + 1) * each));
}

/** Two clients claim a stack at the same time, through different processes. The one that gets it runs an update. */
async function raceFor(service: FaultyService, stack: string, race: number): Promise<void> {
  const claims = await Promise.all([claim(service, stack), claim(service, stack)]);
  expect([race, ...claims.map(({ answer }) => answer?.status).sort()]).toEqual([race, 200, 409]);
  const won = claims.find(({ answer }) => answer?.status === 200);
  const { route = '', answer } = won ?? {};
  const { number } = answer?.body['change'] as { readonly number: number };
  expect([number, answer?.body['version']]).toEqual([race, race]);
  const auth = `update-token ${String(answer?.body['token'])}`;
  const shown = await service.sure({ method: 'GET', path: route.replace(/\/update\/.*$/, '') });
  expect(route).toContain(String(shown.body['activeUpdate']));
  const ended = await service.sure({
    ...{ method: 'POST', path: `${route}/complete`, auth, body: { status: 'failed' } },
  });
  expect(ended.status).toBe(200);
}

/** Compares what the service keeps of an update with what it acknowledged. */
async function judge(service: FaultyService, sent: SentUpdate): Promise<void> {
  const { at, change, acknowledged, ended } = sent;
  const get = async (more: string): Promise<Record<string, unknown>> => {
    const { status, body } = await service.sure({ method: 'GET', path: at + more });
    expect([at, more, status]).toEqual([at, more, 200]);
    return body;
  };
  if (!ended) {
    const { activeUpdate } = await get('');
    const cancel = { method: 'POST', path: `${at}/update/${String(activeUpdate)}/cancel` };
    expect((await service.sure(cancel)).status).toBe(200);
  }
  const { entries, records } = (await get(`/changes/${change}/records`)) as unknown as FaultBatch;
  const possible = ended ? [acknowledged] : [acknowledged, acknowledged + 1];
  const stored = sent.batches.slice(
    0,
    possible.find((count) => recordsIn(sent, count) === records.length) ?? 0,
  );
  expect([at, entries, records]).toEqual([
    at,
    stored.flatMap((batch) => batch.entries),
    stored.flatMap((batch) => batch.records),
  ]);
  const { deployment } = (await get('/export')) as { deployment: Exported };
  const resources = (deployment.resources ?? []).map(nameOf);
  const pending = (deployment.pending_operations ?? []).map((each) => nameOf(each.resource));
  const done = Math.floor(stored.length / 2);
  const names = Array.from({ length: done }, (_each, index) => `r${index + 1}`);
  expect([at, resources, pending]).toEqual([at, names, stored.length % 2 === 1 ? [`r${done + 1}`] : []]);
  const { updates } = (await get('/updates')) as { updates: { result: string }[] };
  expect([at, updates[0]?.result]).toEqual([at, ended ? 'succeeded' : 'failed']);
}

function recordsIn({ batches }: SentUpdate, count: number): number {
  return batches.slice(0, count).reduce((sum, { records }) => sum + records.length, 0);
}

interface Exported {
  readonly resources?: readonly { readonly urn: string }[];
  readonly pending_operations?: readonly { readonly resource: { readonly urn: string } }[];
}

function nameOf({ urn }: { readonly urn: string }): string | undefined {
  return urn.split('::').at(-1);
}
