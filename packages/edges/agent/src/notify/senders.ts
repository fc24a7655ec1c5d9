import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hookSignature, isHookTarget, publicPoster } from '@cairn/http-api/hooks';
import type { PostHook } from '@cairn/http-api/hooks';
import type { NoticeTarget } from '../config/agent-config.js';
import type { NoticeDelivery } from './delivery-rows.js';
import { jsonBody, noticeMessage, slackBody } from './notice-message.js';
import type { NoticeLink } from './notice-message.js';
import type { ApprovalClaims } from '../links/approval-link.js';

/** Time that a mail server has for each answer, in milliseconds. */
const MAIL_MS = 15_000;

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
      ? sendMail(target, delivery, facilities)
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

async function sendMail(
  { address, from, recipients }: NoticeTarget & { readonly kind: 'mail' },
  { id, notice, link, to = recipients }: NoticeDelivery,
  { agent, secretOf, isAllowed, urlOf }: SenderFacilities,
): Promise<string> {
  const url = new URL(secretOf(address));
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const host = await openAddress(name, isAllowed);
  const isSecure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    // Connects to the address that was judged.
    ...{ host, port: Number(url.port === '' ? (isSecure ? 465 : 587) : url.port), secure: isSecure },
    // A password goes over a connection with TLS only, and so does everything else where the server has it.
    requireTLS: !isSecure && user !== '',
    tls: { servername: isIP(name) === 0 ? name : undefined },
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    ...{ connectionTimeout: MAIL_MS, greetingTimeout: MAIL_MS, socketTimeout: MAIL_MS },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  try {
    const { subject, text } = noticeMessage(agent, notice, noticeLink(link, urlOf));
    const sent = await transport.sendMail({
      ...{ from, to: [...to], subject, text },
      // The same delivery has the same id, so that a mailbox can recognise one that came twice.
      messageId: `<${id}@${agent.replace(/[^\w.-]/g, '-')}>`,
    });
    return sent.response;
  } finally {
    transport.close();
  }
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
