import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import type { BackendPorts } from '@cairn/backends';

type HolderProcess = BackendPorts['process'];

/** Describes this process for locks. `attended` is true if a person watches it. */
export function thisProcess(attended: boolean): HolderProcess {
  return {
    pid: process.pid,
    username: systemUser(),
    hostname: hostname(),
    isAlive,
    machine: machineMark(),
    look: lookAtProcess,
    attended,
  };
}

/** Tells whether a process of this machine still runs. A killed process that waits to be reaped does not. */
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
 * Returns a mark of the machine. It is the same wherever processes share their ids: this boot of this machine and, in
 * containers, this container. Returns `undefined` if the system does not provide it (Linux does).
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
 * Returns the start of a process of this machine (clock ticks since the boot) and whether it was stopped. Returns
 * `undefined` if it does not exist or the system does not provide this (Linux does).
 */
export function lookAtProcess(pid: number): ReturnType<NonNullable<HolderProcess['look']>> {
  const { state, started } = statusOf(pid) ?? {};
  return started === undefined ? undefined : { started, stopped: /^[Tt]$/.test(state ?? '') };
}

/** True for a process that has ended, even if its parent has not noticed. */
function hasEnded(pid: number): boolean {
  return /^[ZX]$/.test(statusOf(pid)?.state ?? '');
}

/** Reads the system's file about a process (Linux). */
function statusOf(
  pid: number,
): { readonly state: string | undefined; readonly started: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain anything. After it, the state is the first field and the start the twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], started: fields[19] };
  } catch {
    return undefined;
  }
}

/** Returns the sender of a message to a change, for the change's record. */
export function whoAsks(): string {
  return `${systemUser()}@${hostname()}`;
}

/** Returns the name of this system's user. A user of a container may have a number only. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
