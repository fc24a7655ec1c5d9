import { holderStateOf, verdictOn } from './holder-state.js';
import type { HolderState, HolderVerdict } from './holder-state.js';
import type { Takeover } from './lease.js';
import type { HolderProcess, LockHolder, ProcessLook } from '../../model/lock-holder.js';

const HERE = 'boot-1/4026531836';

const processes: Readonly<Record<number, ProcessLook>> = {
  7: { started: '100', stopped: false },
  8: { started: '200', stopped: true },
};

const self = (more: Partial<HolderProcess> = {}): HolderProcess => ({
  pid: 1,
  username: 'ann',
  hostname: 'build-1',
  isAlive: (pid) => pid in processes,
  machine: HERE,
  look: (pid) => processes[pid],
  ...more,
});

const holder = (more: Partial<LockHolder> = {}): LockHolder => ({
  id: 'x',
  key: 'locks/x.json',
  pid: 7,
  username: 'ann',
  hostname: 'build-1',
  timestamp: '2030-01-01T00:00:00Z',
  ours: true,
  claims: [],
  machine: HERE,
  started: '100',
  lease: { termMs: 60_000, renewals: 3, attended: false },
  reason: undefined,
  version: 'v',
  modified: 0,
  problem: undefined,
  ...more,
});

const silent = { machine: undefined, started: undefined };

test.each<[string, Partial<LockHolder>, Partial<HolderProcess>, HolderState]>([
  ['runs here', {}, {}, 'running'],
  ['was stopped here', { pid: 8, started: '200' }, {}, 'stopped'],
  ['does not run any more', { pid: 9 }, {}, 'gone'],
  ['had a number that another process has now', { started: '99' }, {}, 'gone'],
  ['ran before this boot', { machine: 'boot-0/4026531836', pid: 9 }, {}, 'elsewhere'],
  ['runs in another container of this host', { machine: 'boot-1/4026532001', pid: 9 }, {}, 'elsewhere'],
  ['runs on a machine of the same name', { machine: 'boot-9/4026531836', pid: 9 }, {}, 'elsewhere'],
  ['runs on this machine under another name', { hostname: 'renamed' }, {}, 'running'],
  ['says no machine, on this host, and is dead', { ...silent, pid: 9 }, {}, 'gone'],
  ['says no machine, on this host, and lives', silent, {}, 'running'],
  ['says no machine, on another host', { ...silent, hostname: 'laptop', pid: 9 }, {}, 'elsewhere'],
  ['is dead where the system tells no machine', { pid: 9 }, { machine: undefined, look: undefined }, 'gone'],
  ['lives where the system tells no machine', {}, { machine: undefined, look: undefined }, 'running'],
  ['has no number', { pid: 0 }, {}, 'elsewhere'],
  ['has a number that is none', { pid: -1 }, {}, 'elsewhere'],
])('a holder that %s', (_title, marks, process, state) => {
  expect(holderStateOf(holder(marks), self(process))).toBe(state);
});

const elsewhere = { machine: 'boot-2/4026531836', hostname: 'build-2' };
const stopped = { pid: 8, started: '200' };
const attendedLease = { lease: { termMs: 60_000, renewals: 3, attended: true } };
const person = { attended: true };

test.each<[string, Partial<LockHolder>, Partial<HolderProcess>, Takeover, HolderVerdict]>([
  ['of a dead process', { pid: 9 }, {}, 'never', 'remove'],
  ['of a process that runs here', {}, {}, 'always', 'respect'],
  ['of an unattended process elsewhere, seen by one', elsewhere, {}, 'unattended', 'watch'],
  ['of an unattended process elsewhere, seen by a person', elsewhere, person, 'unattended', 'respect'],
  ['of a person elsewhere', { ...elsewhere, ...attendedLease }, {}, 'unattended', 'respect'],
  ['of a person elsewhere, asked for', { ...elsewhere, ...attendedLease }, person, 'always', 'watch'],
  ['of anybody elsewhere, never', elsewhere, {}, 'never', 'respect'],
  [
    'of the same person, before the machine was restarted',
    { machine: 'boot-0/4026531836', ...attendedLease },
    person,
    'unattended',
    'watch',
  ],
  [
    'of somebody else, before the machine was restarted',
    { machine: 'boot-0/4026531836', username: 'bob', ...attendedLease },
    person,
    'unattended',
    'respect',
  ],
  ['of a stopped process here, unattended', stopped, {}, 'unattended', 'watch'],
  ['of a stopped process of this person', { ...stopped, ...attendedLease }, person, 'unattended', 'respect'],
  ['of a stopped process here, asked for', { ...stopped, ...attendedLease }, person, 'always', 'watch'],
  ['of another tool elsewhere', { ...elsewhere, ours: false, lease: undefined }, {}, 'always', 'respect'],
  ['of an older version elsewhere', { ...elsewhere, lease: undefined }, {}, 'always', 'respect'],
  ['that another tool marked with a lease', { ...elsewhere, ours: false }, {}, 'always', 'respect'],
])('a lock %s', (_title, marks, process, takeover, verdict) => {
  expect(verdictOn(holder(marks), self(process), takeover)).toBe(verdict);
});
