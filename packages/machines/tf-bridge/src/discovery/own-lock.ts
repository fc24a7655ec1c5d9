import { join } from 'node:path';
import { cairnError } from '@cairn/diagnostics';
import { editTextFile, readTextFile } from '@cairn/files';
import type { LockedProvider } from './lock-file.js';
import { hostsOf } from './source-address.js';
import type { ProviderAddress } from './source-address.js';

/** File in the directory of a program with the checksums of its downloaded providers [TFD-11]. */
export const OWN_LOCK = 'cairn-lock.json';

interface OwnLock {
  readonly terraformProviders?: Readonly<
    Record<string, { readonly version: string; readonly hashes: readonly string[] }>
  >;
}

/** Reads a provider's entry in Cairn's lock file. Fails with CAIRN-USAGE on a damaged file. */
export async function readOwnLock(cwd: string, source: ProviderAddress): Promise<LockedProvider | undefined> {
  const file = join(cwd, OWN_LOCK);
  const { terraformProviders = {} } = lockIn((await readTextFile(file)) ?? '{}', file);
  for (const host of hostsOf(source)) {
    const name = `${host}/${source.namespace}/${source.type}`;
    if (Object.hasOwn(terraformProviders, name)) {
      const { version, hashes } = terraformProviders[name] as LockedProvider;
      return { version, hashes, file: OWN_LOCK };
    }
  }
  return undefined;
}

/** Records the checksums of a downloaded provider, `host/namespace/type`. */
export async function recordInOwnLock(
  cwd: string,
  source: string,
  version: string,
  hashes: readonly string[],
): Promise<void> {
  const file = join(cwd, OWN_LOCK);
  await editTextFile(file, { mode: 0o666, keepMode: true }, (text = '{}') => {
    const known = lockIn(text, file);
    const providers = { ...known.terraformProviders, [source]: { version, hashes: [...hashes].sort() } };
    const sorted = Object.fromEntries(Object.entries(providers).sort(([a], [b]) => (a < b ? -1 : 1)));
    return `${JSON.stringify({ ...known, terraformProviders: sorted }, undefined, 2)}\n`;
  });
}

function lockIn(text: string, file: string): OwnLock {
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
