import type { Context } from 'hono';
import type { WrittenAnswer } from './written-answer.js';

/** File of the console, with its headers. */
interface ConsoleFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the file of the console at a path, packed for a browser that unpacks gzip, or undefined. */
export type ConsoleFiles = (path: string, packed: boolean) => Promise<ConsoleFile | undefined>;

/** Returns the answer to a browser that asks for a file of the console, or undefined for every other request. */
export async function consoleFile(
  { req }: Context,
  files: ConsoleFiles | undefined,
): Promise<WrittenAnswer | undefined> {
  if (files === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return undefined;
  const packed = /\bgzip\b/.test(req.header('accept-encoding') ?? '');
  const found = await files(req.path, packed);
  if (found === undefined) return undefined;
  return { status: 200, headers: found.headers, body: req.method === 'HEAD' ? null : found.body };
}
