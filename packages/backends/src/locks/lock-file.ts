import type { BlobStore } from '@cairn/blobs';
import type { Claim } from '@cairn/changes';
import { messageOf } from '@cairn/diagnostics';
import { goJson, goJsonString, isJsonObject, localTime } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import { ALL, takeClaims } from '../claims/claims.js';
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
  /** Whether Cairn wrote it. */
  readonly ours: boolean;
  /** What its operation keeps others from; everything, unless it says otherwise. */
  readonly claims: readonly Claim[];
  /** Why the lock file could not be read; the other texts are empty then. Such a lock may be anybody's. */
  readonly problem: string | undefined;
}

/** This process as locks name it. `isAlive`: whether a process of this host still runs. */
export interface HolderProcess {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  readonly isAlive: (pid: number) => boolean;
}

const MARK = 'cairn';

/** The bytes of a lock file. The last fields are ours: other tools ignore them, and theirs lack them. */
export function lockBytes(holder: HolderProcess, now: Date, claims: readonly Claim[] = ALL): Uint8Array {
  const html = { escapeHtml: true };
  const fields = [
    `"pid":${holder.pid}`,
    `"username":${goJsonString(holder.username, html)}`,
    `"hostname":${goJsonString(holder.hostname, html)}`,
    `"timestamp":${goJsonString(localTime(now))}`,
    `"${MARK}":true`,
    ...(claims === ALL ? [] : [`"claims":${goJson(claims as unknown as Json)}`]),
  ];
  return Buffer.from(`{${fields.join(',')}}`);
}

/** Whether the holder was a process of this host that does not run any more. */
export function isGone(holder: LockHolder, self: HolderProcess): boolean {
  return holder.hostname === self.hostname && holder.pid > 0 && !self.isAlive(holder.pid);
}

/** Every lock of the stack, by key; also those that cannot be read. */
export async function lockHolders(store: BlobStore, id: StackId): Promise<readonly LockHolder[]> {
  const holders: LockHolder[] = [];
  for (const { key } of await store.list(layout.locksOf(id))) {
    const blob = await store.get(key);
    if (blob !== undefined) holders.push(parseLock(key, Buffer.from(blob.bytes).toString('utf8')));
  }
  return holders;
}

function parseLock(key: string, text: string): LockHolder {
  const { fields, problem } = parseFields(text);
  const textAt = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  return {
    id: key.slice(key.lastIndexOf('/') + 1).replace(/\.json$/, ''),
    key,
    pid: typeof fields['pid'] === 'number' ? fields['pid'] : 0,
    username: textAt('username'),
    hostname: textAt('hostname'),
    timestamp: textAt('timestamp'),
    ours: fields[MARK] === true,
    claims: takeClaims(fields['claims']),
    problem,
  };
}

function parseFields(text: string): { readonly fields: JsonObject; readonly problem: string | undefined } {
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed)
      ? { fields: parsed, problem: undefined }
      : { fields: {}, problem: 'it is not an object' };
  } catch (thrown) {
    return { fields: {}, problem: messageOf(thrown) };
  }
}
