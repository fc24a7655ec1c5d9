import { randomUUID } from 'node:crypto';
import type { ServerReply, ServerRequest } from '../http-server.js';
import type { GcsObjects, ObjectMetadata } from './gcs-objects.js';
import { describeObject } from './gcs-objects.js';
import { GcsRefusal, json } from './gcs-replies.js';

interface Session {
  readonly bucket: string;
  readonly name: string;
  readonly said: ObjectMetadata;
  readonly query: URLSearchParams;
  bytes: Buffer;
}

/** The three kinds of upload of the JSON API: `media`, `multipart`, and `resumable` in one or several pieces. */
export class GcsUploads {
  readonly #sessions = new Map<string, Session>();
  readonly #objects: GcsObjects;

  constructor(objects: GcsObjects) {
    this.#objects = objects;
  }

  /** Answers a request below `/upload/storage/v1/b/<bucket>/o`. */
  answer(bucket: string, request: ServerRequest): ServerReply {
    const query = request.url.searchParams;
    const id = query.get('upload_id');
    if (request.method === 'PUT' && id !== null) return this.#proceed(id, request);
    const kind = query.get('uploadType');
    if (request.method !== 'POST') throw new GcsRefusal(405, 'methodNotAllowed', 'Method Not Allowed');
    if (kind === 'media') {
      const said = { contentType: request.headers['content-type'] ?? 'application/octet-stream' };
      return this.#write(bucket, nameOf(query, {}), request.body, said, query);
    }
    if (kind === 'multipart') {
      const { said, bytes } = readMultipart(request);
      return this.#write(bucket, nameOf(query, said), bytes, said, query);
    }
    if (kind === 'resumable') return this.#begin(bucket, request);
    throw new GcsRefusal(400, 'invalid', `Invalid upload type: ${String(kind)}`);
  }

  #begin(bucket: string, request: ServerRequest): ServerReply {
    const query = request.url.searchParams;
    const said = request.body.length === 0 ? {} : readMetadata(request.body);
    this.#objects.bucket(bucket);
    const id = randomUUID();
    this.#sessions.set(id, { bucket, name: nameOf(query, said), said, query, bytes: Buffer.alloc(0) });
    const location = new URL(request.url);
    location.searchParams.set('upload_id', id);
    return { status: 200, headers: { location: location.href } };
  }

  #proceed(id: string, request: ServerRequest): ServerReply {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new GcsRefusal(404, 'notFound', 'Upload session not found.');
    const range = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(request.headers['content-range'] ?? '');
    const start = Number(range?.[1] ?? session.bytes.length);
    if (start > session.bytes.length) throw new GcsRefusal(503, 'backendError', 'A piece is missing.');
    session.bytes = Buffer.concat([session.bytes.subarray(0, start), request.body]);
    const total = range === null ? session.bytes.length : Number(range[3]);
    if (session.bytes.length !== total) return this.#pieceTaken(session);
    this.#sessions.delete(id);
    return this.#write(session.bucket, session.name, session.bytes, session.said, session.query);
  }

  #pieceTaken({ bytes }: Session): ServerReply {
    return { status: 308, headers: bytes.length === 0 ? {} : { range: `bytes=0-${bytes.length - 1}` } };
  }

  #write(
    bucket: string,
    name: string,
    bytes: Buffer,
    said: ObjectMetadata,
    query: URLSearchParams,
  ): ServerReply {
    return json(describeObject(this.#objects.write(bucket, name, bytes, said, query)));
  }
}

function nameOf(query: URLSearchParams, said: ObjectMetadata): string {
  const name = query.get('name') ?? said.name;
  if (name === undefined || name === '') throw new GcsRefusal(400, 'required', 'Required parameter: name');
  return name;
}

function readMetadata(text: Buffer): ObjectMetadata {
  try {
    return JSON.parse(text.toString('utf8')) as ObjectMetadata;
  } catch {
    throw new GcsRefusal(400, 'parseError', 'Parse Error');
  }
}

/** Reads two parts: the metadata in JSON and the bytes. */
function readMultipart({ headers, body }: ServerRequest): { said: ObjectMetadata; bytes: Buffer } {
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw new GcsRefusal(400, 'badRequest', 'Missing multipart boundary.');
  const [metadata, media] = splitParts(body, boundary);
  if (metadata === undefined || media === undefined)
    throw new GcsRefusal(400, 'badRequest', 'Malformed multipart body.');
  const said = readMetadata(metadata.content);
  return { said: { ...said, contentType: said.contentType ?? media.type }, bytes: media.content };
}

function splitParts(body: Buffer, boundary: string): { type: string; content: Buffer }[] {
  const mark = Buffer.from(`--${boundary}`);
  const parts: { type: string; content: Buffer }[] = [];
  let start = body.indexOf(mark);
  for (;;) {
    const end = start < 0 ? -1 : body.indexOf(Buffer.concat([Buffer.from('\r\n'), mark]), start);
    if (end < 0) return parts;
    const head = body.indexOf('\r\n\r\n', start);
    const type = /content-type: *([^\r\n]+)/i.exec(body.subarray(start, head).toString('latin1'))?.[1];
    parts.push({ type: type ?? 'application/octet-stream', content: body.subarray(head + 4, end) });
    start = end + 2;
  }
}
