import { servedBackend } from '@cairn/backends';
import type { BackendPorts, StackId, StateDocument } from '@cairn/backends';
import { openBlobStore } from '@cairn/blobs';
import type { BlobStore, OpenOptions } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import { memberTexts } from '@cairn/state';
import type { UpdateRecord } from '../../domain/update-record.js';
import type { LogName, RunningNote, ServiceStore, StackRecord, TokenRecord } from '../service-store.js';
import { openPieces, readPieces } from './pieces.js';

/** Folder of the service in a bucket. Both tools ignore it. */
const ROOT = '.pulumi/service/';

const keys = {
  tokens: `${ROOT}tokens/`,
  token: (hash: string): string => `${ROOT}tokens/${hash}.json`,
  stack: ({ project, stack }: StackId): string => `${ROOT}stacks/${project}/${stack}.json`,
  running: `${ROOT}running/`,
  note: (id: string): string => `${ROOT}running/${id}.json`,
  update: (stackId: string, id: string): string => `${ROOT}updates/${stackId}/${id}/update.json`,
  base: (stackId: string, id: string): string => `${ROOT}updates/${stackId}/${id}/base.json`,
  log: (stackId: string, id: string, name: LogName): string => `${ROOT}updates/${stackId}/${id}/${name}/`,
} as const;

/**
 * Opens the store in a bucket: stacks, states, locks and history are those that `cairn login` and `pulumi login` open
 * directly, and the service's own files are in a folder of their own. Fails with `CAIRN-STATE-TOO-OLD` for a store of
 * the layout before projects.
 */
export async function openBucketStore(
  url: string,
  ports: BackendPorts,
  options: OpenOptions,
): Promise<ServiceStore> {
  const blobs = await openBlobStore(url, options);
  const served = await servedBackend(blobs, ports);
  const { backend } = served;
  if (backend.bucket.layout !== 'legacy') return bucketStore(blobs, served);
  await backend.close();
  throw cairnError('CAIRN-STATE-TOO-OLD', `cannot serve ${backend.url}: it keeps stacks without projects`, {
    hint: 'Run `cairn state upgrade` on it.',
  });
}

function bucketStore(
  blobs: BlobStore,
  { backend, texts }: Awaited<ReturnType<typeof servedBackend>>,
): ServiceStore {
  const documents = documentsIn(blobs);
  return {
    ping: async () => void (await blobs.get(`${ROOT}ping.json`)),
    findToken: (hash) => documents.get<TokenRecord>(keys.token(hash)),
    putToken: (token) => documents.put(keys.token(token.hash), token),
    listTokens: () => documents.list<TokenRecord>(keys.tokens),
    removeToken: (hash) => documents.remove(keys.token(hash)),

    listStacks: (project) => backend.list(project),
    summary: (stack) => backend.summary(stack),
    stackExists: (stack) => backend.exists(stack),
    createStack: (stack) => backend.create(stack, undefined),
    removeStack: (stack, force) => backend.remove(stack, { force }),
    renameStack: (from, to, rewrite) => texts.rename(from, to, rewrite),
    tags: (stack) => backend.tags(stack),
    setTags: (stack, tags) => backend.editTags(stack, () => tags),
    stackRecord: (stack) => documents.get<StackRecord>(keys.stack(stack)),
    putStackRecord: (stack, record) => documents.put(keys.stack(stack), record),
    removeStackRecord: (stack) => documents.remove(keys.stack(stack)),

    readState: (stack) => texts.read(stack),
    readStateAfter: (stack, version) => texts.readAfter(stack, version),
    lock: (stack, lockId, reason) => texts.lock(stack, lockId, reason),
    unlock: (stack, lockId) => texts.unlock(stack, lockId),
    storeState: (stack, lockId, state, update) => texts.store(stack, lockId, state, update),
    stamp: () => texts.stamp(),
    history: (stack, page) => backend.history(stack, page),

    updateRecord: (stackId, id) => documents.get<UpdateRecord>(keys.update(stackId, id)),
    putUpdateRecord: (record) => documents.put(keys.update(record.stackId, record.id), record),
    base: async (stackId, id) => baseOf(await blobs.get(keys.base(stackId, id)), keys.base(stackId, id)),
    putBase: async (stackId, id, base) => void (await blobs.put(keys.base(stackId, id), baseBytes(base))),
    openLog: (stackId, id, name) => openPieces(blobs, keys.log(stackId, id, name)),
    readLog: (stackId, id, name) => readPieces(blobs, keys.log(stackId, id, name)),
    runningNotes: () => documents.list<RunningNote>(keys.running),
    putRunningNote: (note) => documents.put(keys.note(note.id), note),
    removeRunningNote: (id) => documents.remove(keys.note(id)),
    close: () => backend.close(),
  };
}

/** Small JSON documents under keys. */
interface Documents {
  get<T>(key: string): Promise<T | undefined>;
  put(key: string, document: object): Promise<void>;
  list<T>(prefix: string): Promise<readonly T[]>;
  remove(key: string): Promise<void>;
}

function documentsIn(blobs: BlobStore): Documents {
  const get = async <T>(key: string): Promise<T | undefined> => {
    const blob = await blobs.get(key);
    return blob === undefined ? undefined : (JSON.parse(Buffer.from(blob.bytes).toString('utf8')) as T);
  };
  return {
    get,
    put: async (key, document) => void (await blobs.put(key, Buffer.from(JSON.stringify(document)))),
    list: async <T>(prefix: string) => {
      const rows = await blobs.list(prefix);
      const found = await Promise.all(rows.map(({ key }) => get<T>(key)));
      return found.filter((document): document is Awaited<T> & T => document !== undefined);
    },
    remove: async (key) => void (await blobs.delete(key)),
  };
}

function baseBytes({ version, features, deployment }: StateDocument): Buffer {
  const head = features === undefined ? '' : `"features":${features},`;
  return Buffer.from(`{"version":${version},${head}"deployment":${deployment}}`);
}

function baseOf(blob: { readonly bytes: Uint8Array } | undefined, key: string): StateDocument {
  const members = new Map(memberTexts(blob?.bytes ?? '{}', key));
  return {
    version: Number(members.get('version')),
    features: members.get('features'),
    deployment: members.get('deployment') ?? '{}',
  };
}
