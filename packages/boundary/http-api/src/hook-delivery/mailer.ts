/** Time that a mail server has for each answer, in milliseconds. */
const MAIL_MS = 15_000;

/** Mail with a plain text. */
interface Mail {
  /** Identifies the mail, so that a mailbox can recognise one that came twice. */
  readonly id: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/**
 * Sends a mail by the server of an `smtp` or `smtps` address, and returns its answer. `host` is the address to connect
 * to; it defaults to that of the URL. Rejects if the server does not take the mail.
 */
export async function sendMail(address: string, mail: Mail, host?: string): Promise<string> {
  const url = new URL(address);
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const isSecure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...{
      host: host ?? name,
      port: Number(url.port === '' ? (isSecure ? 465 : 587) : url.port),
      secure: isSecure,
    },
    // A password goes over a connection with TLS only, and so does everything else where the server has it.
    requireTLS: !isSecure && user !== '',
    tls: { servername: /[a-z]/i.test(name) && !name.includes(':') ? name : undefined },
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    ...{ connectionTimeout: MAIL_MS, greetingTimeout: MAIL_MS, socketTimeout: MAIL_MS },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  try {
    const { id, from, to, subject, text } = mail;
    const sent = await transport.sendMail({
      ...{ from, to: [...to], subject, text },
      messageId: `<${id.replace(/[^\w.@-]/g, '-')}>`,
    });
    return sent.response;
  } finally {
    transport.close();
  }
}

/** Returns a text as one line, so that a value can make no line or header of its own. */
export function oneLine(text: string, most = 1000): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, most);
}
