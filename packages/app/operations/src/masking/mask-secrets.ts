import type { Crypter } from '@cairn/crypters';
import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineEvent, EngineResult } from '@cairn/engine';
import type { ResourceEntry } from '@cairn/state';
import { SecretTexts } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { Mask } from '../ports.js';

/**
 * Secrets of an operation [SEC-8]: those of the configuration and, as they become known, those of the state and of
 * resources. Lives for one operation.
 */
export class SecretMask {
  readonly #texts = new SecretTexts();

  /** Returns the text with `[secret]` in place of every secret known so far. */
  readonly mask = this.#texts.mask;

  /** Adds secrets of the configuration. */
  configured(texts: readonly string[]): void {
    for (const text of texts) this.#texts.addText(text);
  }

  /** Adds the secrets in properties that pass by. */
  properties(map: PropertyMap | undefined): void {
    this.#texts.addMap(map);
  }

  /** Adds a plaintext in the form for crypters: the JSON text of a value, or the text of a configuration value. */
  sealed(plaintext: string): void {
    let parsed: unknown = plaintext;
    try {
      parsed = JSON.parse(plaintext);
    } catch {
      // A text of the configuration.
    }
    this.#texts.addJson(parsed);
  }

  /**
   * Returns the crypter with every text that it opens or seals added. It is for values only: whole documents are not
   * secrets.
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
}

/**
 * Returns the event with secrets masked in texts of a program, a provider or a policy pack. Values carry their own mark
 * and remain as they are.
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
  const old = maskEntry(step.old, mask);
  const entry = maskEntry(step.new, mask);
  return old === step.old && entry === step.new ? event : { ...event, step: { ...step, old, new: entry } };
}

/** Masks errors of an unfinished creation, which are kept in the provider's words. */
export function maskEntry<E extends ResourceEntry | undefined>(entry: E, mask: Mask): E {
  return entry === undefined || entry.initErrors.length === 0
    ? entry
    : { ...entry, initErrors: entry.initErrors.map(mask) };
}

/** Masks secrets in the texts of a diagnostic. */
export function maskDiagnostic(diagnostic: Diagnostic, mask: Mask): Diagnostic {
  return {
    ...diagnostic,
    summary: mask(diagnostic.summary),
    ...(diagnostic.common === undefined ? {} : { common: mask(diagnostic.common) }),
    ...(diagnostic.causes === undefined ? {} : { causes: diagnostic.causes.map(mask) }),
    ...(diagnostic.hint === undefined ? {} : { hint: mask(diagnostic.hint) }),
  };
}

/** Returns the result with secrets masked in others' texts about steps; its values remain as they are. */
export function maskResult(result: EngineResult, mask: Mask): EngineResult {
  return {
    ...result,
    diagnostics: result.diagnostics.map((diagnostic) => maskDiagnostic(diagnostic, mask)),
    inDoubt: result.inDoubt.map((step) => ({ ...step, cause: mask(step.cause) })),
    waiting: result.waiting.map((task) => ({ ...task, why: mask(task.why) })),
  };
}
