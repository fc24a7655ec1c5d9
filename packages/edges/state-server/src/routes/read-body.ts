import { gunzip } from 'node:zlib';
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
  request: Request,
  most: number,
  budget: BodyBudget,
  work: (body: Buffer) => Promise<T>,
): Promise<T> {
  if (most === 0 || request.body === null) return work(Buffer.alloc(0));
  const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  const packed = encoding === 'gzip' || encoding === 'x-gzip';
  if (!packed && encoding !== 'identity' && encoding !== '')
    throw new Refusal(415, 'The body has an encoding other than gzip.');
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > most) throw tooLarge(most);
  const reading = { most, budget, own: 0 };
  try {
    const bytes = await collect(request.body, reading);
    return await work(packed ? await unpack(bytes, reading) : bytes);
  } finally {
    budget.release(reading.own);
  }
}

function hold(reading: Reading, bytes: number): void {
  reading.budget.add(reading.own, bytes);
  reading.own += bytes;
}

async function collect(body: ReadableStream<Uint8Array>, reading: Reading): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    if (reading.own + chunk.length > reading.most) throw tooLarge(reading.most);
    hold(reading, chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function unpack(bytes: Buffer, reading: Reading): Promise<Buffer> {
  try {
    const unpacked = await unzip(bytes, { maxOutputLength: reading.most });
    hold(reading, unpacked.length);
    return unpacked;
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown;
    const code = (thrown as { readonly code?: string }).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(reading.most);
    throw new Refusal(400, 'The body is not gzip.');
  }
}

function tooLarge(most: number): Refusal {
  return new Refusal(413, `The body is larger than ${most} bytes.`);
}
