import type { ServerReply } from '../http-server.js';

/** A refusal for the client, in the form of the JSON API. */
export class GcsRefusal extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** Returns a JSON answer. */
export function json(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): ServerReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body: JSON.stringify(body),
  };
}

/** Returns the answer for a refusal. Media downloads get the bare sentence, as from the real service. */
export function refusalReply({ status, reason, message }: GcsRefusal, media: boolean): ServerReply {
  if (media) return { status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: message };
  return json(
    { error: { code: status, message, errors: [{ message, domain: 'global', reason }] } },
    status,
    status === 401 ? { 'www-authenticate': 'Bearer realm="https://accounts.google.com/"' } : {},
  );
}
