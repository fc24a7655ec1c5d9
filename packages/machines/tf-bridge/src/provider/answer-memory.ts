import { createHash } from 'node:crypto';
import { isWhollyKnown } from '@cairn/tfplugin';
import type { Block, TfValue } from '@cairn/tfplugin';
import type { TfDiagnostic } from '../client/index.js';
import { encodedObject } from '../lifecycle/index.js';
import type { Planned } from '../lifecycle/index.js';

/** A provider's answer about an object. */
export interface RememberedAnswer {
  /** The configuration of the request. */
  readonly config: TfValue;
  /** Planned action. `valid` means that only the configuration was validated. */
  readonly outcome: 'valid' | Planned['action'];
  /** True if the object is stored as one of another type. */
  readonly moved?: boolean;
  /** Diagnostics of the answer. */
  readonly said: readonly TfDiagnostic[];
}

/** Tells whether the same question needs no second answer in the next pass [TFB-9]. */
export function standsInNextPass({ config, outcome, moved, said }: RememberedAnswer): boolean {
  if (outcome !== 'valid' && outcome !== 'none') return false;
  return moved !== true && said.length === 0 && isWhollyKnown(config);
}

/** Maximum number of answers kept of one pass. Further questions are asked again. */
export const MOST_KEPT = 200_000;

/**
 * Objects for which this or the previous pass received only that their configuration is valid or that there is nothing
 * to do. Only digests are kept, and only until the pass after the next has begun.
 */
export class AnswerMemory {
  #before: Set<string> = new Set();
  #now: Set<string> = new Set();

  /** Returns the digest of a question: the object, its configuration, and all other facts that determine the answer. */
  question(urn: string, block: Block, config: TfValue, ...more: readonly string[]): string {
    const hash = createHash('sha256').update(encodedObject(block, config));
    for (const each of [urn, ...more]) hash.update(`\n${each.length}\n${each}`);
    return hash.digest('base64');
  }

  /**
   * Tells whether an answer of this or the previous pass is still valid: the configuration is valid, or there is
   * nothing to do. A refresh asks about drift what the program then asks again.
   */
  stands(question: string): boolean {
    if (this.#now.has(question)) return true;
    if (!this.#before.has(question)) return false;
    this.#keep(question);
    return true;
  }

  answered(question: string, answer: RememberedAnswer): void {
    if (standsInNextPass(answer)) this.#keep(question);
  }

  /** Begins another pass. */
  endPass(): void {
    this.#before = this.#now;
    this.#now = new Set();
  }

  /** Forgets all answers, because the settings of the provider changed. */
  clear(): void {
    this.#before.clear();
    this.#now.clear();
  }

  #keep(question: string): void {
    if (this.#now.size < MOST_KEPT) this.#now.add(question);
  }
}
