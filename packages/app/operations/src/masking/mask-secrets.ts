import type { Crypter } from '@cairn/crypters';
import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineEvent, OperationResult } from '@cairn/engine';
import type { ResourceEntry } from '@cairn/state';
import { SecretTexts } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';

/**
 * Secrets that an operation deals with [SEC-8]: those of the configuration and, as they become known, those of the
 * state and of resources. Lives for one operation.
 */
export class SecretMask {
  readonly #texts = new SecretTexts();

  /** Returns the text with `[secret]` in place of every secret known so far. */
  readonly mask = this.#texts.mask;

  /** Adds secrets of the configuration. */
  configured(texts: readonly string[]): void {
    for (const text of texts) this.#texts.addText(text);
  }

  /** Adds what is secret in properties that pass by. */
  properties(map: PropertyMap | undefined): void {
    this.#texts.addMap(map);
  }

  /** Adds a plaintext as crypters get it: the JSON text of a value, or the text of a configuration value. */
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
   * Returns the crypter with every text that it opens or seals added. It is for values only: whole documents are no
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
    ...(diagnostic.common === undefined ? {} : { common: mask(diagnostic.common) }),
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
