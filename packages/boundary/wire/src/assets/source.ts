import { BugError } from '@cairn/diagnostics';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetError, fileReason, isAssetError } from './asset-error.js';
import { Semaphore } from './gate.js';

/** Bytes that can be read while {@link withSource} runs. */
export interface ByteSource {
  /** Name of the source in messages. */
  readonly label: string;
  /** Total number of bytes. Undefined for a download. */
  readonly size: number | undefined;
  /** Yields all bytes from the start. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Reads exactly `length` bytes from `position`. Only available if `size` is known. */
  read(position: number, length: number): Promise<Buffer>;
}

/** Location of bytes: one of the three fields. A relative path counts from the base directory. */
interface Place {
  readonly text?: string | undefined;
  readonly path?: string | undefined;
  readonly uri?: string | undefined;
}

const CHUNK_BYTES = 256 * 1024;

/** Limits open files and downloads to 8 at a time, however many registrations are under way. */
const gate = new Semaphore(8);

/** Opens a source, passes it to `use` and closes it. Throws {@link AssetError}. `use` must not open another source. */
export async function withSource<T>(
  place: Place,
  baseDirectory: string,
  use: (source: ByteSource) => Promise<T>,
): Promise<T> {
  const file = filePathOf(place, baseDirectory);
  if (file !== undefined) return gate.run(() => withFile(file, labelOf(place), use));
  if (place.uri !== undefined && place.uri !== '') {
    const { uri } = place;
    return gate.run(() => use(new Download(uri, labelOf(place))));
  }
  return use(new Bytes(Buffer.from(place.text ?? ''), labelOf(place)));
}

/** Returns a source that has a size and can be read at any position. A download is read into memory for that. */
export async function sized(source: ByteSource): Promise<ByteSource & { readonly size: number }> {
  if (source.size !== undefined) return source as ByteSource & { readonly size: number };
  const parts: Uint8Array[] = [];
  for await (const chunk of source.chunks()) parts.push(chunk);
  return new Bytes(Buffer.concat(parts), source.label);
}

/**
 * Returns the absolute path of a source that is a file, by path or by `file` URI. Throws {@link AssetError} for files
 * of other hosts.
 */
export function filePathOf(place: Place, baseDirectory: string): string | undefined {
  if (place.path !== undefined && place.path !== '') return path.resolve(baseDirectory, place.path);
  if (place.uri === undefined || place.uri === '') return undefined;
  const url = parsed(place.uri, labelOf(place));
  if (url.protocol === 'http:' || url.protocol === 'https:') return undefined;
  if (url.protocol !== 'file:') {
    throw new AssetError(labelOf(place), `the scheme ${url.protocol} is not http:, https: or file:`);
  }
  if (url.hostname !== '' && url.hostname !== 'localhost') {
    throw new AssetError(labelOf(place), `the file is on another host, ${url.hostname}`);
  }
  url.hostname = '';
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw new AssetError(labelOf(place), fileReason(error));
  }
}

/** Returns the name that identifies a source: its path, or the path of its URI without the query. */
export function sourceName(place: Place): string {
  if (place.path !== undefined && place.path !== '') return place.path;
  return place.uri === undefined ? '' : parsed(place.uri, labelOf(place)).pathname;
}

/** Returns the name of a source for messages, without user, password and query of a URI. */
export function labelOf(place: Place): string {
  if (place.path !== undefined && place.path !== '') return `file "${place.path}"`;
  if (place.uri === undefined || place.uri === '') return 'the text';
  if (!URL.canParse(place.uri)) return 'the URI';
  const url = new URL(place.uri);
  url.username = url.password = url.search = url.hash = '';
  return `"${url.href}"`;
}

function parsed(uri: string, label: string): URL {
  if (!URL.canParse(uri)) throw new AssetError(label, 'this is not a URI');
  return new URL(uri);
}

async function withFile<T>(file: string, label: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const handle = await openFile(file, label);
  try {
    const { size } = await handle.stat();
    return await use(new OpenFile(handle, size, label));
  } catch (error) {
    throw isAssetError(error) ? error : new AssetError(label, fileReason(error));
  } finally {
    await handle.close();
  }
}

/** Checks the file before it opens it: opening a pipe would wait for its writer. */
async function openFile(file: string, label: string): Promise<FileHandle> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw new AssetError(label, 'it is a directory');
    if (!found.isFile()) throw new AssetError(label, 'it is not a regular file');
    return await open(file, 'r');
  } catch (error) {
    throw isAssetError(error) ? error : new AssetError(label, fileReason(error));
  }
}

class OpenFile implements ByteSource {
  readonly #handle: FileHandle;

  constructor(
    handle: FileHandle,
    readonly size: number,
    readonly label: string,
  ) {
    this.#handle = handle;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < this.size; at += CHUNK_BYTES) {
      yield await this.read(at, Math.min(CHUNK_BYTES, this.size - at));
    }
  }

  async read(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await this.#handle.read(buffer, filled, length - filled, position + filled);
      if (bytesRead === 0) throw new AssetError(this.label, 'it ends too early');
      filled += bytesRead;
    }
    return buffer;
  }
}

class Bytes implements ByteSource {
  readonly #bytes: Buffer;

  constructor(
    bytes: Buffer,
    readonly label: string,
  ) {
    this.#bytes = bytes;
  }

  get size(): number {
    return this.#bytes.length;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    yield this.#bytes;
  }

  async read(position: number, length: number): Promise<Buffer> {
    if (position + length > this.#bytes.length) throw new AssetError(this.label, 'it ends too early');
    return this.#bytes.subarray(position, position + length);
  }
}

/** Requests a URI. User and password in it are sent as an authorization header. */
function request(uri: string): Promise<Response> {
  const url = new URL(uri);
  const { username, password } = url;
  if (username === '' && password === '') return fetch(url);
  url.username = url.password = '';
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return fetch(url, { headers: { authorization: `Basic ${login.toString('base64')}` } });
}

class Download implements ByteSource {
  readonly size = undefined;
  readonly #uri: string;

  constructor(
    uri: string,
    readonly label: string,
  ) {
    this.#uri = uri;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      const response = await request(this.#uri);
      if (!response.ok) {
        await response.body?.cancel();
        throw new AssetError(this.label, `the server answered ${response.status}`);
      }
      if (response.body !== null) yield* response.body as unknown as AsyncIterable<Uint8Array>;
    } catch (error) {
      if (isAssetError(error)) throw error;
      const cause = (error as { cause?: unknown }).cause;
      throw new AssetError(this.label, cause instanceof Error ? cause.message : 'it cannot be downloaded');
    }
  }

  read(): Promise<Buffer> {
    return Promise.reject(new BugError('a download is read in order only'));
  }
}
