import { mkdir } from 'node:fs/promises';
import type { Backend } from '@cairn/backends';
import { isCairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { defaultBackendUrl, logIn as keepLogin } from '@cairn/workspace';
import { tell } from '../ports.js';
import type { Ports } from '../ports.js';
import { openBackend } from './open-backend.js';
import type { Reach } from './open-backend.js';
import { userOf } from './user.js';

/**
 * Opens a backend once and makes it the default place of stacks. Reports problems with writing to it. `given` defaults
 * to the backend in the home. Resolves with its address.
 */
export async function logIn(ports: Ports, reach: Reach, given: string | undefined): Promise<string> {
  const user = userOf(ports);
  const usual = defaultBackendUrl(user);
  const url = given ?? usual;
  const backend = await openBackend(ports, reach, { url, createDirectory: url === usual });
  try {
    tell(ports, await writeWarnings(backend));
  } finally {
    await backend.close();
  }
  await mkdir(user.userHome, { recursive: true, mode: 0o700 });
  await keepLogin(user, url);
  return url;
}

/**
 * Returns problems with writing as warnings. A user who may only read can still look at stacks and export them, so that
 * is a warning as well.
 */
async function writeWarnings(backend: Backend): Promise<readonly Diagnostic[]> {
  try {
    return (await backend.bucket?.checkWrites()) ?? [];
  } catch (thrown) {
    if (!isCairnError(thrown) || thrown.diagnostics[0]?.code !== 'CAIRN-STORE-DENIED') throw thrown;
    return thrown.diagnostics.map((found) => ({ ...found, severity: 'warning' as const }));
  }
}
