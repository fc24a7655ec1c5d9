import { cairnError } from '@cairn/diagnostics';
import { FolderLease, RENEW_MS, isFolderLost } from './lease.js';
import type { LeaseRow } from './lease.js';

/** Milliseconds between two looks at a lease that another agent has. */
const STANDBY_MS = 1000;

/**
 * Takes the folder of an agent. While another agent has it, this one waits, and takes over when that one ends. Returns
 * undefined if `ended` comes first. With `whenAlive` of `fail` it waits only for an agent that may have died: it fails
 * with CAIRN-AGENT-FOLDER when the other one renews its lease [AGT-9].
 */
export async function takeFolder(
  { folder, name }: { readonly folder: string; readonly name: string },
  log: (text: string, facts: Readonly<Record<string, string>>) => void,
  ended: Promise<unknown>,
  whenAlive: 'wait' | 'fail',
): Promise<FolderLease | undefined> {
  let hasEnded = false;
  // It may fail later, when a lease that was taken is lost. Its reader reports that.
  void ended.catch(() => undefined).then(() => (hasEnded = true));
  for (let seen: LeaseRow | undefined; !hasEnded;) {
    const taken = await FolderLease.take(folder, name, () => new Date());
    if ('lease' in taken) return taken.lease;
    const { holder } = taken;
    if (seen === undefined) log(`${wordsFor(holder)} has the folder: waiting for its end`, { folder });
    seen ??= holder;
    if (whenAlive === 'fail' && isRenewed(seen, holder)) throw folderTaken(folder, holder);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, STANDBY_MS))]);
  }
  return undefined;
}

/** Tells if an agent has written the lease since it was seen. */
const isRenewed = (seen: LeaseRow, now: LeaseRow): boolean =>
  seen.run !== now.run || seen.until !== now.until;

const wordsFor = ({ agent, pid, host }: LeaseRow): string => `agent ${agent} (process ${pid} on ${host})`;

function folderTaken(folder: string, holder: LeaseRow): Error {
  return cairnError('CAIRN-AGENT-FOLDER', `cannot work in ${folder}: ${wordsFor(holder)} works in it`, {
    hint: 'Give this agent another --name or --state.',
  });
}

/** Renews the lease again and again. Returns a function that ends this. */
export function keepLease(lease: FolderLease, onLost: (error: unknown) => void): () => void {
  const timer = setInterval(() => {
    lease.renew().catch((error: unknown) => {
      // A disk that fails for a moment is tried again; a lease that another agent has is lost.
      if (isFolderLost(error)) onLost(error);
    });
  }, RENEW_MS);
  return () => clearInterval(timer);
}
