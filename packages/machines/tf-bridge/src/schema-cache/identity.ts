import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundProvider } from '../discovery/find-provider.js';
import { cacheOf } from '../discovery/settings.js';
import type { SchemaCache } from './stored-answers.js';

/**
 * Returns the place of a provider's cached schema. Undefined if a change of the provider could not be detected
 * [TFP-11]: for a running one, and for a script, which consists of unknown files. A rebuilt file has another time of
 * its last change (`ctime`), which no tool sets, whatever its size and date.
 */
export async function schemaCacheFor(
  found: FoundProvider,
  env: NodeJS.ProcessEnv,
): Promise<SchemaCache | undefined> {
  const { executable, name, type, version } = found;
  if (executable === undefined) return undefined;
  const identity = await executableIdentity(executable);
  if (identity === undefined) return undefined;
  const of = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return {
    directory: join(cacheOf(env), 'schemas', `${type}-${of}`),
    identity: JSON.stringify([name, version, executable, identity]),
  };
}

const SCRIPT = '#!';

async function executableIdentity(executable: string): Promise<readonly string[] | undefined> {
  const file = await open(executable, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size, mtimeNs, ctimeNs, ino, dev } = await file.stat({ bigint: true });
    const head = Buffer.alloc(SCRIPT.length);
    await file.read(head, 0, head.length, 0);
    if (head.toString('latin1') === SCRIPT || /\.(?:cmd|bat|js|mjs|cjs)$/i.test(executable)) return undefined;
    return [size, mtimeNs, ctimeNs, ino, dev].map(String);
  } finally {
    await file.close();
  }
}
