import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** Options of {@link saveDownload}. */
interface SaveOptions {
  /** Bytes at which a download is cancelled. Defaults to 4 GiB. */
  readonly mostBytes?: number;
  /** Receives the number of bytes that have arrived so far. */
  readonly onBytes?: (bytes: number) => void;
}

const MOST_BYTES = 4 * 1024 ** 3;

/**
 * Writes the body of a response to a file and returns its SHA-256 in hex. Rejects when the body breaks off, does not
 * have the announced length, or is too large; the caller removes the file then.
 */
export async function saveDownload(
  response: Response,
  file: string,
  { mostBytes = MOST_BYTES, onBytes }: SaveOptions = {},
): Promise<string> {
  const announced = announcedBytes(response.headers);
  if (announced !== undefined && announced > mostBytes) throw tooLarge(mostBytes);
  const hash = createHash('sha256');
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      onBytes?.(bytes);
      done(bytes > mostBytes ? tooLarge(mostBytes) : null, chunk);
    },
  });
  const body =
    response.body === null
      ? Readable.from([])
      : Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  await pipeline(body, counting, createWriteStream(file));
  if (announced !== undefined && announced !== bytes)
    throw new Error(`expected ${announced} bytes but got ${bytes}`);
  return hash.digest('hex');
}

/** Returns the length of the body as it is read, or `undefined` if it is not known, as when the body is decoded. */
function announcedBytes(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  const encoding = headers.get('content-encoding') ?? 'identity';
  return length === null || encoding !== 'identity' ? undefined : Number(length);
}

const tooLarge = (mostBytes: number): Error => new Error(`the download has more than ${mostBytes} bytes`);
