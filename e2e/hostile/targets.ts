import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { backendForStore } from '@cairn/backends';
import type { BackendPorts, BucketBackend, StackId } from '@cairn/backends';
import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { base64Crypter, openSecretsManager } from '@cairn/crypters';
import { decodePlan } from '@cairn/engine';
import {
  Replayer,
  checkIntegrity,
  decodeSnapshot,
  emptyDeployment,
  importedDeployment,
  newManifest,
  readCheckpoint,
  readUntypedDeployment,
  takeJournalEntry,
} from '@cairn/state';
import { readImportList } from '@cairn/operations';
import {
  storeLogin,
  parseProject,
  parseStackFile,
  readCredentials,
  renderStackFile,
  storeSelectedStack,
  selectedStack,
  selectionPath,
  setConfig,
} from '@cairn/workspace';
import type { Project } from '@cairn/workspace';

/**
 * A kind of file that Cairn reads: examples of it, and every use of one. `read` throws the error that a user would
 * meet.
 */
export interface Target {
  readonly name: string;
  readonly examples: readonly Uint8Array[];
  read(bytes: Uint8Array): Promise<void>;
}

const DEV: StackId = { project: 'shop', stack: 'dev' };
const URN = 'urn:pulumi:dev::shop::';
const SIGNATURE = '4dabf18193072939515e22adb298388d';
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const resources = [
  {
    urn: `${URN}pulumi:pulumi:Stack::shop-dev`,
    custom: false,
    type: 'pulumi:pulumi:Stack',
    outputs: { n: 1.5 },
  },
  {
    urn: `${URN}pulumi:providers:test::default`,
    custom: true,
    id: 'p1',
    type: 'pulumi:providers:test',
    created: '2026-01-02T03:04:05.678Z',
  },
  {
    urn: `${URN}test:index:Thing::a`,
    custom: true,
    id: 'i-1',
    type: 'test:index:Thing',
    inputs: {
      list: [1, 'two', null, { three: true }],
      secret: { [SIGNATURE]: '1b47061264138c4ac30d75fd1eb44270', ciphertext: 'ImEi' },
      asset: { [SIGNATURE]: 'c44067f5952c0a294b673a41bacd8c17', text: 'x', hash: 'ab' },
      archive: { [SIGNATURE]: '0def7320c3a5731c473e5ecbe6d01bc7', assets: {}, hash: 'cd' },
      reference: {
        [SIGNATURE]: '5cf8f73096256a8f31e491e813e4eb8e',
        urn: `${URN}a:b:C::d`,
        id: '',
        packageVersion: '',
      },
      odd: { [SIGNATURE]: '8ad145fe-0d11-4827-bfd7-1abcbf086f5c', value: '7ff0000000000000' },
      bytes: { [SIGNATURE]: '803fd3297a5875dc03ca845dda5d2a98', value: '/w==' },
    },
    outputs: { secret: { [SIGNATURE]: '1b47061264138c4ac30d75fd1eb44270', plaintext: '"a"' } },
    parent: `${URN}pulumi:pulumi:Stack::shop-dev`,
    provider: `${URN}pulumi:providers:test::default::p1`,
    dependencies: [`${URN}pulumi:providers:test::default`],
    propertyDependencies: { list: null, secret: [`${URN}pulumi:providers:test::default`] },
    customTimeouts: { create: 60, delete: 1.5 },
    aliases: [`${URN}test:index:Thing::b`],
    hideDiff: ['a[0]', ['b', 1]],
    resourceHooks: { BeforeCreate: ['h'] },
    replacementTrigger: 0,
  },
];
const deployment = {
  manifest: { time: '2026-01-02T03:04:05.123456789+01:00', magic: '', version: '' },
  secrets_providers: { type: 'b64', state: { salt: 'v1:x' } },
  resources,
  pending_operations: [{ resource: resources[2], type: 'creating' }],
  metadata: { integrity_error: { version: '3', error: 'x' } },
};
const checkpoints = [
  json({ version: 3, checkpoint: { stack: 'organization/shop/dev', latest: deployment } }),
  json({ version: 4, features: ['hooks'], checkpoint: { stack: 's', latest: deployment } }),
  json({ version: 1, checkpoint: { stack: 's', latest: { ...deployment, pending_operations: undefined } } }),
  json({ stack: 's', config: {}, latest: { manifest: deployment.manifest, resources } }),
];

const entries = [
  {
    version: 1,
    kind: 0,
    sequenceID: 1,
    operationID: 1,
    removeOld: null,
    removeNew: null,
    operation: { resource: resources[2], type: 'creating' },
  },
  {
    version: 1,
    kind: 1,
    sequenceID: 2,
    operationID: 1,
    removeOld: 0,
    removeNew: null,
    state: resources[2],
    deleteOld: 0,
  },
  { version: 1, kind: 3, sequenceID: 3, operationID: 2, removeOld: 1, removeNew: null, isRefresh: true },
  {
    version: 1,
    kind: 5,
    sequenceID: 4,
    operationID: 0,
    removeOld: null,
    removeNew: null,
    newSnapshot: deployment,
  },
  {
    version: 1,
    kind: 9,
    sequenceID: 5,
    operationID: 0,
    removeOld: null,
    removeNew: null,
    snippets: [{ uuid: 'u', name: 'n', type: 't', code: 'c', descriptor: { name: 'p' } }],
  },
];

