import { mkdir } from 'node:fs/promises';
import type { Backend } from '@cairn/backends';
import { isCairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { backendAddress, defaultBackendUrl, isServiceUrl, storeLogin, storedLogin } from '@cairn/workspace';
import { tell } from '../ports.js';
import type { Ports } from '../ports.js';
import { openChosenBackend } from './open-backend.js';
import type { Reach } from './open-backend.js';
import { acceptedLogin } from './service-login.js';
import type { TokenSource } from './service-login.js';
import { userOf } from './user.js';

/** Backend that the user has logged in to. */
interface LoggedIn {
  readonly url: string;
  /** Name of the account at a state service. */
  readonly username?: string | undefined;
}

/**
 * Makes a backend the default place of stacks. A store is opened once, and problems with writing to it are reported. A
 * state service is asked for the account of the access token, which `source` may give; the token is stored.
 * `given` defaults to the backend in the home.
 */
export async function logIn(
  ports: Ports,
  reach: Reach,
  given: string | undefined,
  source: TokenSource = {},
): Promise<LoggedIn> {
  const user = userOf(ports);
  const url = given === undefined ? defaultBackendUrl(user) : backendAddress(given);
  const login = isServiceUrl(url) ? await acceptedLogin(ports, url, source) : undefined;
  if (login === undefined) await tryStore(ports, reach, url);
  await mkdir(user.userHome, { recursive: true, mode: 0o700 });
  await storeLogin(user, url, login && storedLogin(login, ports.now()));
  return { url, username: login?.username };
}

async function tryStore(ports: Ports, reach: Reach, url: string): Promise<void> {
  const createDirectory = url === defaultBackendUrl(userOf(ports));
  const backend = await openChosenBackend(ports, reach, { url, createDirectory });
  try {
    tell(ports, await writeWarnings(backend));
  } finally {
    await backend.close();
  }
}

/**
 * Returns problems with writing as warnings. A user who may only read can still look at stacks and export them, so that
 * is a warning as well.
 */
async function writeWarnings({ bucket }: Backend): Promise<readonly Diagnostic[]> {
  try {
    return (await bucket?.checkWrites()) ?? [];
  } catch (thrown) {
    if (!isCairnError(thrown) || thrown.diagnostics[0]?.code !== 'CAIRN-STORE-DENIED') throw thrown;
    return thrown.diagnostics.map((found) => ({ ...found, severity: 'warning' as const }));
  }
}
