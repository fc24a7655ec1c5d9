import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { isHookTarget } from './hook-targets.js';

/** Time for an answer, in milliseconds. */
const ANSWER_MS = 10_000;
/** Bytes of an answer that are kept, and of its headers. */
const MOST_BODY = 16 << 10;
const MOST_HEADERS = 8 << 10;

/** Answer to something that was posted. Headers are lines, and a long body is cut. */
interface PostedAnswer {
  readonly code: number;
  readonly headers: string;
  readonly body: string;
}

/** Posts a body to an address. Fails if there is no answer, with a message for people. */
export type PostHook = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<PostedAnswer>;

/** Options of {@link publicPoster}. */
interface PosterOptions {
  /** Tells if an address that is not public may be connected to. */
  readonly isAllowed: (address: string) => boolean;
  /** Version of Cairn. */
  readonly version: string;
  /** Sentence about how an address is allowed. */
  readonly hint: string;
  /** Time for an answer, in milliseconds. Defaults to 10 seconds. */
  readonly answerMs?: number | undefined;
}

/**
 * Returns the function that posts to public addresses, and to those that are allowed. A name is judged by the address
 * that is connected to, so that it cannot change in between. A redirect is an answer, and is not followed.
 */
export function publicPoster({ isAllowed, version, hint, answerMs = ANSWER_MS }: PosterOptions): PostHook {
  const mayConnect = (address: string): boolean => isHookTarget(address, isAllowed);
  const refusal = (host: string): string => `${host} is not on the public internet. ${hint}`;
  return async (url, headers, body) => {
    const target = new URL(url);
    const host = target.hostname.replace(/^\[|\]$/g, '');
    // A host that is an address is connected to without a look-up.
    if (isIP(host) !== 0 && !mayConnect(host)) throw new Error(refusal(host));
    const { request } = target.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const sent = request(target, {
        ...{ method: 'POST', agent: false, lookup: lookupOf(mayConnect, refusal) },
        maxHeaderSize: MOST_HEADERS,
        headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': `cairn/${version}` },
        signal: AbortSignal.timeout(answerMs),
      });
      sent.once('error', (fault) =>
        reject(
          fault.name === 'AbortError' ? new Error(`There was no answer in ${answerMs / 1000} s.`) : fault,
        ),
      );
      sent.once('response', (response) => void answerOf(response).then(resolve, reject));
      sent.end(body);
    });
  };
}

/** Reads an answer as far as it is kept. */
async function answerOf(response: http.IncomingMessage): Promise<PostedAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MOST_BODY) break;
  }
  response.destroy();
  const headers: string[] = [];
  const { rawHeaders } = response;
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  const body = Buffer.concat(chunks).subarray(0, MOST_BODY).toString('utf8');
  return { code: response.statusCode ?? 0, headers: headers.join('\n'), body };
}

/** Looks up a name, and fails for one without an address that may be connected to. */
function lookupOf(
  mayConnect: (address: string) => boolean,
  refusal: (host: string) => string,
): LookupFunction {
  return (name, options, done) =>
    lookup(name, { ...options, all: true }, (fault, found) => {
      if (fault !== null) return done(fault, []);
      const open = found.filter(({ address }) => mayConnect(address));
      const [first] = open;
      if (first === undefined) return done(new Error(refusal(name)), []);
      if (options.all === true) return done(null, open);
      return done(null, first.address, first.family);
    });
}
