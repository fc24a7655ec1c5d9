import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import type { BackendPorts } from '@cairn/backends';

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

/** Whether a process of this machine still runs. One that was killed and that nobody has reaped yet does not. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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
  const { state, started } = statusOf(pid) ?? {};
  return started === undefined ? undefined : { started, stopped: /^[Tt]$/.test(state ?? '') };
}

/** Over, though its parent has not taken note of that. */
function hasEnded(pid: number): boolean {
  return /^[ZX]$/.test(statusOf(pid)?.state ?? '');
}

/** What the system tells of a process in a file (Linux). */
function statusOf(
  pid: number,
): { readonly state: string | undefined; readonly started: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything. After it: state first, start as the twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], started: fields[19] };
  } catch {
    return undefined;
  }
}

/** Who tells a change something from this process, for its record. */
export function whoAsks(): string {
  return `${userInfo().username}@${hostname()}`;
}
