import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { Refusal } from '../domain/refusal.js';

const unzip = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(gunzip);

/**
 * Reads the body of a request and unpacks it. Refuses a body that is longer than `most`, packed or unpacked (413), and
 * encodings other than gzip (415).
 */
export async function readBody(request: Request, most: number): Promise<Buffer> {
  if (most === 0 || request.body === null) return Buffer.alloc(0);
  const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  const packed = encoding === 'gzip' || encoding === 'x-gzip';
  if (!packed && encoding !== 'identity' && encoding !== '')
    throw new Refusal(415, 'The body has an encoding other than gzip.');
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > most) throw tooLarge(most);
  const bytes = await collect(request.body, most);
  return packed ? unpack(bytes, most) : bytes;
}

async function collect(body: ReadableStream<Uint8Array>, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function unpack(bytes: Buffer, most: number): Promise<Buffer> {
  try {
    return await unzip(bytes, { maxOutputLength: most });
  } catch (thrown) {
    const code = (thrown as { readonly code?: string }).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(most);
    throw new Refusal(400, 'The body is not gzip.');
  }
}

function tooLarge(most: number): Refusal {
  return new Refusal(413, `The body is larger than ${most} bytes.`);
}
