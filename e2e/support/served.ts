import { randomBytes } from 'node:crypto';
import { expectOk } from './cairn.js';
import type { Running, Sandbox } from './cairn.js';

const KEY = randomBytes(32).toString('base64');

/** Flags and variables that name the store of a service. */
export interface ServedStore {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Flags of the service alone. */
  readonly serve?: readonly string[];
}

/** Service in a process of its own, with the variables of a client that is logged in to it. */
export interface ServedProcess {
  readonly running: Running;
  readonly url: string;
  readonly client: Readonly<Record<string, string>>;
}

/** Starts the service, with a token for a client. */
export async function serveStore(box: Sandbox, store: ServedStore): Promise<ServedProcess> {
  const { running, url } = await startServe(box, store);
  const client = { CAIRN_BACKEND_URL: url, CAIRN_ACCESS_TOKEN: await newToken(box, store) };
  return { running, url, client };
}

/** Starts one process of the service, on any free port by default. */
export async function startServe(
  box: Sandbox,
  { words, env, serve = [] }: ServedStore,
  listen = '127.0.0.1:0',
): Promise<Omit<ServedProcess, 'client'>> {
  const all = { CAIRN_SERVE_MASTER_KEY: KEY, ...env };
  const running = box.start(['serve', ...words, ...serve, '--listen', listen], { env: all });
  let line = '';
  running.process.stdout?.on('data', (chunk: string) => (line += chunk));
  await running.shown(/^http:\/\/127\.0\.0\.1:\d+\n/m);
  return { running, url: line.trim() };
}

/** Makes a token of a user. */
export async function newToken(
  box: Sandbox,
  { words, env }: ServedStore,
  { user = 'alice', role = 'writer' } = {},
): Promise<string> {
  const all = { CAIRN_SERVE_MASTER_KEY: KEY, ...env };
  return expectOk(
    await box.cairn(['serve', 'token', 'new', user, '--role', role, ...words], { env: all }),
  ).stdout.trim();
}
