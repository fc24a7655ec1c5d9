import type { Blob, BlobStore } from '@cairn/blobs';
import type { Claim } from '@cairn/changes';
import { messageOf } from '@cairn/diagnostics';
import { goJson, goJsonString, isJsonObject, localTime } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import { ALL, takeClaims } from '../claims/claims.js';
import { layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { leaseFields, takeLease } from './lease.js';
import type { HolderProcess, Lease, LockHolder } from '../../model/lock-holder.js';

const MARK = 'cairn';

/** Fields of our lock files that the other tool's lack. */
interface LockTerms {
  readonly claims: readonly Claim[];
  readonly lease: Lease;
}

/**
 * Returns the bytes of a lock file. The last fields are ours: other tools ignore them, and theirs lack them. `since` is
 * the time when it was taken.
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
 * Returns the bytes of a lock that a person takes [STORE-16]. Its process number is 0 and it has no lease. No process
 * can be found gone, and nothing has to be renewed.
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

/** Returns every lock of the stack, by key, including those that cannot be read. Does not read the `except` ones. */
export function lockHolders(
  store: BlobStore,
  id: StackId,
  except: readonly string[] = [],
): Promise<readonly LockHolder[]> {
  return holdersBelow(store, layout.locksOf(id), except);
}

/** Returns every file in a folder that has the form of a lock, by key, but those with the keys in `except`. */
export async function holdersBelow(
  store: BlobStore,
  folder: string,
  except: readonly string[] = [],
): Promise<readonly LockHolder[]> {
  const holders: LockHolder[] = [];
  for (const { key } of await store.list(folder)) {
    if (except.includes(key)) continue;
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
