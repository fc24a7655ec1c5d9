import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { cairnError } from '@cairn/diagnostics';
import type { PostHook, PostedAnswer } from '../calls/hook-sender.js';
import { isHookTarget } from '../domain/hook-targets.js';
import { networksOf } from '../domain/networks.js';

/** Time for an answer, in milliseconds. */
const ANSWER_MS = 10_000;
/** Bytes of an answer that are kept, and of its headers. */
const MOST_BODY = 16 << 10;
const MOST_HEADERS = 8 << 10;

/**
 * Returns the function that posts to webhooks: to public addresses, and to those in the networks that the operator
 * allows. A name is judged by the address that is connected to, so that it cannot change in between. A redirect is an
 * answer, and is not followed. Fails with `CAIRN-USAGE` for a text that is no network.
 */
export function hookPoster(allowed: readonly string[], version: string, answerMs = ANSWER_MS): PostHook {
  const isAllowed = networksOf(allowed, noNetwork);
  const mayConnect = (address: string): boolean => isHookTarget(address, isAllowed);
  return async (url, headers, body) => {
    const target = new URL(url);
    const host = target.hostname.replace(/^\[|\]$/g, '');
    // A host that is an address is connected to without a look-up.
    if (isIP(host) !== 0 && !mayConnect(host)) throw new Error(refusal(host));
    const { request } = target.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const sent = request(target, {
        ...{ method: 'POST', agent: false, lookup: lookupOf(mayConnect) },
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
function lookupOf(mayConnect: (address: string) => boolean): LookupFunction {
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

function refusal(host: string): string {
  return `${host} is not on the public internet. An operator allows its network with --webhooks-to.`;
}

function noNetwork(text: string): Error {
  return cairnError('CAIRN-USAGE', `cannot send webhooks to ${JSON.stringify(text)}: it is no network`, {
    hint: 'Give --webhooks-to an address or a network, for example 10.0.0.0/8.',
  });
}
