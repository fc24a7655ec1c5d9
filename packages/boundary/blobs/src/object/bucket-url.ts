import { fail } from '@cairn/diagnostics';

/** Content of a bucket's address. `prefix` is the prefix of every object name, empty or ending in `/` [STORE-1]. */
export interface BucketAddress {
  readonly scheme: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly params: URLSearchParams;
}

/**
 * Parses `<scheme>://<bucket>[/<prefix>][?parameters]`. Fails with `CAIRN-BACKEND-URL`; no message shows the part
 * before an `@`.
 */
export function parseBucketUrl(url: string): BucketAddress {
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?$/.exec(url);
  if (parts === null)
    return refuseBucketUrl(url, 'it is not an address', 'Write scheme://bucket/path?name=value.');
  const [, scheme = '', host = '', path = '', query = ''] = parts;
  if (host.includes('@')) {
    return refuseBucketUrl(
      url,
      'it has a user before the bucket',
      'Credentials do not belong in the address: give them in the environment.',
    );
  }
  const bucket = decoded(host, url);
  if (bucket === '') return refuseBucketUrl(url, 'it does not name a bucket', `Write ${scheme}://BUCKET.`);
  const names = decoded(path, url)
    .split('/')
    .filter((name) => name !== '');
  const prefix = names.length === 0 ? '' : `${names.join('/')}/`;
  return { scheme, bucket, prefix, params: new URLSearchParams(query) };
}

/** Returns why a parameter's value cannot be accepted, or undefined if it can. */
export type ParameterRule = (value: string) => string | undefined;

/** Fails with `CAIRN-BACKEND-URL`, naming the parameter, if one is unknown, given twice, or refused by its rule. */
export function checkBucketParameters(
  url: string,
  { scheme, params }: BucketAddress,
  rules: Readonly<Record<string, ParameterRule>>,
): void {
  for (const name of new Set(params.keys())) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      refuseBucketUrl(
        url,
        `unknown parameter "${name}"`,
        `Addresses with ${scheme}:// take ${Object.keys(rules).join(', ')}.`,
      );
    }
    const values = params.getAll(name);
    if (values.length > 1) refuseBucketUrl(url, `parameter "${name}" is given twice`, 'Give it once.');
    const reason = rule(values[0] ?? '');
    if (reason !== undefined)
      refuseBucketUrl(url, `parameter "${name}" cannot be "${values[0]}"`, `${name}: ${reason}.`);
  }
}

/** Accepts booleans in the forms of the other tool's driver. */
export const isBooleanText: ParameterRule = (value) =>
  /^(1|0|t|f|true|false)$/i.test(value) ? undefined : 'true or false';

/** Returns true if a boolean parameter is given and true. */
export function isTrueText(value: string | null): boolean {
  return value !== null && /^(1|t|true)$/i.test(value);
}

/** Accepts any non-empty text. */
export const isGivenText: ParameterRule = (value) => (value === '' ? 'it needs a value' : undefined);

/**
 * Names of parameters whose values must not be shown, whether or not an address accepts them: a pasted signed link has
 * them too.
 */
const SECRET_NAME = /^(sig|signature|.*(token|secret|password|access_?key|account_?key|credentials?))$/i;

/** Returns the address without anything that may be a password, in the form that every message shows. */
export function maskedUrl(url: string): string {
  return url
    .replace(/\/\/[^/@]*@/g, '//****:****@')
    .replace(/([?&])([^=&#]*)=[^&#]*/g, (whole: string, mark: string, name: string) =>
      SECRET_NAME.test(name) ? `${mark}${name}=****` : whole,
    );
}

/** Fails with `CAIRN-BACKEND-URL`. */
export function refuseBucketUrl(url: string, reason: string, hint: string): never {
  return fail('CAIRN-BACKEND-URL', `cannot open "${maskedUrl(url)}": ${reason}`, { hint });
}

function decoded(text: string, url: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuseBucketUrl(url, 'it has a broken % escape', 'Write a literal % as %25.');
  }
}
