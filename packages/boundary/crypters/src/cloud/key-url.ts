import { fail } from '@cairn/diagnostics';

/** Key services by the scheme of their URLs [SEC-5]. */
const KEY_SCHEMES = ['awskms', 'azurekeyvault', 'gcpkms', 'hashivault'] as const;
export type KeyScheme = (typeof KEY_SCHEMES)[number];

/** The parts of a key's URL. `path` is host and path joined, without a slash at either end; `text` is the original. */
export interface KeyUrl {
  readonly scheme: KeyScheme;
  readonly path: string;
  readonly parameters: UrlParameters;
  readonly text: string;
}

const FORM = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^?#]*)(?:\?([^#]*))?$/;

/**
 * Parses the URL of a key. It does not use `URL`, which rejects an ARN in the place of the host. Fails with
 * `CAIRN-SECRETS-UNKNOWN-TYPE` for a scheme that this version does not support, and with `CAIRN-KEY-URL` for a text
 * that is not the URL of a key.
 */
export function parseKeyUrl(text: string): KeyUrl {
  const [, schemeText = '', place = '', query = ''] = FORM.exec(text) ?? [];
  if (schemeText === '') return refuseUrl(text, 'it does not have the form scheme://key?parameters');
  const scheme = KEY_SCHEMES.find((known) => known === schemeText.toLowerCase());
  if (scheme === undefined) {
    return fail(
      'CAIRN-SECRETS-UNKNOWN-TYPE',
      `cannot use secrets: no known secrets provider "${schemeText}://"`,
      { hint: `This version supports: passphrase, ${KEY_SCHEMES.map((name) => `${name}://`).join(', ')}.` },
    );
  }
  const path = decoded(text, place).replace(/^\/+|\/+$/g, '');
  if (path === '') return refuseUrl(text, 'it does not name a key');
  return { scheme, path, parameters: new UrlParameters(text, query), text };
}

/** The query of a URL. The code that knows a parameter must take it, so that none is left. */
export class UrlParameters {
  readonly #left = new Map<string, string>();
  readonly #url: string;

  constructor(url: string, query: string) {
    this.#url = url;
    for (const [name, value] of new URLSearchParams(query)) {
      if (this.#left.has(name)) refuseUrl(url, `it gives the parameter "${name}" twice`);
      this.#left.set(name, value);
    }
  }

  /** Takes the value of a parameter, or undefined if it is absent or empty. */
  take(name: string): string | undefined {
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value === '' ? undefined : value;
  }

  /** Takes a parameter that must have one of the values. */
  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    const found = values.find((known) => known === value);
    return found ?? refuseUrl(this.#url, `its "${name}" must be ${values.join(' or ')}, not "${value}"`);
  }

  /** Takes a switch: `true`, `1`, `false` or `0`. */
  flag(name: string): boolean | undefined {
    const value = this.oneOf(name, ['true', '1', 'false', '0']);
    return value === undefined ? undefined : value === 'true' || value === '1';
  }

  /** Takes every parameter whose name begins with the prefix. The results are named without the prefix. */
  prefixed(prefix: string): Readonly<Record<string, string>> {
    const names = [...this.#left.keys()].filter((name) => name.startsWith(prefix));
    return Object.fromEntries(names.map((name) => [name.slice(prefix.length), this.take(name) ?? '']));
  }

  /** Refuses a parameter that was not taken, by name. */
  end(known: readonly string[]): void {
    const [unknown] = this.#left.keys();
    if (unknown === undefined) return;
    const may = known.length === 0 ? 'such a URL has no parameters' : `known are ${known.join(', ')}`;
    refuseUrl(this.#url, `it has the unknown parameter "${unknown}"; ${may}`);
  }
}

/** Fails with `CAIRN-KEY-URL`. */
export function refuseUrl(url: string, reason: string): never {
  return fail('CAIRN-KEY-URL', `cannot use the key ${url}: ${reason}`, {
    hint: 'Write the URL of the key as docs/secrets.md shows it.',
  });
}

function decoded(url: string, place: string): string {
  try {
    return decodeURIComponent(place);
  } catch {
    return refuseUrl(url, 'its %-escapes are malformed');
  }
}
