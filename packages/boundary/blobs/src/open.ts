import { mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { fail } from '@cairn/diagnostics';
import type { BlobStore } from './blob-store.js';
import { errno } from '@cairn/files';
import { FileBlobStore } from './file/file-store.js';
import type { KeepNames } from './file/file-store.js';
import type { Environment } from './object/environment.js';
import type { UrlBase } from './file/file-url.js';
import { parseFileUrl } from './file/file-url.js';
import { storeFailure } from './file/store-failure.js';

/**
 * `home` and `cwd` are the starting points of `~` and relative addresses; by default the user's. `createDirectory`
 * creates the missing directory of a `file://` address, as for the default backend [CFG-13]. `env` has the variables
 * for opening buckets. It defaults to the process's, which the vendors' own libraries read in any case.
 */
export interface OpenOptions extends Partial<UrlBase> {
  readonly createDirectory?: boolean;
  readonly env?: Environment;
  /** Further schemes that the caller takes, for the hint about a wrong address. Defaults to none. */
  readonly otherSchemes?: readonly string[];
  /** Keeps the names in folders of a file store. Defaults to none. */
  readonly keepNames?: KeepNames | undefined;
}

type Opener = (url: string, base: UrlBase, options: OpenOptions) => Promise<BlobStore>;

/** Openers of stores, one row per kind. */
const OPENERS: Readonly<Record<string, Opener>> = {
  file: openFileStore,
  s3: async (url, _base, { env }) => (await import('./s3/open.js')).openS3(url, env),
  gs: async (url, _base, options) => (await import('./gcs/open.js')).openGcs(url, options),
  azblob: async (url, _base, options) => (await import('./azure/open.js')).openAzure(url, options),
};

/** Schemes that {@link openBlobStore} knows, without `://`. */
const blobSchemes: readonly string[] = Object.keys(OPENERS);

/**
 * Opens the store that an address names. Fails with `CAIRN-BACKEND-URL` if the scheme is unknown or the address is
 * wrong [STORE-1].
 */
export async function openBlobStore(url: string, options: OpenOptions = {}): Promise<BlobStore> {
  const scheme = schemeOf(url);
  const opener = scheme !== undefined && Object.hasOwn(OPENERS, scheme) ? OPENERS[scheme] : undefined;
  if (opener === undefined) {
    fail(
      'CAIRN-BACKEND-URL',
      `cannot open backend "${withoutPassword(url)}": ${scheme === undefined ? 'it has no scheme' : `unknown scheme "${scheme}"`}`,
      {
        hint: `Use an address that begins with ${[...blobSchemes, ...(options.otherSchemes ?? [])].map((name) => `${name}://`).join(', ')}.`,
      },
    );
  }
  return opener(url, { home: options.home ?? homedir(), cwd: options.cwd ?? process.cwd() }, options);
}

async function openFileStore(url: string, base: UrlBase, options: OpenOptions): Promise<BlobStore> {
  const address = parseFileUrl(url, base);
  const { directory, directoryMode } = address;
  // The user did not name this folder: it is Cairn's own, in the user's home.
  if (options.createDirectory === true) await createRoot(directory, directoryMode ?? 0o700);
  else if (address.createDirectory) await createRoot(directory, directoryMode);
  await checkRoot(url, directory);
  return new FileBlobStore(directory, url, { ...options, directoryMode });
}

async function createRoot(directory: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode });
  } catch (thrown) {
    throw storeFailure(thrown, `create the backend directory ${directory}`, directory);
  }
}

async function checkRoot(url: string, directory: string): Promise<void> {
  let found;
  try {
    found = await stat(directory);
  } catch (thrown) {
    if (errno(thrown) !== 'ENOENT') throw storeFailure(thrown, `open backend "${url}"`, directory);
    fail('CAIRN-BACKEND-URL', `cannot open backend "${url}": there is no directory ${directory}`, {
      hint: `Create it (mkdir -p ${directory}), or add ?create_dir=true to the address.`,
    });
  }
  if (!found.isDirectory())
    fail('CAIRN-BACKEND-URL', `cannot open backend "${url}": ${directory} is not a directory`);
}

function schemeOf(url: string): string | undefined {
  return /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url)?.[1];
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//****:****@');
}
