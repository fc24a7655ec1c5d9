import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ForgeKind } from '../config/agent-config.js';
import type { ForgeEvent } from '../runs/messages.js';

/** Age above which a comment is not obeyed, in milliseconds. */
const STALE_MS = 3_600_000;

/** Reading of a delivery. `refused`: it is not answered as one of the forge. `ignored`: nothing is to be done. */
type ReadDelivery =
  | { readonly t: 'refused'; readonly status: 400 | 401; readonly why: string }
  | { readonly t: 'ignored'; readonly why: string }
  | { readonly t: 'event'; readonly id: string; readonly event: ForgeEvent };

/**
 * Checks the signature of a delivery, and reads it [AGT-11]. Its id is a digest of the signed body: a replay has the
 * same one, whatever its headers say.
 */
export function readDelivery(
  kind: ForgeKind,
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
  now: Date,
): ReadDelivery {
  if (!isSigned(kind, headers, body, secret))
    return { t: 'refused', status: 401, why: 'the signature of the webhook is missing or wrong' };
  let content: Json;
  try {
    content = JSON.parse(body.toString('utf8')) as Json;
  } catch {
    return { t: 'refused', status: 400, why: 'the body is not JSON' };
  }
  if (typeof content !== 'object' || isMissing(content))
    return { t: 'refused', status: 400, why: 'the body is no JSON object' };
  const event = kind === 'gitlab' ? gitlabEvent(content, now) : hubEvent(eventName(headers), content, now);
  if (typeof event === 'string') return { t: 'ignored', why: event };
  return { t: 'event', id: createHash('sha256').update(body).digest('hex').slice(0, 32), event };
}

/** Any JSON value whose members may be missing. */
type Json = { readonly [key: string]: Json | undefined } & { readonly length?: never };

function isSigned(kind: ForgeKind, headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  if (secret === '') return false;
  // GitLab sends the secret itself; a digest of both makes their lengths the same.
  if (kind === 'gitlab')
    return isSame(digestOf(secret, textOf(headers['x-gitlab-token'])), digestOf(secret, secret));
  const given =
    kind === 'github'
      ? textOf(headers['x-hub-signature-256']).replace(/^sha256=/, '')
      : textOf(headers['x-forgejo-signature'] ?? headers['x-gitea-signature']);
  return isSame(given, digestOf(secret, body));
}

function digestOf(secret: string, content: string | Buffer): string {
  return createHmac('sha256', secret).update(content).digest('hex');
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function eventName(headers: IncomingHttpHeaders): string {
  return textOf(headers['x-github-event'] ?? headers['x-forgejo-event'] ?? headers['x-gitea-event']);
}

/** Reads an event of GitHub or Forgejo. Returns why nothing is to be done, as text. */
function hubEvent(name: string, content: Json, now: Date): ForgeEvent | string {
  switch (name) {
    case 'pull_request':
    case 'pull_request_sync': {
      const number = numberOf(content['pull_request']?.['number'] ?? content['number']);
      return number === undefined ? 'it has no number' : { t: 'pull', number };
    }
    case 'issue_comment': {
      const { issue, comment, action } = content;
      if (textOf(action) !== 'created') return 'only new comments are read';
      if (issue === undefined || isMissing(issue?.['pull_request']))
        return 'the comment is not on a pull request';
      const by = textOf(comment?.['user']?.['login']);
      return commentOf(numberOf(issue['number']), by, comment?.['body'], comment?.['created_at'], now);
    }
    case 'push':
      return pushOf(content['ref']);
    default:
      return `${name === '' ? 'an event without a name' : `the event ${name}`} is not used`;
  }
}

function gitlabEvent(content: Json, now: Date): ForgeEvent | string {
  const { object_kind: kind, object_attributes: facts, merge_request: request, user } = content;
  switch (textOf(kind)) {
    case 'merge_request': {
      const number = numberOf(facts?.['iid']);
      return number === undefined ? 'it has no number' : { t: 'pull', number };
    }
    case 'note': {
      if (isMissing(request)) return 'the comment is not on a merge request';
      const by = textOf(user?.['username']);
      return commentOf(numberOf(request?.['iid']), by, facts?.['note'], facts?.['created_at'], now);
    }
    case 'push':
      return pushOf(content['ref']);
    default:
      return `the event ${JSON.stringify(textOf(kind))} is not used`;
  }
}

function commentOf(
  number: number | undefined,
  by: string,
  text: Json | undefined,
  at: Json | undefined,
  now: Date,
): ForgeEvent | string {
  if (number === undefined || by === '') return 'the comment has no number or no author';
  // GitLab writes `2026-01-01 00:00:00 UTC`.
  const age = now.getTime() - Date.parse(textOf(at).replace(/^(\S+) (\S+) UTC$/, '$1T$2Z'));
  if (!(age < STALE_MS)) return 'the comment is older than an hour';
  return { t: 'comment', number, by, text: textOf(text).slice(0, 10_000) };
}

function pushOf(ref: Json | undefined): ForgeEvent | string {
  const [, branch] = /^refs\/heads\/(.+)$/.exec(textOf(ref)) ?? [];
  return branch === undefined ? 'the push is not to a branch' : { t: 'push', branch };
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function numberOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined;
}
