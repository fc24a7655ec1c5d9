import { createHash } from 'node:crypto';
import { Archive, Asset, isKind } from '@cairn/values';
import { BugError } from '@cairn/diagnostics';
import { AssetError } from './asset-error.js';
import { compareBytes, archiveFiles, isDirectory } from './directory.js';
import { packedMembers, packingOf } from './packed.js';
import { filePathOf, labelOf, sourceName, sized, withSource } from './source.js';
import type { ByteSource } from './source.js';
import { TarHash } from './tar-hash.js';
import { joinNames } from './member-name.js';

/** Members of an archive by name. */
type Members = NonNullable<Archive['assets']>;

/** Tar stream that receives files below `under`. If `under` is undefined, files go to the top with their own names. */
interface Sink {
  readonly tar: TarHash;
  readonly under: string | undefined;
}

/**
 * Returns the asset or archive with all missing hashes filled in, including those of members [VAL-6]. Every source is
 * read once. A hash is the lower-case hex SHA-256 of the bytes of an asset or a packed archive, or of a tar stream of
 * the members. Relative paths count from `baseDirectory`. Throws {@link AssetError}.
 */
export function withOwnHashes(value: Asset | Archive, baseDirectory: string): Promise<Asset | Archive> {
  return isKind(value, 'asset')
    ? filledAsset(value, [], baseDirectory)
    : filledArchive(value, [], baseDirectory);
}

/** Returns true if {@link withOwnHashes} would add anything. */
export function lacksHash(value: Asset | Archive): boolean {
  if (!hasHash(value)) return true;
  return isKind(value, 'archive') && Object.values(membersOf(value) ?? {}).some(lacksHash);
}

function hasHash(value: Asset | Archive): boolean {
  return value.hash !== undefined && value.hash !== '';
}

/**
 * Returns the members that count. A path or URI takes precedence over members. An archive without path, URI and members
 * is empty.
 */
function membersOf({ path, uri, assets }: Archive): Members | undefined {
  return (path ?? '') !== '' || (uri ?? '') !== '' ? undefined : (assets ?? {});
}

async function filledAsset(asset: Asset, sinks: readonly Sink[], baseDirectory: string): Promise<Asset> {
  const { text, path, uri } = asset;
  if (hasHash(asset) && sinks.length === 0) return asset;
  if (hasHash(asset) && !path && !uri && text === undefined && asset.hash !== EMPTY_HASH) {
    throw new AssetError('an asset', 'only its hash is known');
  }
  return withSource(asset, baseDirectory, async (source) => {
    if (hasHash(asset)) {
      await pour(await sized(source), '', sinks);
      return asset;
    }
    const own = createHash('sha256');
    await pour(sinks.length === 0 ? source : await sized(source), '', sinks, own);
    return new Asset({ text, path, uri, hash: own.digest('hex') });
  });
}

const EMPTY_HASH = createHash('sha256').digest('hex');

async function filledArchive(
  archive: Archive,
  sinks: readonly Sink[],
  baseDirectory: string,
): Promise<Archive> {
  if (!lacksHash(archive) && sinks.length === 0) return archive;
  if (hasHash(archive) && !archive.path && !archive.uri && archive.assets === undefined) {
    throw new AssetError('an archive', 'only its hash is known');
  }
  const members = membersOf(archive);
  const packing = members === undefined ? packingOf(sourceName(archive)) : undefined;
  if (packing !== undefined) return filledPacked(archive, packing, sinks, baseDirectory);
  const tar = hasHash(archive) ? undefined : new TarHash();
  const all = tar === undefined ? sinks : [...sinks, { tar, under: undefined }];
  const assets =
    members === undefined
      ? await pourDirectory(archive, all, baseDirectory)
      : await filledMembers(members, all, baseDirectory);
  const { path, uri, hash } = archive;
  return new Archive({
    assets: assets ?? archive.assets,
    path,
    uri,
    hash: tar === undefined ? hash : tar.digest(),
  });
}

async function filledMembers(
  members: Members,
  sinks: readonly Sink[],
  baseDirectory: string,
): Promise<Members> {
  const filled = Object.create(null) as { [name: string]: Asset | Archive };
  for (const name of Object.keys(members)) filled[name] = members[name] as Asset | Archive;
  for (const name of Object.keys(members).sort(compareBytes)) {
    const member = members[name] as Asset | Archive;
    const below = sinks.map((sink) => ({ tar: sink.tar, under: nameIn(sink, name) }));
    filled[name] = isKind(member, 'asset')
      ? await filledAsset(member, below, baseDirectory)
      : await filledArchive(member, below, baseDirectory);
  }
  return filled;
}

/** Fills in a packed file. Its hash is the hash of its own bytes. Inside another archive, its members count. */
async function filledPacked(
  archive: Archive,
  packing: NonNullable<ReturnType<typeof packingOf>>,
  sinks: readonly Sink[],
  baseDirectory: string,
): Promise<Archive> {
  const { path, uri, assets } = archive;
  return withSource({ path, uri }, baseDirectory, async (opened) => {
    const source = sinks.length === 0 ? opened : await sized(opened);
    let { hash } = archive;
    if (!hasHash(archive)) {
      const own = createHash('sha256');
      await pour(source, '', [], own);
      hash = own.digest('hex');
    }
    if (sinks.length > 0) {
      for await (const member of packedMembers(source, packing)) await pour(member, member.name, sinks);
    }
    return new Archive({ path, uri, assets, hash });
  });
}

async function pourDirectory(
  { path, uri }: Archive,
  sinks: readonly Sink[],
  baseDirectory: string,
): Promise<undefined> {
  const label = labelOf({ path, uri });
  const directory = (path ?? '') === '' ? undefined : filePathOf({ path }, baseDirectory);
  if (directory === undefined || !(await isDirectory(directory, label))) {
    throw new AssetError(label, 'it is neither a directory nor a .tar, .tgz, .tar.gz, .zip or .jar file');
  }
  for await (const file of archiveFiles(directory)) {
    await withSource({ path: file.path }, baseDirectory, async (source) =>
      pour(await sized(source), file.name, sinks),
    );
  }
}

/**
 * Sends bytes to the streams that have no file of that name yet, and to `own`. The name '' means the sink's own name.
 */
async function pour(
  source: Pick<ByteSource, 'size' | 'chunks'>,
  name: string,
  sinks: readonly Sink[],
  own?: ReturnType<typeof createHash>,
): Promise<void> {
  const { size } = source;
  const open = sinks.filter((sink) => {
    if (size === undefined) throw new BugError('a file without size cannot go into a tar stream');
    return sink.tar.begin(nameIn(sink, name), size);
  });
  if (open.length === 0 && own === undefined) return;
  for await (const chunk of source.chunks()) {
    own?.update(chunk);
    for (const { tar } of open) tar.add(chunk);
  }
  for (const { tar } of open) tar.end();
}

function nameIn({ under }: Sink, name: string): string {
  if (under === undefined) return name;
  return name === '' ? under : joinNames(under, name);
}
