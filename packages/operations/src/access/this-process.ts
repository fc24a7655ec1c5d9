import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import type { BackendPorts } from '@cairn/backends';
import { isAlive } from './is-alive.js';

type HolderProcess = BackendPorts['process'];

/** This process as locks name it. `attended`: a person watches it. */
export function thisProcess(attended: boolean): HolderProcess {
  return {
    pid: process.pid,
    username: userInfo().username,
    hostname: hostname(),
    isAlive,
    machine: machineMark(),
    look: lookAtProcess,
    attended,
  };
}

/**
 * The same text wherever the same numbers of processes are given out: this boot of this machine and, in containers,
 * this one. Undefined where the system does not tell (Linux does).
 */
export function machineMark(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const numbers = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
    return `${boot}/${numbers}`;
  } catch {
    return undefined;
  }
}

/**
 * When a process of this machine began (clock ticks since the boot) and whether it was stopped. Undefined when it is
 * not there or the system does not tell (Linux does).
 */
export function lookAtProcess(pid: number): ReturnType<NonNullable<HolderProcess['look']>> {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything. After it: state first, start as the twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', started] = [fields[0], fields[19]];
    return started === undefined ? undefined : { started, stopped: /^[Tt]$/.test(state) };
  } catch {
    return undefined;
  }
}

/** Who tells a change something from this process, for its record. */
export function whoAsks(): string {
  return `${userInfo().username}@${hostname()}`;
}
