import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FakeClock } from '@cairn/changes';
import type { Register } from '@cairn/changes-daemon';
import { openAgentRegister, readAgentState } from '../src/folder/agent-folder.js';
import { FolderLease, LEASE_MS } from '../src/folder/lease.js';

let clock = new FakeClock();
let folder = '';
beforeEach(() => {
  clock = new FakeClock();
  folder = mkdtempSync(path.join(tmpdir(), 'agent-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (): string => path.join(folder, 'register.json');
const isNumber = (value: unknown): value is number => typeof value === 'number';

async function open(): Promise<Register> {
  const taken = await FolderLease.take(folder, 'a', () => clock.now());
  if ('holder' in taken) throw new Error('another agent has it');
  return openAgentRegister(folder, taken.lease, clock, () => undefined);
}

/** Opens the folder as the next agent does, after the one before has died. */
function openNext(): Promise<Register> {
  clock.advance(LEASE_MS);
  return open();
}

const marks = (register: Register): ReadonlyMap<string, number> => register.entries('m/', isNumber);

test('a register in a folder continues after each agent, and after an unfinished write', async () => {
  for (let at = 0; at < 4; at += 1) {
    const register = await (at === 0 ? open() : openNext());
    register.tx((t) => t.set(`m/${at}`, at));
    await register.stored();
    appendFileSync(file(), '000000ff 0000');
  }
  const last = await openNext();
  expect([...marks(last)]).toEqual([0, 1, 2, 3].map((at) => [`${at}`, at]));
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['lease.json', 'register.json']);
});

test('a register of an older version is read by commands, and taken over by the next agent', async () => {
  const warnings = [{ message: 'disk is full', 'first-added': '2030-01-01T00:00:00Z', 'expire-after': '9h' }];
  writeFileSync(file(), JSON.stringify({ patch: { level: 1, sublevel: 0 }, data: { 'm/1': 1 }, warnings }));
  expect((await readAgentState(folder)).warnings).toEqual(warnings);
  const register = await open();
  register.tx((t) => t.set('m/2', 2));
  await register.stored();
  expect(readFileSync(file(), 'utf8')).toMatch(/^[0-9a-f]{8} [0-9a-f]{8} \{.*\}\n$/);
  expect([...marks(await openNext())]).toEqual([
    ['1', 1],
    ['2', 2],
  ]);
});

test('an agent that has lost its lease appends nothing', async () => {
  const first = await open();
  first.tx((t) => t.set('m/1', 1));
  await first.stored();
  const second = await openNext();
  const before = readFileSync(file(), 'utf8');
  first.tx((t) => t.set('m/1', 99));
  let failure: unknown;
  void first.stored().catch((error: unknown) => (failure = error));
  for (; failure === undefined; await new Promise((resolve) => setImmediate(resolve))) clock.advance(3000);
  expect(String(failure)).toContain('has its lease');
  expect(readFileSync(file(), 'utf8')).toBe(before);
  second.tx((t) => t.set('m/2', 2));
  await second.stored();
  expect(readFileSync(file(), 'utf8').startsWith(before)).toBe(true);
  expect([...marks(await openNext())].map(([, value]) => value)).toEqual([1, 2]);
});
