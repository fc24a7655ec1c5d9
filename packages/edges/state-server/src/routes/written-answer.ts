import type { RouteReply } from './call.js';

/** Answer as it is written: to a connection, or for the platform. */
export interface WrittenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Returns an answer of JSON. */
export function jsonAnswer(
  value: object,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): WrittenAnswer {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(value) };
}

/** Returns the answer of a handler. */
export function answerOf(reply: RouteReply): WrittenAnswer {
  if ('redirect' in reply)
    return { status: 302, headers: { location: reply.redirect, ...reply.headers }, body: null };
  if ('text' in reply)
    return {
      status: 200,
      headers: { ...JSON_TYPE, ...reply.headers },
      body: reply.text as string | Uint8Array<ArrayBuffer>,
    };
  if ('stream' in reply) return { status: 200, headers: reply.headers, body: reply.stream };
  return jsonAnswer(reply.json, 200, reply.headers);
}
