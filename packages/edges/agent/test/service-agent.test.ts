import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runServiceAgent } from '../src/index.js';
import { containersFolder } from '../src/executors/run-files.js';
import { RENEW_MS, leaseFile, parseLease } from '../src/folder/lease.js';
import { FakeService } from './fake-service.js';

/** Agents of a service in one folder. The renewals of their leases are due when a test says so. */

/** All that is not faked: intervals are. */
const REAL = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];

let folder = '';
let service: FakeService;
const stops: (() => void)[] = [];
beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: REAL });
  folder = mkdtempSync(path.join(tmpdir(), 'service-agent-'));
  service = await FakeService.start();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await service.close();
  jest.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** Starts an agent. `says` resolves when its log has a text. */
function start(words: readonly string[] = []) {
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  let stop = (): void => undefined;
  const address = { url: service.url, token: 't', organization: 'acme' };
  const ended = runServiceAgent(
    { ...address, folder, name: 'host-1', places: 1, isLocal: true },
    {
      env: process.env,
      cairn: { command: process.execPath, words },
      log: (line) => {
        lines.push(line);
        for (const look of waiting) look();
      },
      onStop: (listener) => ((stop = listener), () => undefined),
    },
    false,
  );
  ended.catch(() => undefined);
  stops.push(() => stop());
  const says = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (lines.some((line) => line.includes(text)) && resolve());
      waiting.push(look);
      look();
    });
  return { ended, says, stop: () => stop() };
}

/** Writes the record of a container that has not begun: an agent that takes the folder removes it. */
function writeRecord(): string {
  const records = containersFolder(folder);
  mkdirSync(records, { recursive: true });
  const file = path.join(records, 'cairn-1.json');
  writeFileSync(file, '');
  return file;
}

const withCode = (code: string): object => ({ diagnostics: [expect.objectContaining({ code })] });

test('a second agent with the name and the folder of one that works is refused, and removes nothing', async () => {
  const first = start();
  await first.says('works for');
  const record = writeRecord();
  const second = start();
  await second.says('has the folder');
  jest.advanceTimersByTime(RENEW_MS);
  await expect(second.ended).rejects.toMatchObject(withCode('CAIRN-AGENT-FOLDER'));
  await expect(second.ended).rejects.toThrow(
    `cannot work in ${folder}: agent host-1 (process ${process.pid}`,
  );
  expect([existsSync(record), service.claims]).toEqual([true, 1]);
  first.stop();
  expect(await first.ended).toBe('stopped');
});

test('an agent that waits takes the folder when the other one ends, and removes what is left', async () => {
  const first = start();
  await first.says('works for');
  const record = writeRecord();
  const second = start();
  await second.says('has the folder');
  first.stop();
  expect(await first.ended).toBe('stopped');
  await second.says('works for');
  second.stop();
  expect(await second.ended).toBe('stopped');
  expect([existsSync(record), parseLease(readFileSync(leaseFile(folder), 'utf8'))?.fence]).toEqual([
    false,
    2,
  ]);
});

test('an agent that waits can be stopped', async () => {
  const first = start();
  await first.says('works for');
  const second = start();
  await second.says('has the folder');
  second.stop();
  expect(await second.ended).toBe('stopped');
});

/** Returns a run of a stack whose program is in the folder, with further settings. */
const runWith = (deployment: string, more: object = {}): object => ({
  ...{ deployment, organization: 'acme', project: 'shop', stack: 'dev', operation: 'update' },
  ...{ fence: 1, token: 't', settings: { cairn: { source: { directory: folder }, ...more } } },
  row: {
    ...{ id: '1', stack: 'acme/shop/dev', kind: 'up', request: '1', by: 'ann', status: 'planning' },
    ...{ began: new Date().toISOString(), why: [], approvals: [], needed: 0, approved: true },
  },
});

test('a run with settings of a newer version fails and names them, and the next one runs', async () => {
  const script = path.join(folder, 'operation.mjs');
  writeFileSync(script, "await fetch(process.env.CAIRN_BACKEND_URL + '/began/' + process.pid);");
  const newer = { quota: 3, policy: { rules: [{ kinds: ['create'], moon: 'full', then: 'apply' }] } };
  service.runs.push(runWith('d1', newer), runWith('d2'));
  const agent = start([script]);
  await service.began;
  const [row] = service.reports.flatMap(({ rows }) => rows);
  expect(row?.status).toBe('failed');
  expect(row?.why.join()).toMatch(/unknown key .*moon.*unknown key .*quota/);
  service.isHasty = true;
  agent.stop();
  expect(await agent.ended).toBe('stopped');
});

test('an agent that has lost its folder kills its processes, and gives its run back', async () => {
  const script = path.join(folder, 'operation.mjs');
  writeFileSync(
    script,
    "await fetch(process.env.CAIRN_BACKEND_URL + '/began/' + process.pid); setInterval(() => {}, 1000);",
  );
  service.runs.push(runWith('d1'));
  const agent = start([script]);
  const pid = await service.began;
  const lease = parseLease(readFileSync(leaseFile(folder), 'utf8'));
  writeFileSync(leaseFile(folder), JSON.stringify({ ...lease, run: 'another', fence: 2 }));
  jest.advanceTimersByTime(RENEW_MS);
  await expect(agent.ended).rejects.toMatchObject(withCode('CAIRN-AGENT-LEASE'));
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(service.reports.at(-1)?.release).toBe(true);
  expect(service.reports.flatMap(({ rows }) => rows.map(({ status }) => status))).not.toContain('failed');
});
