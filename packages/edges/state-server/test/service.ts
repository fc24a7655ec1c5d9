import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { memoryBlobStore } from '@cairn/blobs';
import { gzipSync } from 'node:zlib';
import {
  masterKeyOf,
  serviceLog,
  stackKeys,
  startService,
  makeToken,
  openBucketStore,
} from '../src/index.js';
import type {
  ListenAddress,
  PasswordDigests,
  Role,
  RunningService,
  ServiceStore,
  SignInSettings,
  StackKeys,
  StoreUrls,
  TlsFiles,
} from '../src/index.js';
import type { PostHook } from '@cairn/http-api/hooks';
import { storeInBlobs } from '../src/store/bucket/bucket-store.js';
import type { SlowLimits } from '../src/operations/listen.js';

export const MASTER_KEY = masterKeyOf(Buffer.alloc(32, 7).toString('hex'), 'the test', {});
const folders: string[] = [];
const running: TestService[] = [];

/** Store that is open, with its clocks. */
interface OpenStore {
  readonly store: ServiceStore;
  readonly monotonic: () => number;
  readonly pass: (ms: number) => Promise<void>;
}

/** Kind of store. The same folder is the same store. `close` ends it after the tests of a file. */
export interface StoreKind {
  /** True if several processes may use a store at the same time. */
  readonly isShared: boolean;
  open(folder: string): Promise<OpenStore>;
  /** Returns the addresses of the store of a folder. */
  urls(folder: string): Promise<StoreUrls>;
  close(): Promise<void>;
}

export const bucketKind: StoreKind = {
  isShared: false,
  open: async (folder) => {
    let clock = 0;
    const monotonic = (): number => clock;
    return {
      store: await openBucketStore(`file://${folder}`, backendPorts(), {}, monotonic),
      monotonic,
      pass: async (ms) => void (clock += ms),
    };
  },
  urls: async (folder) => ({ store: `file://${folder}` }),
  close: async () => undefined,
};

let kind = bucketKind;
let servers = 1;

/** Serves every store of a file by several services in one process, which requests reach in turn. */
export function useServers(count: number): void {
  servers = count;
}

/** Test over the store of the file. It is skipped where that store cannot be had. */
export let storeTest = test;

/** Runs the tests of a file over another kind of store, unless there is a reason why it cannot be had. */
export function useStore(other: StoreKind, why: string | undefined): void {
  kind = other;
  if (why !== undefined) storeTest = test.skip;
  afterAll(() => other.close());
}

/** True if several processes may use the store of the file at the same time. */
export function isShared(): boolean {
  return kind.isShared;
}

/** Returns the addresses of the store of a folder. */
export function storeUrls(folder: string): Promise<StoreUrls> {
  return kind.urls(folder);
}

/** Opens the store of a folder. A bucket may be one in memory. */
export async function openStore(
  folder: string,
  { inMemory = false }: { readonly inMemory?: boolean } = {},
): Promise<OpenStore> {
  if (!inMemory || isShared()) return kind.open(folder);
  const store = await storeInBlobs(
    memoryBlobStore(),
    { url: 'memory://', ports: backendPorts(), options: {} },
    () => 0,
  );
  return { store, monotonic: () => 0, pass: async () => undefined };
}

/** Answer as a test compares it. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface CallOptions {
  readonly body?: unknown;
  /** Body as text. */
  readonly raw?: string;
  readonly gzip?: boolean;
  /** Value of the Authorization header. Defaults to the writer's token. */
  readonly auth?: string;
}

/** Service over a folder, on a real socket, with a clock for leases that a test moves. */
export interface TestService {
  readonly url: string;
  /** Addresses of all services over the store. */
  readonly urls: readonly string[];
  readonly folder: string;
  readonly service: RunningService;
  readonly store: ServiceStore;
  readonly lines: string[];
  readonly token: string;
  /** Lets time pass on the clock of the leases, in milliseconds. */
  pass(ms: number): Promise<void>;
  call(method: string, route: string, options?: CallOptions): Promise<Answer>;
  tokenFor(role: Role): Promise<string>;
  stop(): Promise<void>;
}

export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-serve-'));
  folders.push(folder);
  return folder;
}

interface ServiceOptions {
  readonly token?: boolean;
  readonly store?: (store: ServiceStore) => ServiceStore;
  readonly keys?: StackKeys;
  readonly tls?: TlsFiles;
  readonly slow?: SlowLimits;
  readonly metrics?: ListenAddress;
  /** Wall clock of the process. Defaults to the real one. */
  readonly now?: () => Date;
  /** Number of changes to keep. Defaults to that of the service. */
  readonly retention?: number;
  /** Address at which clients reach it. Defaults to none. */
  readonly url?: string;
  /** Settings of the sign-in of people. Defaults to none. */
  readonly signIn?: SignInSettings;
  /** Digests of passwords. Defaults to none, so that no user signs in with one. */
  readonly passwords?: PasswordDigests;
  /** Posts to webhooks. Defaults to nothing, so that nothing is sent. */
  readonly post?: PostHook;
}

