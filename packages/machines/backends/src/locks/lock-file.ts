import type { Blob, BlobStore, BlobVersion } from '@cairn/blobs';
import type { Claim } from '@cairn/changes';
import { messageOf } from '@cairn/diagnostics';
import { goJson, goJsonString, isJsonObject, localTime } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import { ALL, takeClaims } from '../claims/claims.js';
import { layout } from '../layout.js';
import type { StackId } from '../stack-id.js';
import { leaseFields, takeLease } from './lease.js';
import type { Lease } from './lease.js';

/** Who holds a stack [STORE-11]. */
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
  /** Where the number of its process means something, and what tells it from a later one with the same number. */
  readonly machine: string | undefined;
  readonly started: string | undefined;
  readonly lease: Lease | undefined;
  /** Why a person has locked the stack; such a lock is of no process, and stays until it is removed [STORE-16]. */
  readonly reason: string | undefined;
  /** Of the lock file as it was read: another one when it was renewed. */
  readonly version: BlobVersion;
  /** When the file was written last, by the clock of the store: milliseconds since 1970. For people. */
  readonly modified: number;
  /** Why the lock file could not be read; the other texts are empty then. Such a lock may be anybody's. */
  readonly problem: string | undefined;
}

/** This process as locks name it. */
export interface HolderProcess {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  /** Whether a process of this host still runs. */
  readonly isAlive: (pid: number) => boolean;
  /** The same text wherever the same numbers of processes are given out; undefined: this system cannot tell. */
  readonly machine?: string | undefined;
  /** A process of this machine; undefined when it is not there, or this system cannot tell. */
  readonly look?: (pid: number) => ProcessLook | undefined;
  /** A person watches this process. */
  readonly attended?: boolean;
}

/**
 * `started`: told apart from every other process with the same number. `stopped`: it was stopped, and may go on at any
 * moment.
 */
export interface ProcessLook {
  readonly started: string;
  readonly stopped: boolean;
}

const MARK = 'cairn';

/** What a lock file of ours says beyond what the other tool's do. */
interface LockTerms {
  readonly claims: readonly Claim[];
  readonly lease: Lease;
}

/**
 * The bytes of a lock file. The last fields are ours: other tools ignore them, and theirs lack them. `since`: when it
 * was taken.
 */
export function lockBytes(holder: HolderProcess, since: Date, { claims, lease }: LockTerms): Uint8Array {
  const html = { escapeHtml: true };
  const started = holder.look?.(holder.pid)?.started;
  const fields = [
    `"pid":${holder.pid}`,
    `"username":${goJsonString(holder.username, html)}`,
    `"hostname":${goJsonString(holder.hostname, html)}`,
    `"timestamp":${goJsonString(localTime(since))}`,
    `"${MARK}":true`,
    ...(holder.machine === undefined ? [] : [`"machine":${goJsonString(holder.machine, html)}`]),
    ...(started === undefined ? [] : [`"started":${goJsonString(started, html)}`]),
    `"lease":${goJson(leaseFields(lease))}`,
    ...(claims === ALL ? [] : [`"claims":${goJson(claims as unknown as Json)}`]),
  ];
  return Buffer.from(`{${fields.join(',')}}`);
}

/**
 * The bytes of a lock that a person takes [STORE-16]. Its number of a process is 0 and it has no lease: no process can
 * be found gone, and nothing has to be renewed.
 */
export function reasonedLockBytes(
  { username, hostname }: HolderProcess,
  since: Date,
  reason: string,
): Uint8Array {
  return Buffer.from(
    goJson(
      { pid: 0, username, hostname, timestamp: localTime(since), [MARK]: true, reason },
      { escapeHtml: true },
    ),
  );
}

/** Every lock of the stack, by key; also those that cannot be read. */
export function lockHolders(store: BlobStore, id: StackId): Promise<readonly LockHolder[]> {
  return holdersBelow(store, layout.locksOf(id));
}

/** Every file of the form of a lock in a folder, by key. */
export async function holdersBelow(store: BlobStore, folder: string): Promise<readonly LockHolder[]> {
  const holders: LockHolder[] = [];
  for (const { key } of await store.list(folder)) {
    const blob = await store.get(key);
    if (blob !== undefined) holders.push(parseLock(key, blob));
  }
  return holders;
}

function parseLock(key: string, { bytes, version, modified }: Blob): LockHolder {
  const { fields, problem } = parseFields(Buffer.from(bytes).toString('utf8'));
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
    machine: textAt('machine') || undefined,
    started: textAt('started') || undefined,
    lease: takeLease(fields['lease']),
    reason: textAt('reason') || undefined,
    version,
    modified,
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
