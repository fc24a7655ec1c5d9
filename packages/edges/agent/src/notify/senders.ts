import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hookSignature, isHookTarget, publicPoster, sendMail } from '@cairn/http-api/hooks';
import type { ApprovalClaims } from '@cairn/changes-daemon';
import type { PostHook } from '@cairn/http-api/hooks';
import type { NoticeTarget } from '../config/agent-config.js';
import type { NoticeDelivery } from './delivery-rows.js';
import { jsonBody, noticeMessage, slackBody } from './notice-message.js';
import type { NoticeLink } from './notice-message.js';

/** Sends a delivery to its target. Returns the answer, and rejects if the target did not take it. */
export type SendNotice = (target: NoticeTarget, delivery: NoticeDelivery) => Promise<string>;

/** Facilities for sending. */
interface SenderFacilities {
  /** Name of the agent. */
  readonly agent: string;
  readonly version: string;
  /** Value of a variable of the agent's environment. */
  readonly secretOf: (variable: string) => string;
  /** Tells if the file of the agent allows an address that is not public. */
  readonly isAllowed: (address: string) => boolean;
  /** Returns the address of a link that approves. Defaults to none. */
  readonly urlOf?: ((claims: ApprovalClaims) => string) | undefined;
}

/** Returns the function that sends notices. It follows no redirect and connects to no private address. */
export function noticeSender(facilities: SenderFacilities): SendNotice {
  const post = publicPoster({
    isAllowed: facilities.isAllowed,
    version: facilities.version,
    hint: 'Allow its network with `networks` in the file.',
  });
  return (target, delivery) =>
    target.kind === 'mail'
      ? mailNotice(target, delivery, facilities)
      : postNotice(post, target, delivery, facilities);
}

async function postNotice(
  post: PostHook,
  target: NoticeTarget & { readonly kind: 'webhook' | 'slack' },
  { id, notice, link }: NoticeDelivery,
  { agent, secretOf, urlOf }: SenderFacilities,
): Promise<string> {
  const body =
    target.kind === 'slack' ? slackBody(agent, notice) : jsonBody(agent, notice, noticeLink(link, urlOf));
  const signed = target.kind === 'webhook' && target.secret !== undefined ? target.secret : undefined;
  const { code } = await post(
    secretOf(target.address),
    {
      'content-type': 'application/json',
      'cairn-delivery': id,
      'cairn-notice': notice.type,
      ...(signed !== undefined && { 'cairn-signature': `sha256=${hookSignature(secretOf(signed), body)}` }),
    },
    body,
  );
  if (code >= 200 && code < 300) return String(code);
  throw new Error(`it answered ${code}${code >= 300 && code < 400 ? ': redirects are not followed' : ''}`);
}

async function mailNotice(
  { address, from, recipients }: NoticeTarget & { readonly kind: 'mail' },
  { id, notice, link, to = recipients }: NoticeDelivery,
  { agent, secretOf, isAllowed, urlOf }: SenderFacilities,
): Promise<string> {
  const url = secretOf(address);
  const host = await openAddress(new URL(url).hostname.replace(/^\[|\]$/g, ''), isAllowed);
  const { subject, text } = noticeMessage(agent, notice, noticeLink(link, urlOf));
  // The address that was judged is connected to.
  return sendMail(url, { id: `${id}@${agent}`, from, to, subject, text }, host);
}

function noticeLink(
  claims: ApprovalClaims | undefined,
  urlOf: SenderFacilities['urlOf'],
): NoticeLink | undefined {
  if (claims === undefined || urlOf === undefined) return undefined;
  return { url: urlOf(claims), person: claims.person, until: claims.until };
}

/** Returns an address of a host to which the agent may connect. */
async function openAddress(host: string, isAllowed: (address: string) => boolean): Promise<string> {
  const found = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }];
  const open = found.find(({ address }) => isHookTarget(address, isAllowed));
  if (open === undefined)
    throw new Error(
      `${host} is not on the public internet. Allow its network with \`networks\` in the file.`,
    );
  return open.address;
}
