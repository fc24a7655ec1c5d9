import type { BlobStore } from '@cairn/blobs';
import { fail, messageOf } from '@cairn/diagnostics';
import { goJsonString, isJsonObject, localTime } from '@cairn/state';
import { layout } from '../layout.js';
import type { StackId } from '../stack-id.js';

/** Who holds a stack (state.md 5.7). */
export interface LockHolder {
  /** UUID of the holding process: the lock file's name. */
  readonly id: string;
  /** Key of the lock file in the store. */
  readonly key: string;
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  /** RFC 3339. */
  readonly timestamp: string;
}

/** This process as locks name it. `isAlive`: whether a process of this host still runs. */
export interface HolderProcess {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  readonly isAlive: (pid: number) => boolean;
}

/** The bytes of a lock file. */
export function lockBytes(holder: HolderProcess, now: Date): Uint8Array {
  const html = { escapeHtml: true };
  const fields = [
    `"pid":${holder.pid}`,
    `"username":${goJsonString(holder.username, html)}`,
    `"hostname":${goJsonString(holder.hostname, html)}`,
    `"timestamp":${goJsonString(localTime(now))}`,
  ];
  return Buffer.from(`{${fields.join(',')}}`);
}

/** Every lock of the stack, by key. Fails with `CAIRN-STATE-LOCKED` when one cannot be read: it may be anybody's. */
export async function lockHolders(store: BlobStore, id: StackId): Promise<readonly LockHolder[]> {
  const holders: LockHolder[] = [];
  for (const { key } of await store.list(layout.locksOf(id))) {
    const blob = await store.get(key);
    if (blob !== undefined) holders.push(parseLock(key, Buffer.from(blob.bytes).toString('utf8')));
  }
  return holders;
}

function parseLock(key: string, text: string): LockHolder {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (thrown) {
    return fail('CAIRN-STATE-LOCKED', `the stack is locked, and its lock file ${key} is not readable: ${messageOf(thrown)}`, {
      hint: 'When nobody works on the stack, remove the lock with `cairn cancel`.',
    });
  }
  const fields = isJsonObject(parsed) ? parsed : {};
  const textAt = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  return {
    id: key.slice(key.lastIndexOf('/') + 1).replace(/\.json$/, ''),
    key,
    pid: typeof fields['pid'] === 'number' ? fields['pid'] : 0,
    username: textAt('username'),
    hostname: textAt('hostname'),
    timestamp: textAt('timestamp'),
  };
}
