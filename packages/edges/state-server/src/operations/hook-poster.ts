import { cairnError, messageOf } from '@cairn/diagnostics';
import { recipientsOf, isMailAddress } from '@cairn/http-api';
import { networksOf, publicPoster, sendMail } from '@cairn/http-api/hooks';
import type { PostHook } from '@cairn/http-api/hooks';

/** Mail server of a service, and the address from which its mails come. */
export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password. It is in no answer and no log. */
  readonly server: string;
  readonly from: string;
}

/** Options of {@link hookPoster}. */
interface PosterOptions {
  /** Sends mails. Defaults to none. */
  readonly mail?: MailSettings | undefined;
  readonly answerMs?: number | undefined;
}

/**
 * Returns the function that sends to webhooks: posts to public addresses and to those in the networks that the operator
 * allows, and mails to `mailto` addresses. Fails with `CAIRN-USAGE` for a text that is no network.
 */
export function hookPoster(
  allowed: readonly string[],
  version: string,
  { mail, answerMs }: PosterOptions = {},
): PostHook {
  const post = publicPoster({
    isAllowed: networksOf(allowed, noNetwork),
    version,
    hint: 'An operator allows its network with --webhooks-to.',
    answerMs,
  });
  return (url, headers, body) =>
    isMailAddress(url)
      ? mailHook(mail, url, headers['pulumi-webhook-id'] ?? '', body)
      : post(url, headers, body);
}

/** Sends a body as a mail. The code of the answer is that of the mail server. */
async function mailHook(
  mail: MailSettings | undefined,
  url: string,
  id: string,
  body: string,
): ReturnType<PostHook> {
  if (mail === undefined)
    throw new Error(
      'This service sends no mails. An operator starts it with --mail-from, and with its mail server.',
    );
  const { server, from } = mail;
  const { subject, text } = JSON.parse(body) as { readonly subject: string; readonly text: string };
  const [, domain = 'cairn'] = from.split('@');
  try {
    const answer = await sendMail(server, {
      id: `${id}@${domain}`,
      from,
      to: recipientsOf(url),
      subject,
      text,
    });
    return { code: Number(/^\d{3}/.exec(answer)?.[0] ?? 250), headers: '', body: answer };
  } catch (thrown) {
    const { responseCode: code = 0 } = thrown as { readonly responseCode?: number };
    return { code, headers: '', body: messageOf(thrown) };
  }
}

function noNetwork(text: string): Error {
  return cairnError('CAIRN-USAGE', `cannot send webhooks to ${JSON.stringify(text)}: it is not a network`, {
    hint: 'Give --webhooks-to an address or a network, for example 10.0.0.0/8.',
  });
}