const PROJECT_FILE = `# a project
name: shop
runtime: {name: nodejs, options: {typescript: true}}
main: src # here
config:
  size: {type: integer, default: 3}
  zones: {type: array, items: {type: string}}
  aws:region: {value: eu}
backend: {url: 'file://~'}
options: {refresh: always}
plugins: {providers: [{name: a, path: ./a}]}
packages: {x: y@1.0.0, z: {source: q, parameters: [a]}}
limits: {test: {maxInFlight: 3}}
requiredPulumiVersion: '>=3.0.0'
`;
const STACK_FILE = `# secrets
encryptionsalt: v1:fozI5u6B030=:v1:F+6ZduKKd8G0/V7L:PGMFeIzwobWRKmEAzUdaQHqC5mMRIQ==
config:
  shop:a: &a one # first
  shop:b: [1, {c: 2.5, d: 2026-01-02}]
  other:key: {secure: v1:T1ftqhY0hqr+EJK6:+jvd5PMecFx80tcavzuZY4tLatgIfoe/xR72GA==}
  shop:e: *a
`;
const place = (extension: 'yaml' | 'json') => ({
  file: `/p/Pulumi.${extension}`,
  directory: '/p',
  base: 'Pulumi' as const,
  extension,
});

/** Targets that only look at texts. */
export const TEXTS: readonly Target[] = [
  {
    name: 'checkpoint',
    examples: checkpoints,
    async read(bytes) {
      const { deployment: found } = readCheckpoint(bytes, 'dev.json');
      if (found === undefined) return;
      checkIntegrity(found, 'read');
      decodeSnapshot(found, base64Crypter, 'dev.json');
    },
  },
  {
    name: 'export document',
    examples: [json({ version: 3, deployment }), json({ version: 4, features: ['views'], deployment })],
    async read(bytes) {
      const { deployment: found } = readUntypedDeployment(bytes, 'export.json');
      importedDeployment(found ?? emptyDeployment, {
        ...{ stack: 'dev', source: 'export.json', force: false, skipIntegrity: false },
        ...{ from: base64Crypter, to: base64Crypter, secretsProvider: undefined },
      });
    },
  },
  {
    name: 'journal entries',
    examples: [json(entries)],
    async read(bytes) {
      const base = readCheckpoint(checkpoints[0] as Buffer, 'dev.json').deployment ?? emptyDeployment;
      const replayer = new Replayer(base, 'journal');
      for (const entry of parsedList(bytes)) replayer.add(takeJournalEntry(entry, 'journal'));
      replayer.generate(newManifest(new Date(0), 'v1'));
    },
  },
  {
    name: 'project file',
    examples: [Buffer.from(PROJECT_FILE)],
    read: async (bytes) => void parseProject(text(bytes), place('yaml')),
  },
  {
    name: 'project file in JSON',
    examples: [json({ name: 'shop', runtime: 'nodejs', config: { a: { type: 'string', default: 'x' } } })],
    read: async (bytes) => void parseProject(text(bytes), place('json')),
  },
  {
    name: 'stack file',
    examples: [Buffer.from(STACK_FILE)],
    async read(bytes) {
      const file = parseStackFile(text(bytes), '/p/Pulumi.dev.yaml', 'shop');
      const config = setConfig(file.settings.config, { key: 'shop:new', path: ['a', 0] }, 'x');
      const written = renderStackFile(file, { config });
      parseStackFile(written, '/p/Pulumi.dev.yaml', 'shop');
    },
  },
  {
    name: 'plan',
    examples: [
      json({
        manifest: deployment.manifest,
        resourcePlans: {
          [`${URN}a:b:C::d`]: {
            steps: ['create'],
            state: {},
            goal: { type: 'a:b:C', name: 'd', custom: true, inputDiff: {}, outputDiff: {} },
          },
        },
      }),
    ],
    read: async (bytes) =>
      void decodePlan(text(bytes), { file: 'plan.json', ...DEV, crypter: base64Crypter }),
  },
  {
    name: 'list of imports',
    examples: [
      json({
        nameTable: { p: `${URN}a:b:C::p` },
        resources: [{ type: 'a:b:C', name: 'd', id: 'i', parent: 'p', properties: ['x'] }],
      }),
    ],
    read: async (bytes) => void readImportList(text(bytes), 'import.json', false),
  },
  {
    name: 'passphrase settings',
    examples: [json({ salt: 'v1:fozI5u6B030=:v1:F+6ZduKKd8G0/V7L:PGMFeIzwobWRKmEAzUdaQHqC5mMRIQ==' })],
    read: async (bytes) => void openSecretsManager('passphrase', text(bytes), { env: {} }),
  },
  {
    name: 'key service settings',
    examples: [json({ url: 'hashivault://key', encryptedkey: 'dmF1bHQ6djE6eA==' })],
    read: async (bytes) => void openSecretsManager('cloud', text(bytes), { env: {} }),
  },
];

