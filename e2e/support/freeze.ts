import { readFileSync, readdirSync } from 'node:fs';

/**
 * States of a process that takes no step: stopped, ended, or inside a call that it cannot be woken from. A shell waits
 * like that for a child that it has forked and that was stopped before it became another program; it stops as soon as
 * the call returns.
 */
const STILL = /^[TtZXD]?$/;

/**
 * Stops a process with everything that it has started, like a machine that goes to sleep. Resolves when all of them
 * have stopped. Linux.
 */
export async function freeze(pid: number): Promise<readonly number[]> {
  const stopped = new Set<number>();
  // The next round finds processes that were about to start others.
  for (let found = family(pid); found.some((one) => !stopped.has(one)); found = family(pid)) {
    for (const one of found) {
      signal(one, 'SIGSTOP');
      stopped.add(one);
    }
  }
  while (![...stopped].every((one) => STILL.test(stateOf(one))))
    await new Promise((resolve) => setImmediate(resolve));
  return [...stopped];
}

/** Lets them continue. */
export function thaw(pids: readonly number[]): void {
  for (const pid of pids) signal(pid, 'SIGCONT');
}

function family(pid: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(fieldsOf(Number(name))[1] ?? 0));
  const members = new Set([pid]);
  for (let size = 0; size !== members.size;) {
    size = members.size;
    for (const [child, parent] of parents) if (members.has(parent)) members.add(child);
  }
  return [...members];
}

function stateOf(pid: number): string {
  return fieldsOf(pid)[0] ?? '';
}

/** Returns state, parent and so on: the fields after the name in brackets. */
function fieldsOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
