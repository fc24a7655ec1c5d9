import { IncomingMessage } from 'node:http';
import { gunzip, gunzipSync } from 'node:zlib';
import { promisify } from 'node:util';
import { Refusal } from '../domain/refusal.js';

const unzip = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(gunzip);

/** Bytes of bodies that all requests together may hold in memory. One body alone is always let through. */
export class BodyBudget {
  #held = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds bytes of a body to those held. Refuses it (503) if other requests hold too many. */
  add(own: number, bytes: number): void {
    if (this.#held > own && this.#held + bytes > this.#most)
      throw new Refusal(503, 'The service works on too many large requests. Try again.');
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }

  /** Number of bytes that requests hold now. */
  get held(): number {
    return this.#held;
  }
}

/** Body of a request as it comes, with the headers that describe it. */
export interface RequestBody {
  /** Bytes in pieces, those of a connection, or undefined if there is no body. */
  readonly bytes: AsyncIterable<Uint8Array> | IncomingMessage | undefined;
  readonly encoding: string | undefined;
  readonly length: string | undefined;
}

/** Body that is being read, with its limits. */
interface Reading {
  readonly most: number;
  readonly budget: BodyBudget;
  /** Bytes that count for it. */
  own: number;
}

/**
 * Reads the body of a request, unpacks it, and does work with it. Refuses a body that is longer than `most`, packed or
 * unpacked (413), and encodings other than gzip (415).
 */
export async function readBody<T>(
  { bytes: pieces, encoding: given = 'identity', length = '0' }: RequestBody,
  most: number,
  budget: BodyBudget,
  work: (body: Buffer) => Promise<T>,
): Promise<T> {
  if (most === 0 || pieces === undefined) return work(Buffer.alloc(0));
  const encoding = given.trim().toLowerCase();
  const packed = encoding === 'gzip' || encoding === 'x-gzip';
  if (!packed && encoding !== 'identity' && encoding !== '')
    throw new Refusal(415, 'The body has an encoding other than gzip.');
  if (Number(length) > most) throw tooLarge(most);
  const reading = { most, budget, own: 0 };
  try {
    const bytes = await (pieces instanceof IncomingMessage
      ? collectIncoming(pieces, reading)
      : collect(pieces, reading));
    return await work(packed ? await unpack(bytes, reading) : bytes);
  } finally {
    budget.release(reading.own);
  }
}

function hold(reading: Reading, bytes: number): void {
  reading.budget.add(reading.own, bytes);
  reading.own += bytes;
}

async function collect(pieces: AsyncIterable<Uint8Array>, reading: Reading): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of pieces) addChunk(chunks, chunk, reading);
  return Buffer.concat(chunks);
}

function addChunk(chunks: Uint8Array[], chunk: Uint8Array, reading: Reading): void {
  if (reading.own + chunk.length > reading.most) throw tooLarge(reading.most);
  hold(reading, chunk.length);
  chunks.push(chunk);
}

/** Collects the bytes of a connection. Events cost less than an iterator. After a refusal the connection stays. */
function collectIncoming(incoming: IncomingMessage, reading: Reading): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const settle = (): void => {
      incoming.off('data', add).off('end', end).off('error', fail).off('close', fail);
    };
    const fail = (fault?: Error): void => {
      settle();
      reject(fault ?? new Error('the connection ended within a body'));
    };
    const end = (): void => {
      settle();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    };
    const add = (chunk: Buffer): void => {
      try {
        addChunk(chunks, chunk, reading);
      } catch (refused) {
        incoming.pause();
        fail(refused as Error);
      }
    };
    if (incoming.destroyed) fail();
    else incoming.on('data', add).once('end', end).once('error', fail).once('close', fail);
  });
}

/** Unpacked bytes up to which a body is unpacked at once: that takes less time than passing it to another thread. */
const AT_ONCE = 1 << 18;

async function unpack(bytes: Buffer, reading: Reading): Promise<Buffer> {
  try {
    const unpacked =
      unpackAtOnce(bytes, Math.min(AT_ONCE, reading.most)) ??
      (await unzip(bytes, { maxOutputLength: reading.most }));
    hold(reading, unpacked.length);
    return unpacked;
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown;
    const code = (thrown as { readonly code?: string }).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(reading.most);
    throw new Refusal(400, 'The body is not gzip.');
  }
}

/** Returns the unpacked bytes, or undefined if there are more than `most`. */
function unpackAtOnce(bytes: Buffer, most: number): Buffer | undefined {
  if (bytes.length > most) return undefined;
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (thrown) {
    if ((thrown as { readonly code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw thrown;
  }
}

function tooLarge(most: number): Refusal {
  return new Refusal(413, `The body is larger than ${most} bytes.`);
}
