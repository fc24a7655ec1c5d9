import { cairnError, isCairnError } from '@cairn/diagnostics';
import type { BlobStore } from '@cairn/blobs';
import { layout } from './layout.js';
import type { StackIdentity } from './layout.js';

/** Who is working, as a lock tells others. */
export interface Holder {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
}

/** What the locks need from outside. `isAlive`: whether a process of this machine still runs. */
export interface LockWorld {
  readonly holder: Holder;
  /** Names this backend instance's lock files; one UUID for all of them (state.md 5.7). */
  readonly lockId: string;
  readonly now: () => Date;
  readonly isAlive: (pid: number) => boolean;
}

/** A held lock. `taken`: holders of locks that were left behind by dead processes of ours and were removed. */
export interface StackLock {
  readonly id: StackIdentity;
  readonly taken: readonly Holder[];
  /** Failure to release is reported, never thrown. */
  release(): Promise<string | undefined>;
}

interface LockContent extends Holder {
  readonly timestamp: string;
  /** Only in our own locks: the other tool ignores the key. */
  readonly tool?: string;
}

/**
 * Takes the stack's lock as state.md 5.7 says: look, write, look again; two racers may both fail, never both win. A lock
 * that a dead process of ours left on this machine is removed and told in `taken`; any other holder is an error
 * (CAIRN-STATE-LOCKED) that names who, since when, and the way out.
 */
export async function lockStack(store: BlobStore, id: StackIdentity, world: LockWorld): Promise<StackLock> {
  const own = layout.lock(id, world.lockId);
  const taken: Holder[] = [];
  for (const other of await others(store, id, own)) {
    if (!isLeftBehind(other.content, world)) throw lockedError(store, id, other, world);
    await store.delete(other.key);
    taken.push(other.content);
  }
  await store.put(own, Buffer.from(JSON.stringify(contentOf(world))));
  const [rival] = await others(store, id, own);
  if (rival !== undefined) {
    await store.delete(own);
    throw lockedError(store, id, rival, world);
  }
  return {
    id,
    taken,
    async release() {
      try {
        await store.delete(own);
        return undefined;
      } catch (error) {
        return isCairnError(error) ? error.message : String(error);
      }
    },
  };
}

/** Removes every lock of the stack, whoever holds it. Returns how many there were. */
export async function releaseAllLocks(store: BlobStore, id: StackIdentity): Promise<number> {
  const files = await store.list(layout.locks(id));
  for (const file of files) await store.delete(file.key);
  return files.length;
}

interface OtherLock {
  readonly key: string;
  readonly content: LockContent;
}

async function others(store: BlobStore, id: StackIdentity, own: string): Promise<readonly OtherLock[]> {
  const found: OtherLock[] = [];
  for (const { key } of await store.list(layout.locks(id))) {
    if (key === own) continue;
    const blob = await store.get(key);
    if (blob !== undefined) found.push({ key, content: parseLock(key, blob.bytes) });
  }
  return found;
}

function parseLock(key: string, bytes: Uint8Array): LockContent {
  try {
    const content = JSON.parse(Buffer.from(bytes).toString('utf8')) as Partial<LockContent>;
    return {
      pid: Number(content.pid ?? 0),
      username: String(content.username ?? 'unknown'),
      hostname: String(content.hostname ?? 'unknown'),
      timestamp: String(content.timestamp ?? ''),
      ...(content.tool === undefined ? {} : { tool: String(content.tool) }),
    };
  } catch (error) {
    throw cairnError(
      'CAIRN-STATE-LOCKED',
      `the stack is locked by a file that cannot be read: ${key}`,
      { causes: [String(error)], hint: 'when nobody works on the stack, release it with `cairn cancel`' },
      error,
    );
  }
}

function contentOf(world: LockWorld): LockContent {
  return { ...world.holder, timestamp: world.now().toISOString(), tool: 'cairn' };
}

function isLeftBehind(lock: LockContent, world: LockWorld): boolean {
  return lock.tool === 'cairn' && isDead(lock, world);
}

function isDead(lock: LockContent, world: LockWorld): boolean {
  return lock.hostname === world.holder.hostname && !world.isAlive(lock.pid);
}

function lockedError(store: BlobStore, id: StackIdentity, lock: OtherLock, world: LockWorld): Error {
  const { username, hostname, pid, timestamp } = lock.content;
  const hint = isDead(lock.content, world)
    ? `process ${pid} is not running any more: release the lock with \`cairn cancel ${id.stack}\``
    : `wait for it to end; when nobody works on the stack, release it with \`cairn cancel ${id.stack}\``;
  return cairnError(
    'CAIRN-STATE-LOCKED',
    `stack "${id.stack}" is locked by ${username}@${hostname} (pid ${pid})`,
    {
      causes: [`locked since ${timestamp}`, `lock: ${store.url}/${lock.key}`],
      hint,
    },
  );
}
