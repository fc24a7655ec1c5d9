/** Token that a caller sent, and the scheme of its header in lower case. */
interface Credentials {
  readonly scheme: string;
  /** Empty if there is none. */
  readonly token: string;
}

/**
 * Returns the token in the value of an Authorization header. With the scheme `Basic`, which Terraform sends, the token
 * is the password, and the name of the user may be any.
 */
export function credentialsIn(header: string | null): Credentials {
  const [word = '', text = '', more] = (header ?? '').split(' ');
  const scheme = word.toLowerCase();
  if (more !== undefined) return { scheme, token: '' };
  return { scheme, token: scheme === 'basic' ? passwordIn(text) : text };
}

function passwordIn(base64: string): string {
  const pair = Buffer.from(base64, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? '' : pair.slice(colon + 1);
}
