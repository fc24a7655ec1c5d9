import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { saveDownload } from '@cairn/archives';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { LockedProvider } from './lock-file.js';
import type { Place, ProviderPackage } from './packages.js';
import type { Platform } from './platform.js';
import type { Fetch, RegistryPackage } from './registry.js';
import { unpackTo } from './unpack.js';
import { recordChecksums } from './verify.js';

/**
 * Gets a package and unpacks it into a place, where it is as a whole or not at all [TFD-8]. Fails with
 * CAIRN-PLUGIN-CHECKSUM when it is not the one that was announced, or that is locked.
 */
export async function download(
  found: RegistryPackage,
  platform: Platform,
  place: Place,
  lock: LockedProvider | undefined,
  fetch: Fetch,
): Promise<ProviderPackage> {
  const { source, version } = found;
  const directory = join(place.directory, source, version, platform);
  const archive = join(place.directory, `${randomBytes(6).toString('hex')}.zip.partial`);
  try {
    await mkdir(place.directory, { recursive: true, mode: 0o700 });
    const sha256 = await save(found, archive, fetch);
    if (sha256 !== found.sha256)
      throw wrong(found, [`its SHA-256 is ${sha256}`, `its registry announced ${found.sha256}`]);
    const zh = (lock?.hashes ?? []).filter((hash) => hash.startsWith('zh:'));
    if (lock?.version === version && zh.length > 0 && !zh.includes(`zh:${sha256}`))
      throw wrong(found, [`its checksum zh:${sha256} is not in .terraform.lock.hcl`]);
    await unpackTo(archive, directory).catch((error: unknown) => {
      throw wrong(found, [messageOf(error)]);
    });
    await recordChecksums(directory, `zh:${sha256}`);
  } finally {
    await rm(archive, { force: true });
  }
  return { source, version, platform, place, files: { t: 'directory', path: directory } };
}

const wrong = ({ source, version }: RegistryPackage, causes: readonly string[]) =>
  cairnError('CAIRN-PLUGIN-CHECKSUM', `what was downloaded is not the package of ${source} ${version}`, {
    causes,
    hint: 'try again; if it happens again, tell those who run the registry',
  });

/** Saves the archive and returns its SHA-256 in hex. */
async function save({ url, source, version }: RegistryPackage, file: string, fetch: Fetch): Promise<string> {
  const failed = (why: string, cause?: unknown) =>
    cairnError(
      'CAIRN-PLUGIN-NOT-FOUND',
      `cannot download ${source} ${version}`,
      { causes: [`${url}: ${why}`] },
      cause,
    );
  const response = await fetch(url).catch((error: unknown) => {
    throw failed(messageOf(error), error);
  });
  if (!response.ok) throw failed(`HTTP status ${response.status}`);
  return saveDownload(response, file).catch((error: unknown) => {
    throw failed(messageOf(error), error);
  });
}
