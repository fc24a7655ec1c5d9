import { pageOfPermalink } from '@cairn/http-api';
import type { Context } from 'hono';
import type { WrittenAnswer } from './written-answer.js';

/** File of the console, with its headers. */
interface ConsoleFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Request for a file of the console. */
interface FileRequest {
  /** Path without the base. */
  readonly path: string;
  /** True for a browser that unpacks gzip. */
  readonly packed: boolean;
  /** Path below which the service is, such as `/cairn`, or an empty text. */
  readonly base: string;
}

/** Returns a file of the console, or undefined if there is none. */
export type ConsoleFiles = (request: FileRequest) => Promise<ConsoleFile | undefined>;

/** Returns the answer to a browser that asks for a file of the console, or undefined for every other request. */
export async function consoleFile(
  { req }: Context,
  files: ConsoleFiles | undefined,
  base: string,
): Promise<WrittenAnswer | undefined> {
  if (files === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return undefined;
  const page = pageOfPermalink(req.path);
  if (page !== undefined)
    return { status: 302, headers: { location: base + page, 'cache-control': 'no-cache' }, body: null };
  const packed = /\bgzip\b/.test(req.header('accept-encoding') ?? '');
  const found = await files({ path: req.path, packed, base });
  if (found === undefined) return undefined;
  return { status: 200, headers: found.headers, body: req.method === 'HEAD' ? null : found.body };
}
