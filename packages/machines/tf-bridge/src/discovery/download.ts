import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { saveDownload } from '@cairn/archives';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { LockedProvider } from './lock-file.js';
import type { PackageLocation, TerraformProviderPackage } from './packages.js';
import type { PlatformName } from './platform.js';
import type { Fetch, RegistryPackage } from './registry.js';
import { unpackTo } from './unpack.js';
import { signedSums } from './signature.js';
import { recordChecksums } from './verify.js';
import { directoryChecksum } from './checksums.js';

/** Result of a download. */
interface DownloadedPackage {
  readonly package: TerraformProviderPackage;
  /** All known checksums of its release, and the one of its files, for a lock file. */
  readonly hashes: readonly string[];
}

/**
 * Downloads a package and unpacks it into a place, completely or not at all [TFD-8]. Fails with CAIRN-PLUGIN-CHECKSUM
 * if it is not the announced or the locked one, and with CAIRN-PLUGIN-SIGNATURE if no signature in a registry confirms
 * it. With `allowsUnsigned`, a registry need not have a signature.
 */
export async function download(
  found: RegistryPackage,
  platform: PlatformName,
  place: PackageLocation,
  lock: LockedProvider | undefined,
  fetch: Fetch,
  allowsUnsigned: boolean,
): Promise<DownloadedPackage> {
  const { source, version } = found;
  const directory = join(place.directory, source, version, platform);
  const archive = join(place.directory, `${randomBytes(6).toString('hex')}.zip.partial`);
  const signed = await signedHashes(found, fetch, allowsUnsigned);
  try {
    await mkdir(place.directory, { recursive: true, mode: 0o700 });
    const sha256 = await save(found, archive, fetch);
    if (found.sha256 !== undefined && sha256 !== found.sha256)
      throw wrong(found, [`its SHA-256 is ${sha256}`, `its registry announced ${found.sha256}`]);
    const zh = (lock?.hashes ?? []).filter((hash) => hash.startsWith('zh:'));
    if (lock?.version === version && zh.length > 0 && !zh.includes(`zh:${sha256}`))
      throw wrong(found, [`its checksum zh:${sha256} is not in ${lock.file}`]);
    await unpackTo(archive, directory).catch((error: unknown) => {
      throw wrong(found, [messageOf(error)]);
    });
    const h1 = await directoryChecksum(directory);
    const own = [h1, `zh:${sha256}`];
    if (found.hashes.length > 0 && !found.hashes.some((hash) => own.includes(hash))) {
      await rm(directory, { recursive: true, force: true });
      throw wrong(found, [`its checksums are ${own.join(' and ')}`, `announced: ${found.hashes.join(', ')}`]);
    }
    await recordChecksums(directory, `zh:${sha256}`, h1);
    const files = { t: 'directory', path: directory } as const;
    return {
      package: { source, version, platform, place, files },
      hashes: [...new Set([...own, ...signed, ...found.hashes])],
    };
  } finally {
    await rm(archive, { force: true });
  }
}

/**
 * Returns checksums of the archives of the release, signed by a key of the registry. Empty for a mirror, which has no
 * signatures.
 */
async function signedHashes(
  found: RegistryPackage,
  fetch: Fetch,
  allowsUnsigned: boolean,
): Promise<readonly string[]> {
  const { source, version, sha256, signed, file = '' } = found;
  if (sha256 === undefined) return [];
  if (signed === undefined) {
    if (allowsUnsigned) return [];
    throw cairnError('CAIRN-PLUGIN-SIGNATURE', `${source} ${version} is not signed`, {
      causes: ['its registry has no key, or no signature of its checksums'],
      hint: `Put it into a mirror, or set CAIRN_UNSIGNED_PROVIDERS=${source} if you trust the registry.`,
    });
  }
  const sums = await signedSums(`${source} ${version}`, signed, fetch);
  const listed = sums.get(file);
  if (listed !== sha256)
    throw wrong(found, [
      `its registry announced the SHA-256 ${sha256}`,
      `the signed checksums have ${listed ?? 'none'} for ${file}`,
    ]);
  return [...sums.values()].map((sum) => `zh:${sum}`);
}

const wrong = ({ source, version }: RegistryPackage, causes: readonly string[]) =>
  cairnError('CAIRN-PLUGIN-CHECKSUM', `what was downloaded is not the package of ${source} ${version}`, {
    causes,
    hint: 'Try again; if it happens again, report it to the operators of the registry.',
  });

/** Saves the archive and returns its SHA-256 as hexadecimal digits. */
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
