import type { Crypter } from '@cairn/crypters';
import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineEvent, OperationResult } from '@cairn/engine';
import type { ResourceEntry } from '@cairn/state';
import { kindOf } from '@cairn/values';
import type {
  Archive,
  Asset,
  OutputValue,
  PropertyArray,
  PropertyMap,
  PropertyValue,
  Secret,
} from '@cairn/values';
import { SecretIndex } from './secret-index.js';

/** Shorter secrets are in too many words to be told from them. */
const SHORTEST = 3;
/** What is inside secret values is chosen by nobody for being secret: a little more is asked of it. */
const SHORTEST_VALUE = 4;
/** Letters that may be a word of any message: masked where they are a whole value, so that no word is hidden. */
const SHORT_WORD = /^\p{L}{1,7}$/u;
/** Texts that are in everything, and numbers as short as ports. */
const TRIVIAL = /^(?:true|false|null|none|undefined|[-+]?[\d.]{1,5})$/i;

/** Lines and disguises of a secret that are shorter may be anything. */
const SHORTEST_PART = 8;
/** Nobody quotes a longer text whole; its lines are looked for all the same. */
const LONGEST_DISGUISED = 1 << 16;

/**
 * The secrets that an operation has to do with, for taking them out of what programs, providers and policy packs say:
 * those of the configuration, and, as they become known, those of the state and of resources. Live for one operation.
 */
export class SecretMask {
  readonly #index = new SecretIndex();
  readonly #noted = new Set<string>();
  /** Marked values are frozen, and the same ones come again with every event and call. */
  readonly #seen = new WeakSet<object>();

  /** Puts `[secret]` where a secret stands in a text, as it is or in a form that messages give to texts. */
  readonly mask = this.#index.mask;

  /** Notes secrets of the configuration. */
  configured(texts: readonly string[]): void {
    for (const text of texts) this.#note(text, SHORTEST);
  }

  /** Notes what is secret in properties that pass by. Costs a walk over what was not seen before. */
  properties(map: PropertyMap | undefined): void {
    if (map !== undefined) this.#walk(map, false);
  }

  /** Notes the text of a secret as crypters get it: of a value the JSON text, of configuration the text itself. */
  sealed(plaintext: string): void {
    let parsed: unknown = plaintext;
    try {
      parsed = JSON.parse(plaintext);
    } catch {
      // A text of the configuration.
    }
    this.#texts(parsed);
  }

  /**
   * The crypter, each text that it opens or seals noted: it is for values; whole documents, whose texts are no secrets,
   * go past it.
   */
  hearing(crypter: Crypter): Crypter {
    return {
      encrypt: (plaintext, identity) => {
        this.sealed(plaintext);
        return crypter.encrypt(plaintext, identity);
      },
      decrypt: (ciphertext) => {
        const plaintext = crypter.decrypt(ciphertext);
        this.sealed(plaintext);
        return plaintext;
      },
    };
  }

  #note(secret: string, shortest: number): void {
    const text = secret.trim();
    if (text.length < shortest || this.#noted.has(text)) return;
    this.#noted.add(text);
    for (const form of [text, ...disguises(text)]) this.#index.add(form, SHORT_WORD.test(form));
  }

  #value(text: string): void {
    if (!TRIVIAL.test(text.trim())) this.#note(text, SHORTEST_VALUE);
  }

  /** Every text of a JSON value. */
  #texts(json: unknown): void {
    if (typeof json === 'string') this.#value(json);
    else if (typeof json === 'object' && json !== null)
      for (const item of Object.values(json)) this.#texts(item);
  }

  #walk(value: PropertyValue, secret: boolean): void {
    switch (kindOf(value)) {
      case 'string':
        if (secret) this.#value(value as string);
        return;
      case 'array':
        for (const item of value as PropertyArray) this.#walk(item, secret);
        return;
      case 'object':
        for (const key of Object.keys(value as PropertyMap))
          this.#walk((value as PropertyMap)[key] as PropertyValue, secret);
        return;
      case 'secret':
        if (this.#seen.has(value as Secret)) return;
        this.#seen.add(value as Secret);
        return this.#walk((value as Secret).value, true);
      case 'output': {
        const output = value as OutputValue;
        if (output.value !== undefined) this.#walk(output.value, secret || output.secret);
        return;
      }
      case 'asset':
        if (secret) this.#value((value as Asset).text ?? '');
        return;
      case 'archive':
        for (const member of Object.values((value as Archive).assets ?? {})) this.#walk(member, secret);
        return;
      default:
    }
  }
}

/** A secret's lines, which are shown one by one, and what JSON, URLs and base64 make of it. */
function disguises(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const parts = secret.length > LONGEST_DISGUISED ? lines : [...lines, ...quotedForms(secret)];
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

/** Takes secrets out of a text. */
export type Mask = (text: string) => string;

/**
 * The event with secrets masked in what a program, a provider or a policy pack wrote; values carry their own mark and
 * are left alone.
 */
export function maskEvent(event: EngineEvent, mask: Mask): EngineEvent {
  if (event.t === 'program-output') return { ...event, text: mask(event.text) };
  if (event.t === 'diagnostic') return { ...event, diagnostic: maskDiagnostic(event.diagnostic, mask) };
  if (event.t === 'policy-violation') {
    const { violation } = event;
    return { ...event, violation: { ...violation, message: mask(violation.message) } };
  }
  if (!('step' in event)) return event;
  const { step } = event;
  const [old, entry] = [maskEntry(step.old, mask), maskEntry(step.new, mask)];
  return old === step.old && entry === step.new ? event : { ...event, step: { ...step, old, new: entry } };
}

/** Errors of a creation that was not finished are kept in the provider's words. */
function maskEntry(entry: ResourceEntry | undefined, mask: Mask): ResourceEntry | undefined {
  return entry === undefined || entry.initErrors.length === 0
    ? entry
    : { ...entry, initErrors: entry.initErrors.map(mask) };
}

/** A diagnostic with secrets masked in its texts. */
export function maskDiagnostic(diagnostic: Diagnostic, mask: Mask): Diagnostic {
  return {
    ...diagnostic,
    summary: mask(diagnostic.summary),
    ...(diagnostic.causes === undefined ? {} : { causes: diagnostic.causes.map(mask) }),
    ...(diagnostic.hint === undefined ? {} : { hint: mask(diagnostic.hint) }),
  };
}

/** The result with secrets masked in what others said of steps; its values are left alone. */
export function maskResult(result: OperationResult, mask: Mask): OperationResult {
  return {
    ...result,
    diagnostics: result.diagnostics.map((diagnostic) => maskDiagnostic(diagnostic, mask)),
    inDoubt: result.inDoubt.map((step) => ({ ...step, cause: mask(step.cause) })),
    waiting: result.waiting.map((task) => ({ ...task, why: mask(task.why) })),
  };
}
