import { joinUrn, providerType, rootStackUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import type { ChangeRecord } from '@cairn/changes';
import { base64Crypter } from '@cairn/crypters';
import { encodeJournalEntry, resourceEntry } from '@cairn/state';
import type { JournalEntry, ResourceEntry, ResourceEntrySpec } from '@cairn/state';
import { backendForStore } from '../src/index.js';
import type {
  Backend,
  BackendPorts,
  BucketBackend,
  OperationStart,
  StackId,
  StackLease,
} from '../src/index.js';

export const DEV: StackId = { project: 'shop', stack: 'dev' };
export const HOST = 'build-1';
export const SECRETS = { type: 'b64', state: '{"salt":"v1:x"}' };
export const START: OperationStart = {
  kind: 'update',
  message: 'first <try>',
  environment: { 'exec.kind': 'cli' },
  config: { 'shop:size': '3', 'shop:key': { secure: 'v1:abc' } },
};

/**
 * Process on a host. It is dead if its number is in the set. Each world has its own backend instance over a shared
 * store.
 */
export interface TestProcess {
  readonly pid: number;
  readonly dead: Set<number>;
  readonly hostname?: string;
}

let instances = 0;

export function portsOf(process: TestProcess, env: BackendPorts['env'] = {}): BackendPorts {
  let ticks = 0;
  return {
    env,
    now: () => new Date(Date.UTC(2030, 0, 1, 0, 0, process.pid % 60, ticks++ % 1000)),
    newId: () => {
      instances += 1;
      return `00000000-0000-4000-8000-${String(instances).padStart(12, '0')}`;
    },
    version: 'v0.1.0',
    argv: ['up', '--yes'],
    process: {
      pid: process.pid,
      username: 'ann',
      hostname: process.hostname ?? HOST,
      isAlive: (pid) => !process.dead.has(pid),
    },
  };
}

export function open(
  store: BlobStore,
  process: TestProcess,
  env: BackendPorts['env'] = {},
): Promise<BucketBackend> {
  return backendForStore(store, portsOf(process, env));
}

export async function newStack(
  store: BlobStore = memoryBlobStore(),
): Promise<{ store: BlobStore; backend: BucketBackend; dead: Set<number> }> {
  const dead = new Set<number>();
  const backend = await open(store, { pid: 10, dead });
  await backend.create(DEV, SECRETS);
  return { store, backend, dead };
}

export function lease(backend: Backend): Promise<StackLease> {
  return backend.lease(DEV, { openCrypter: async () => base64Crypter });
}

export const rootUrn = rootStackUrn(DEV.project, DEV.stack);
export const providerUrn = joinUrn(DEV.stack, DEV.project, providerType('test'), 'default');
const provider = `${providerUrn}::p1`;

export function urnOf(name: string): Urn {
  return joinUrn(DEV.stack, DEV.project, 'test:index:Thing', name);
}

export const root = resourceEntry({ urn: rootUrn, type: 'pulumi:pulumi:Stack', custom: false });
export const providerEntry = resourceEntry({
  urn: providerUrn,
  type: providerType('test'),
  custom: true,
  id: 'p1',
});

export function thing(name: string, more: Partial<ResourceEntrySpec> = {}): ResourceEntry {
  return resourceEntry({
    urn: urnOf(name),
    type: 'test:index:Thing',
    custom: true,
    id: `id-${name}`,
    parent: rootUrn,
    provider: provider as ResourceEntry['provider'],
    ...more,
  });
}

/** Writes records as the change machine does: a stamp, and entries sealed. */
export class Recorder {
  #seq = 0;
  #entrySeq = 0;

  /** Returns one record carrying one journal entry. */
  entry(entry: Omit<JournalEntry, 'sequenceId'>): ChangeRecord {
    this.#entrySeq += 1;
    const sealed = encodeJournalEntry({ ...entry, sequenceId: this.#entrySeq }, base64Crypter);
    this.#seq += 1;
    return { seq: this.#seq, tx: this.#seq, at: '2030-01-01T00:00:00Z', record: 'entry', entry: sealed };
  }

  begin(operationId: number, resource: ResourceEntry): ChangeRecord {
    return this.entry({ kind: 'begin', operationId, operation: { type: 'creating', resource } });
  }

  created(operationId: number, state: ResourceEntry): ChangeRecord {
    return this.entry({ kind: 'success', operationId, state });
  }

  /** Returns records of a create from begin to end, of the things in order, root and provider first. */
  creates(...things: readonly ResourceEntry[]): readonly ChangeRecord[] {
    return things.flatMap((state, index) => [this.begin(index + 1, state), this.created(index + 1, state)]);
  }
}

export async function urnsOf(backend: Backend): Promise<readonly string[]> {
  const { deployment } = await backend.read(DEV);
  return (deployment?.resources ?? []).map((resource) => resource.urn);
}

export async function keysOf(store: BlobStore, prefix = ''): Promise<readonly string[]> {
  return (await store.list(prefix)).map((row) => row.key);
}

export async function textAt(store: BlobStore, key: string): Promise<string> {
  const blob = await store.get(key);
  if (blob === undefined) throw new Error(`nothing under ${key}`);
  return Buffer.from(blob.bytes).toString('utf8');
}

/** Returns the diagnostics of a call that must fail. */
export async function failureOf(
  run: Promise<unknown>,
): Promise<{ code: string; summary: string; hint: string; causes: readonly string[] }> {
  const thrown: unknown = await run.then(
    () => undefined,
    (error: unknown) => error,
  );
  const first = (
    thrown as {
      diagnostics?: readonly { code: string; summary: string; hint?: string; causes?: readonly string[] }[];
    }
  )?.diagnostics?.[0];
  if (first === undefined) throw new Error(`expected a diagnostic, got ${String(thrown)}`, { cause: thrown });
  return { code: first.code, summary: first.summary, hint: first.hint ?? '', causes: first.causes ?? [] };
}
