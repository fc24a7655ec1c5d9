import { passes } from './faulty-service.js';
import type { FaultyService, ServiceAnswer } from './faulty-service.js';
import type { Random } from './random.js';

/** Update of a test. One that dies stops after so many acknowledged batches, with another on its way. */
interface UpdatePlan {
  readonly stack: string;
  readonly resources: number;
  readonly dies: number | undefined;
}

/** Journal batch: the begin of a step with its records, or its end. */
export interface FaultBatch {
  readonly entries: readonly object[];
  readonly records: readonly object[];
}

/** Update that ended, or whose client died, with what was acknowledged. */
export interface SentUpdate {
  readonly at: string;
  readonly change: number;
  readonly batches: readonly FaultBatch[];
  readonly acknowledged: number;
  readonly ended: boolean;
}

/** Update that runs. */
interface HeldUpdate {
  readonly route: string;
  readonly auth: string;
  readonly change: number;
}

const AT = '2030-01-01T00:00:00.000Z';
const TASKS = { undone: 0, failed: 0, held: 0, waiting: 0, doubt: 0 };
const CHANGE = { operation: 'up', process: { pid: 7, hostname: 'h1' } };

/** Runs an update through a service to which bad things happen. `moved` is called for every acknowledged batch. */
export async function runUpdate(
  service: FaultyService,
  { stack, resources, dies }: UpdatePlan,
  random: Random,
  moved: () => void,
): Promise<SentUpdate> {
  const at = `${PROJECT}/${stack}`;
  const held = await begin(service, stack);
  const batches = batchesOf(resources);
  const late: Promise<ServiceAnswer | undefined>[] = [];
  let acknowledged = 0;
  for (const batch of batches) {
    const request = { method: 'PATCH', path: `${held.route}/journalentries`, auth: held.auth, body: batch };
    if (acknowledged === dies) {
      void service.once(request);
      return { at, change: held.change, batches, acknowledged, ended: false };
    }
    if (random.below(4) === 0) await service.tear({ ...request, body: contradicting(batch) });
    // The same batch on two ways: one of them is late, also behind later batches, and behind the end.
    if (random.below(3) === 0) late.push(service.once(request));
    expectStatus(200, await service.sure(request));
    acknowledged += 1;
    moved();
    if (random.below(6) === 0) await disturb(service, held, at, acknowledged);
  }
  const end = { result: 'succeeded', status: 'done', tasks: { ...TASKS, total: resources, done: resources } };
  const body = { status: 'succeeded', change: end };
  const complete = { method: 'POST', path: `${held.route}/complete`, auth: held.auth, body };
  expectStatus(200, await service.sure(complete));
  for (const answer of await Promise.all(late))
    expect([200, 409, 502, 503, undefined]).toContain(answer?.status);
  return { at, change: held.change, batches, acknowledged, ended: true };
}

/** Makes a stack. An answer that was lost shows as a stack that is there already. */
export async function makeStack(service: FaultyService, stack: string): Promise<void> {
  const made = await service.sure({ method: 'POST', path: PROJECT, body: { stackName: stack } });
  expect([200, 409]).toContain(made.status);
}

/** Asks for a stack once. Undefined if the answer, and with it the token, was lost. */
export async function claim(
  service: FaultyService,
  stack: string,
): Promise<{ readonly route: string; readonly answer: ServiceAnswer | undefined }> {
  const at = `${PROJECT}/${stack}`;
  const body = { options: { dryRun: false }, change: CHANGE };
  const created = await service.sure({ method: 'POST', path: `${at}/update`, body });
  expectStatus(200, created);
  const route = `${at}/update/${String(created.body['updateID'])}`;
  const answer = await service.once({ method: 'POST', path: route, body: { journalVersion: 1 } });
  return { route, answer };
}

/** Returns the batches of an update that creates resources one after the other. */
function batchesOf(resources: number): readonly FaultBatch[] {
  const opened = { seq: 1, tx: 1, at: AT, record: 'change', id: '1', kind: 'up', summary: '', scope: 's' };
  return Array.from({ length: resources }, (_each, index) => index + 1).flatMap((id) => {
    const [before, task] = [3 * id - 2, { task: String(id), direction: 'do' }];
    const record = (number: number, more: object): object => ({
      ...{ seq: before + number, tx: before + number, at: AT, ...more },
    });
    const [begun, done] = [2 * id - 1, 2 * id];
    const records = [
      ...(id === 1 ? [opened] : []),
      record(1, { record: 'task', id: String(id), kind: 'create', summary: `create r${id}` }),
      record(2, { record: 'intent', ...task, status: 'doing', attempt: 1, entry: begun }),
    ];
    const outcome = { record: 'outcome', ...task, result: 'ok', status: 'done', ms: 1, entry: [done] };
    return [
      {
        entries: [entry(0, begun, id, { operation: { resource: resource(id), type: 'creating' } })],
        records,
      },
      { entries: [entry(1, done, id, { state: resource(id) })], records: [record(3, outcome)] },
    ];
  });
}

/** Project of the tests. */
const PROJECT = '/api/stacks/organization/shop';

/** Starts an update, with another one if it is not known whether it has started. */
async function begin(service: FaultyService, stack: string): Promise<HeldUpdate> {
  for (;;) {
    const { route, answer } = await claim(service, stack);
    if (answer !== undefined && !passes(answer.status)) {
      expectStatus(200, answer);
      const { number } = answer.body['change'] as { readonly number: number };
      return { route, auth: `update-token ${String(answer.body['token'])}`, change: number };
    }
    expectStatus(200, await service.sure({ method: 'POST', path: `${route}/cancel` }));
  }
}

/** Renews the lease, sends events, and has another client ask for the same stack, which must not get it. */
async function disturb(
  service: FaultyService,
  { route, auth }: HeldUpdate,
  at: string,
  sequence: number,
): Promise<void> {
  const lease = await service.sure({
    method: 'POST',
    path: `${route}/renew_lease`,
    auth,
    body: { duration: 300 },
  });
  expectStatus(200, lease);
  const left = Number(lease.body['tokenExpiration']) - Date.now() / 1000;
  expect([left, !service.hasClock || (left > 0 && left < 600)]).toEqual([left, true]);
  const events = [{ sequence, timestamp: 1 }];
  expectStatus(
    200,
    await service.sure({ method: 'POST', path: `${route}/events/batch`, auth, body: { events } }),
  );
  const { answer } = await claim(service, at.split('/').at(-1) as string);
  expect([409, 502, 503, undefined]).toContain(answer?.status);
}

function expectStatus(status: number, answer: ServiceAnswer): void {
  expect([answer.status, answer.body]).toEqual([status, answer.body]);
}

/** Returns a batch that could not be stored beside another one. */
function contradicting({ entries, records }: FaultBatch): FaultBatch {
  return { entries: entries.map((each) => ({ ...each, elapsed: 1 })), records };
}

function entry(kind: number, sequenceID: number, operationID: number, more: object): object {
  return { version: 1, kind, sequenceID, operationID, removeOld: null, removeNew: null, ...more };
}

function resource(id: number): object {
  const urn = `urn:pulumi:dev::shop::test:index:Thing::r${id}`;
  return { urn, custom: false, type: 'test:index:Thing' };
}
