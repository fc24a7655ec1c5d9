import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { LockedProvider } from './lock-file.js';
import { hostsOf } from './source-address.js';
import type { ProviderSource } from './source-address.js';

/** File in the directory of a program with the checksums of what was downloaded for it [TFD-11]. */
const OWN_LOCK = 'cairn-lock.json';

interface OwnLock {
  readonly terraformProviders?: Readonly<
    Record<string, { readonly version: string; readonly hashes: readonly string[] }>
  >;
}

/** Reads what Cairn's lock file says of a provider. Fails with CAIRN-USAGE on a damaged file. */
export async function readOwnLock(cwd: string, source: ProviderSource): Promise<LockedProvider | undefined> {
  const { terraformProviders = {} } = await readLockFile(join(cwd, OWN_LOCK));
  for (const host of hostsOf(source)) {
    const name = `${host}/${source.namespace}/${source.type}`;
    if (Object.hasOwn(terraformProviders, name)) {
      const { version, hashes } = terraformProviders[name] as LockedProvider;
      return { version, hashes, file: OWN_LOCK };
    }
  }
  return undefined;
}

/** Records the checksums of a provider that was downloaded, `host/namespace/type`. */
export async function recordInOwnLock(
  cwd: string,
  source: string,
  version: string,
  hashes: readonly string[],
): Promise<void> {
  const file = join(cwd, OWN_LOCK);
  const known = await readLockFile(file);
  const providers = { ...known.terraformProviders, [source]: { version, hashes: [...hashes].sort() } };
  const sorted = Object.fromEntries(Object.entries(providers).sort(([a], [b]) => (a < b ? -1 : 1)));
  const partial = `${file}.${randomBytes(6).toString('hex')}.partial`;
  try {
    await writeFile(partial, `${JSON.stringify({ ...known, terraformProviders: sorted }, undefined, 2)}\n`);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw cairnError('CAIRN-USAGE', `cannot write ${file}`, { causes: [messageOf(error)] }, error);
  }
}

async function readLockFile(file: string): Promise<OwnLock> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    const lock = JSON.parse(text) as OwnLock;
    const all = Object.values(lock.terraformProviders ?? {});
    if (all.every(({ version, hashes }) => typeof version === 'string' && Array.isArray(hashes))) return lock;
  } catch {
    // Reported below.
  }
  throw cairnError('CAIRN-USAGE', `cannot read the lock file ${file}`, {
    hint: 'Restore it from version control. Without it the next download records new checksums.',
  });
}
