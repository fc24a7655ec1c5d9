import { isCairnError } from '@cairn/diagnostics';
import { FolderLease, RENEW_MS } from './lease.js';

/** Milliseconds between two looks at a lease that another agent has. */
const STANDBY_MS = 1000;

/** Takes the folder of an agent, after any other agent that has it. Returns undefined if `ended` comes first. */
export async function takeFolder(
  { folder, name }: { readonly folder: string; readonly name: string },
  log: (text: string, facts: Readonly<Record<string, string>>) => void,
  ended: Promise<unknown>,
): Promise<FolderLease | undefined> {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  for (let isWaiting = false; !hasEnded;) {
    const taken = await FolderLease.take(folder, name, () => new Date());
    if ('lease' in taken) return taken.lease;
    if (!isWaiting) {
      const { agent, pid, host } = taken.holder;
      log(`agent ${agent} (process ${pid} on ${host}) has the folder: waiting for its end`, { folder });
    }
    isWaiting = true;
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, STANDBY_MS))]);
  }
  return undefined;
}

/** Renews the lease again and again. Returns a function that ends this. */
export function keepLease(lease: FolderLease, onLost: (error: unknown) => void): () => void {
  const timer = setInterval(() => {
    lease.renew().catch((error: unknown) => {
      // A disk that fails for a moment is tried again; a lease that another agent has is lost.
      if (isCairnError(error) && error.diagnostics[0]?.code === 'CAIRN-AGENT-LEASE') onLost(error);
    });
  }, RENEW_MS);
  return () => clearInterval(timer);
}