/** Journals are read line by line elsewhere, where each line has a checksum; here the entries inside are damaged. */
function parsedList(bytes: Uint8Array): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text(bytes));
    return Array.isArray(parsed) ? (parsed as unknown[]) : [parsed];
  } catch {
    return [];
  }
}

/** Files of the user's home, read from a directory that is the caller's. */
export function homeTargets(directory: string): readonly Target[] {
  const user = { env: { CAIRN_HOME: directory }, userHome: directory };
  const project = { name: 'shop', location: place('yaml') } as Project;
  const kept = async (file: string, bytes: Uint8Array, use: () => Promise<unknown>): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
    try {
      await use();
    } catch (error) {
      // A file that cannot be read must not be overwritten either.
      if (!(await readFile(file)).equals(Buffer.from(bytes)))
        throw new Error('it was overwritten', { cause: error });
      throw error;
    } finally {
      await rm(file, { force: true });
    }
  };
  return [
    {
      name: 'credentials',
      examples: [
        json({
          current: 'file://~',
          accessTokens: { 'file://~': '' },
          accounts: { 'file://~': { username: 'x' } },
        }),
      ],
      read: (bytes) =>
        kept(path.join(directory, 'credentials.json'), bytes, async () => {
          await readCredentials(user);
          await storeLogin(user, 'file://~');
        }),
    },
    {
      name: 'selected stack',
      examples: [json({ stack: 'dev', stacks: { 'file://~': 'organization/shop/dev' } })],
      read: (bytes) =>
        kept(selectionPath(user, project), bytes, async () => {
          await selectedStack(user, project, 'file://~', () => true);
          await storeSelectedStack(user, project, 'file://~', 'organization/shop/dev');
        }),
    },
  ];
}

let instances = 0;
const ports = (): BackendPorts => ({
  env: {},
  now: () => new Date(Date.UTC(2030, 0, 1)),
  newId: () => `00000000-0000-4000-8000-${String((instances += 1)).padStart(12, '0')}`,
  version: 'v1',
  argv: ['up'],
  process: { pid: 1, username: 'ann', hostname: 'here', isAlive: () => true },
});

/** Returns the files of a store with a stack that had operations, and beside it a file of each kind. */
async function storedFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const store = memoryBlobStore();
  const backend = await backendForStore(store, ports());
  await backend.create(DEV, { type: 'b64', state: '{"salt":"v1:x"}' });
  const lease = await backend.lease(DEV, { openCrypter: async () => base64Crypter });
  const log = await lease.begin({
    kind: 'update',
    message: 'x',
    environment: { a: 'b' },
    config: { 'shop:a': 'b' },
  });
  await log.finish({ result: 'succeeded', resourceChanges: { create: 1 } });
  await lease.release();
  await store.put('.pulumi/stacks/shop/dev.pulumi-tags', json({ version: 1, tags: { a: 'b' } }));
  const lock = { pid: 7, username: 'bob', hostname: 'far', timestamp: '2026-01-02T03:04:05Z', cairn: true };
  await store.put('.pulumi/locks/organization/shop/dev/0b.json', json(lock));
  const files = new Map<string, Uint8Array>();
  for (const { key } of await store.list('')) {
    const blob = await store.get(key);
    if (blob !== undefined) files.set(key, blob.bytes);
  }
  return files;
}

/**
 * Returns one target per file of a backend: the file is put in its place in an otherwise whole store, and every
 * question is asked of the backend.
 */
export async function storeTargets(): Promise<readonly Target[]> {
  const files = await storedFiles();
  return [...files].map(([key, content]) => ({
    name: `${key.replace(/\d{10,}/, 'N')} in a store`,
    examples: [content],
    async read(bytes) {
      const store = memoryBlobStore();
      for (const [each, whole] of files) await store.put(each, each === key ? bytes : whole);
      await useStore(store);
    },
  }));
}

/**
 * Asks every question, whatever the answer to the one before. Throws the first failure that no user may meet, or else
 * the first.
 */
async function useStore(store: BlobStore): Promise<void> {
  const failures: unknown[] = [];
  const attempt = async (run: (backend: BucketBackend) => Promise<unknown>): Promise<void> => {
    try {
      const backend = await backendForStore(store, ports());
      await run(backend);
    } catch (error) {
      failures.push(error);
    }
  };
  await attempt((backend) => backend.list());
  await attempt((backend) => backend.summaries());
  await attempt((backend) => backend.read(DEV));
  await attempt((backend) => backend.history(DEV));
  await attempt((backend) => backend.changes(DEV));
  await attempt((backend) => backend.change(DEV, 1));
  await attempt(({ bucket }) => bucket.locks(DEV));
  await attempt((backend) => backend.cancel(DEV));
  await attempt(async (backend) => {
    const lease = await backend.lease(DEV, { openCrypter: async () => base64Crypter });
    await lease.release();
  });
  const unexpected = failures.find((error) => (error as { name?: string }).name !== 'CairnError');
  if (failures.length > 0) throw unexpected ?? failures[0];
}