/** Starts a service over a folder; a second one over the same folder continues the first one's work. */
export async function startTestService(
  folder = newFolder(),
  options: ServiceOptions = {},
): Promise<TestService> {
  const { store: opened, monotonic, pass } = await kind.open(folder);
  const store = options.store?.(opened) ?? opened;
  const lines: string[] = [];
  const ports = {
    ...{ store, keys: options.keys ?? stackKeys(MASTER_KEY), version: 'v0.1.0', newId: randomUUID },
    ...{ keyCooldownMs: 0, url: options.url, signIn: options.signIn, passwords: options.passwords },
    ...{ now: options.now ?? (() => new Date()), monotonic },
    ...(options.retention !== undefined && { retention: options.retention }),
  };
  const log = serviceLog({ write: (line) => void lines.push(line) });
  const tokenFor = (role: Role): Promise<string> =>
    makeToken(ports, { user: `${role}-user`, name: 'test', role });
  const token = options.token === false ? '' : await tokenFor('writer');
  const service = await startService(ports, { host: '127.0.0.1', port: 0 }, log, options);
  const urls = [service.url];
  const others: RunningService[] = [];
  for (let count = 1; count < servers; count += 1) {
    const other = await kind.open(folder);
    others.push(await startService({ ...ports, store: other.store }, { host: '127.0.0.1', port: 0 }, log));
    urls.push((others.at(-1) as RunningService).url);
  }
  let turn = 0;
  const started: TestService = {
    ...{ url: service.url, urls, folder, service, store, lines, token, tokenFor, pass },
    call: (method, route, options = {}) =>
      send(urls[turn++ % urls.length] as string, method, route, { auth: `token ${token}`, ...options }),
    stop: async () => {
      running.splice(running.indexOf(started), 1);
      for (const each of [service, ...others]) await each.stop();
    },
  };
  running.push(started);
  return started;
}

/** Stacks that a service begins with. */
interface StackOptions extends ServiceOptions {
  /** Names. Defaults to one stack. */
  readonly stacks?: readonly string[];
  /** Names of the resources in each state of the stack `dev`. Defaults to no state. */
  readonly states?: readonly (readonly string[])[];
}

/** Starts a service over a folder of its own with some stacks. */
export async function startWithStacks({
  stacks = ['dev'],
  states = [],
  ...options
}: StackOptions = {}): Promise<TestService> {
  const service = await startTestService(undefined, options);
  for (const stackName of stacks)
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName } });
  for (const names of states) {
    const deployment = { manifest: MANIFEST, resources: names.map((name) => resource(name)) };
    const body = { version: 3, deployment };
    expect((await service.call('POST', `${S}/import`, { body })).status).toBe(200);
  }
  return service;
}

/** Ends every service of a test. */
export async function endServices(): Promise<void> {
  for (const service of [...running]) await service.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export async function send(
  url: string,
  method: string,
  route: string,
  { body, raw, gzip, auth }: CallOptions,
): Promise<Answer> {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url + route, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(auth && { authorization: auth }),
      ...(gzip && { 'content-encoding': 'gzip' }),
    },
    ...(text === undefined ? {} : { body: gzip ? gzipSync(text) : text }),
  });
  const answer = await response.text();
  return {
    status: response.status,
    text: answer,
    body: isJson(response) && answer !== '' ? (JSON.parse(answer) as Answer['body']) : {},
  };
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/json') ?? false;
}

export function backendPorts(): Parameters<typeof openBucketStore>[1] {
  return {
    env: {},
    now: () => new Date(),
    newId: randomUUID,
    version: 'v0.1.0',
    argv: ['serve'],
    process: { pid: process.pid, username: 'ann', hostname: 'build-1', isAlive: () => true },
  };
}

export const S = '/api/stacks/organization/shop/dev';

/** State of one root stack resource and `names` below it. */
export function resource(name: string, more: object = {}): object {
  return {
    urn: `urn:pulumi:dev::shop::test:index:Thing::${name}`,
    custom: false,
    type: 'test:index:Thing',
    ...more,
  };
}

export const MANIFEST = { time: '2030-01-01T00:00:00Z', magic: '', version: '' };

/** Runs an update to its start and returns its path, id and token. */
export async function startUpdate(
  service: TestService,
  {
    dryRun = false,
    journal = true,
    kind = 'update',
    stack = 'dev',
    environment = { 'exec.kind': 'cli' } as Readonly<Record<string, string>>,
  } = {},
): Promise<{ readonly route: string; readonly id: string; readonly auth: string; readonly answer: Answer }> {
  const at = S.replace(/dev$/, stack);
  const created = await service.call('POST', `${at}/${kind}`, {
    body: {
      name: 'shop',
      runtime: 'nodejs',
      main: '',
      description: '',
      options: { localPolicyPackPaths: null, color: 'raw', dryRun, parallel: 16 },
      config: { 'shop:size': { string: '3', secret: false, object: false } },
      metadata: { message: 'first', environment },
    },
  });
  const id = String(created.body['updateID']);
  const route = `${at}/update/${id}`;
  const answer = await service.call('POST', route, { body: journal ? { journalVersion: 1 } : {} });
  return { route, id, answer, auth: `update-token ${String(answer.body['token'])}` };
}
