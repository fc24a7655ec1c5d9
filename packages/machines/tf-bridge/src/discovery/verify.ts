import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cairnError } from '@cairn/diagnostics';
import { directoryChecksum, fileSha256, filesBelow } from './checksums.js';
import type { LockedProvider } from './lock-file.js';
import type { TerraformProviderPackage } from './packages.js';
import { cacheOf } from './settings.js';

/**
 * Checks that the lock file has a checksum of the package [TFD-7]. `directory` contains its files. Fails with
 * CAIRN-PLUGIN-CHECKSUM.
 */
export async function verifyPackage(
  chosen: TerraformProviderPackage,
  directory: string,
  lock: LockedProvider,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { source, version, files } = chosen;
  if (lock.hashes.length === 0) return;
  const ours = await remembered(directory, join(cacheOf(env), 'checksums'));
  if (lock.hashes.includes(ours)) return;
  const archive =
    files.t === 'archive' ? `zh:${await fileSha256(files.path)}` : await archiveOf(directory, ours);
  if (archive !== undefined && lock.hashes.includes(archive)) return;
  throw cairnError(
    'CAIRN-PLUGIN-CHECKSUM',
    `${files.path} is not the locked package of ${source} ${version}`,
    {
      causes: [`its checksum ${ours} is not in ${lock.file}`],
      hint: 'Install the package that is locked, or add this one with `terraform providers lock`.',
    },
  );
}

const besides = (directory: string): string => `${directory}.checksums`;

/** Records the archive whose content a directory is. */
export async function recordChecksums(directory: string, archive: string, files: string): Promise<void> {
  await writeFile(besides(directory), JSON.stringify([archive, files]));
}

/** Returns the checksum of the archive that a directory was unpacked from, if its files are unchanged. */
async function archiveOf(directory: string, ours: string): Promise<string | undefined> {
  const text = await readFile(besides(directory), 'utf8').catch(() => '[]');
  const [archive, files] = JSON.parse(text) as readonly (string | undefined)[];
  return files === ours ? archive : undefined;
}

/** Returns the checksum of a directory. It is computed once for unchanged files, because a provider can be large. */
async function remembered(directory: string, memory: string): Promise<string> {
  const names = (await filesBelow(directory)).toSorted();
  const stats = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs, ctimeMs, ino } = await stat(join(directory, name));
      return [name, size, mtimeMs, ctimeMs, ino];
    }),
  );
  const key = createHash('sha256')
    .update(JSON.stringify([directory, stats]))
    .digest('hex');
  const file = join(memory, key.slice(0, 32));
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known?.startsWith('h1:') === true) return known;
  const checksum = await directoryChecksum(directory);
  await mkdir(memory, { recursive: true, mode: 0o700 })
    .then(() => writeFile(file, checksum, { mode: 0o600 }))
    .catch(() => undefined);
  return checksum;
}
