const MASK = '[secret]';
/** Shorter values are too likely to be parts of other words. */
const SHORTEST = 6;
const SECRET_NAME = /TOKEN|SECRET|PASS|KEY|CREDENTIAL|AUTH/i;

/** Returns the values of an environment that look secret, by the names of their variables. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= SHORTEST && SECRET_NAME.test(name) ? [value] : [],
  );
}

/**
 * Removes secrets from a stream of texts, also those that arrive in pieces. It keeps back an end that may be the
 * beginning of a secret; {@link SecretFilter.end} returns it.
 */
export class SecretFilter {
  readonly #secrets: readonly string[];
  #kept = '';

  constructor(secrets: readonly string[]) {
    this.#secrets = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  }

  /** Returns the text that can be shown. */
  pass(text: string): string {
    const masked = this.#masked(this.#kept + text);
    const keep = this.#beginning(masked);
    this.#kept = masked.slice(masked.length - keep);
    return masked.slice(0, masked.length - keep);
  }

  /** Returns what was kept back. */
  end(): string {
    const rest = this.#kept;
    this.#kept = '';
    return rest;
  }

  #masked(text: string): string {
    return this.#secrets.reduce((shown, secret) => shown.replaceAll(secret, MASK), text);
  }

  /** Returns the length of the longest end that a secret begins with. */
  #beginning(text: string): number {
    let longest = 0;
    for (const secret of this.#secrets)
      for (let length = Math.min(secret.length - 1, text.length); length > longest; length -= 1)
        if (text.endsWith(secret.slice(0, length))) longest = length;
    return longest;
  }
}
