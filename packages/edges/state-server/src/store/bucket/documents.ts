import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import type { Blob, BlobStore } from '@cairn/blobs';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { HookDelivery } from '../delivery-store.js';
import type { LogName } from './update-logs.js';

/** Folder of the service in a bucket. Both tools ignore it. */
const ROOT = '.pulumi/service/';

type DeliveryName = Pick<HookDelivery, 'organization' | 'hook' | 'id'>;

/** Keys of the service in a bucket. */
export const keys = {
  ping: `${ROOT}ping.json`,
  process: `${ROOT}process.json`,
  tokens: `${ROOT}tokens/`,
  token: (hash: string): string => `${ROOT}tokens/${hash}.json`,
  tokensOf: (owner: string): string => `${ROOT}tokens-of/${owner}/`,
  tokensMarked: `${ROOT}tokens-of/all.json`,
  stack: ({ organization, project, stack }: StackId): string =>
    `${ROOT}${organization === undefined ? '' : `organizations/${organization}/`}stacks/${project}/${stack}.json`,
  access: (place: string): string =>
    place === '' ? `${ROOT}access.json` : `${ROOT}organizations/${place}/access.json`,
  audits: `${ROOT}audit/`,
  used: `${ROOT}used/`,
  audit: (seq: number): string => `${ROOT}audit/${String(seq).padStart(12, '0')}.json`,
  use: (hash: string): string => `${ROOT}used/${hash}.json`,
  stacks: `${ROOT}stacks/`,
  organizations: `${ROOT}organizations/`,
  looked: `${ROOT}looked.json`,
  lostStacks: `${ROOT}lost/`,
  lost: (id: string): string => `${ROOT}lost/${id}.json`,
  attempts: `${ROOT}attempts/`,
  attempt: (hash: string): string => `${ROOT}attempts/${hash}.json`,
  damaged: `${ROOT}damaged/`,
  damage: (file: string): string => `${ROOT}damaged/${file.slice(ROOT.length)}`,
  damagedFile: (note: string): string => ROOT + note.slice(`${ROOT}damaged/`.length),
  queues: `${ROOT}queue/`,
  deployments: `${ROOT}deployments/`,
  dueStacks: `${ROOT}deployments-due/`,
  agents: `${ROOT}agents/`,
  notices: `${ROOT}notices/`,
  running: `${ROOT}running/`,
  updates: `${ROOT}updates/`,
  note: (id: string): string => `${ROOT}running/${id}.json`,
  update: (stackId: string, id: string): string => `${ROOT}updates/${stackId}/${id}/update.json`,
  allPreviews: `${ROOT}previews/`,
  previews: (stackId: string, version: number): string =>
    `${ROOT}previews/${stackId}/${String(version).padStart(8, '0')}/`,
  base: (stackId: string, id: string): string => `${ROOT}updates/${stackId}/${id}/base.json`,
  terraform: (organization: string): string => `${ROOT}terraform/names/${organization}/`,
  terraformRecord: (id: StackId): string =>
    `${ROOT}terraform/names/${organizationOf(id)}/${id.project}/${id.stack}.json`,
  terraformVersions: (id: string): string => `${ROOT}terraform/states/${id}/`,
  terraformVersion: (id: string, version: number): string =>
    `${ROOT}terraform/states/${id}/${String(version).padStart(8, '0')}`,
  allDeliveries: `${ROOT}deliveries/`,
  dueDeliveries: `${ROOT}deliveries-due/`,
  /** End of the keys of a delivery and of the mark that it is due. */
  delivery: ({ organization, hook, id }: DeliveryName): string => `${organization}/${hook}/${id}.json`,
  queue: (stackId: string): string => `${ROOT}queue/${stackId}.json`,
  log: (stackId: string, id: string, name: LogName): string => `${ROOT}updates/${stackId}/${id}/${name}/`,
} as const;

/** Small JSON documents under keys. */
export interface Documents {
  get<T>(key: string): Promise<T | undefined>;
  put(key: string, document: object): Promise<void>;
  /**
   * Replaces a document by what `change` makes of it, unless that is undefined. Runs again if another process was
   * faster. Returns true if it was replaced.
   */
  edit<T extends object>(
    key: string,
    change: (document: T | undefined) => Promise<T | undefined>,
  ): Promise<boolean>;
  list<T>(prefix: string): Promise<readonly T[]>;
  remove(key: string): Promise<void>;
}

/** Returns the documents in a bucket. */
export function documentsIn(blobs: BlobStore): Documents {
  const get = async <T>(key: string): Promise<T | undefined> => parsed<T>(key, await blobs.get(key));
  return {
    get,
    put: async (key, document) => void (await blobs.put(key, Buffer.from(JSON.stringify(document)))),
    edit: async <T extends object>(
      key: string,
      change: (document: T | undefined) => Promise<T | undefined>,
    ) => {
      for (;;) {
        const blob = await blobs.get(key);
        const document = await change(parsed<T>(key, blob));
        if (document === undefined) return false;
        const condition = blob === undefined ? { ifAbsent: true } : { ifVersion: blob.version };
        if ((await blobs.put(key, Buffer.from(JSON.stringify(document)), condition)).ok) return true;
      }
    },
    list: async <T>(prefix: string) => {
      const rows = await blobs.list(prefix);
      const found = await Promise.all(rows.map(({ key }) => get<T>(key)));
      return found.filter((document): document is Awaited<T> & T => document !== undefined);
    },
    remove: async (key) => void (await blobs.delete(key)),
  };
}

function parsed<T>(key: string, blob: Blob | undefined): T | undefined {
  return blob === undefined ? undefined : (jsonIn(key, blob.bytes) as T);
}

/** Reads a file of the service, which has an object or a list. Fails as {@link damagedFile} says. */
export function jsonIn(key: string, bytes: Uint8Array): object {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (thrown) {
    throw damagedFile(key, messageOf(thrown));
  }
  if (typeof value === 'object' && value !== null) return value;
  throw damagedFile(key, 'it is not an object');
}

/**
 * Returns the error of a file of the service that is damaged. Those of stacks and updates count as losses of a state.
 */
export function damagedFile(key: string, why: string): Error {
  const code =
    key.includes('/stacks/') || key.startsWith(keys.updates) ? 'CAIRN-STATE-CORRUPT' : 'CAIRN-STORE-FAILED';
  return cairnError(code, `cannot read ${key}: ${why}`, { hint: 'Restore it from a backup of the store.' });
}
