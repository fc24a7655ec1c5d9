import { SecretIndex } from './secret-index.js';
import { kindOf } from './value.js';
import type {
  Archive,
  Asset,
  OutputValue,
  PropertyArray,
  PropertyMap,
  PropertyValue,
  Secret,
} from './value.js';

/** Length of the shortest secret that is masked. Shorter ones occur in too many words. */
const SHORTEST = 3;
/** Length of the shortest text or number masked inside a secret value, whose parts may not be secret by themselves. */
const SHORTEST_VALUE = 4;
/** Words and numbers that occur in any message. They are masked only as a whole value. */
const COMMON = /^(?:\p{L}{1,7}|[-+]?[\d.]{1,5})$/u;
/** Texts that are never secret. */
const TRIVIAL = /^(?:true|false|null|none|undefined)$/i;
/** Shortest line or form of a secret that is masked. Shorter ones may be anything. */
const SHORTEST_PART = 8;
/** Longest text whose quoted forms are masked. Longer texts are never quoted whole; only their lines are masked. */
const LONGEST_QUOTED = 1 << 16;

/**
 * Masks secrets in texts that programs, providers and policy packs write. This is the one rule for the texts that count
 * as secret: texts and numbers inside secret values, their lines, and their forms in JSON, URLs and base64. Secrets may
 * be added at any time.
 */
// [SEC-8]
export class SecretTexts {
  readonly #index = new SecretIndex();
  readonly #added = new Set<string>();
  /** Secrets already walked. Marked values are frozen, and the same ones come again with every event and call. */
  readonly #walked = new WeakSet<object>();
  readonly #everywhere: boolean;

  /** `everywhere`: common words and short numbers are masked wherever they occur. Defaults to false. */
  constructor({ everywhere = false }: { readonly everywhere?: boolean } = {}) {
    this.#everywhere = everywhere;
  }

  /** Returns the text with `[secret]` in place of every secret. */
  readonly mask = this.#index.mask;

  /** Adds a text that is a secret as a whole, such as a value of the configuration. */
  addText(text: string): void {
    this.#add(text, SHORTEST);
  }

  /** Adds the secrets in a map. Costs a walk over values not walked before. */
  addMap(map: PropertyMap | undefined): void {
    if (map !== undefined) this.#walk(map, false);
  }

  /** Adds the texts and numbers of a JSON value that is a secret as a whole. */
  addJson(json: unknown): void {
    if (typeof json === 'string' || typeof json === 'number') this.#addValue(String(json));
    else if (typeof json === 'object' && json !== null)
      for (const item of Object.values(json)) this.addJson(item);
  }

  #addValue(text: string): void {
    if (!TRIVIAL.test(text.trim())) this.#add(text, this.#everywhere ? SHORTEST : SHORTEST_VALUE);
  }

  #add(secret: string, shortest: number): void {
    const text = secret.trim();
    if (text.length < shortest || this.#added.has(text)) return;
    this.#added.add(text);
    for (const form of [text, ...forms(text)]) this.#index.add(form, !this.#everywhere && COMMON.test(form));
  }

  #walk(value: PropertyValue, isSecret: boolean): void {
    switch (kindOf(value)) {
      case 'string':
      case 'number':
        if (isSecret) this.#addValue(String(value));
        return;
      case 'array':
        for (let at = 0; at < (value as PropertyArray).length; at++)
          this.#walk((value as PropertyArray)[at] as PropertyValue, isSecret);
        return;
      case 'object':
        for (const key in value as PropertyMap)
          this.#walk((value as PropertyMap)[key] as PropertyValue, isSecret);
        return;
      case 'secret':
        if (this.#walked.has(value as Secret)) return;
        this.#walked.add(value as Secret);
        return this.#walk((value as Secret).value, true);
      case 'output': {
        const output = value as OutputValue;
        if (output.value !== undefined) this.#walk(output.value, isSecret || output.secret);
        return;
      }
      case 'asset':
        if (isSecret) this.#addValue((value as Asset).text ?? '');
        return;
      case 'archive':
        for (const member of Object.values((value as Archive).assets ?? {})) this.#walk(member, isSecret);
        return;
      default:
    }
  }
}

/**
 * Returns a function that masks the secrets of one call's properties, common words included. The maps are walked at its
 * first call.
 */
export function secretMask(maps: readonly (PropertyMap | undefined)[]): (text: string) => string {
  let texts: SecretTexts | undefined;
  return (text) => {
    if (texts === undefined) {
      texts = new SecretTexts({ everywhere: true });
      for (const map of maps) texts.addMap(map);
    }
    return texts.mask(text);
  };
}

/** Returns the lines of a secret, which are shown one by one, and its forms in JSON, URLs and base64. */
function forms(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const parts = secret.length > LONGEST_QUOTED ? lines : [...lines, ...quotedForms(secret)];
  return parts.filter((part) => part.length >= SHORTEST_PART);
}

function quotedForms(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd')),
    Buffer.from(secret).toString('base64'),
  ];
}
