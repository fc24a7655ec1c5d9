import { createHash } from 'node:crypto';
import { encode, impliedType, isWhollyKnown } from '@cairn/tfplugin';
import type { Block, TfValue } from '@cairn/tfplugin';
import type { TfDiagnostic } from '../client/index.js';
import type { Planned } from '../lifecycle/index.js';

/** What a provider has answered about an object. */
export interface Answered {
  /** The configuration that it was asked about. */
  readonly config: TfValue;
  /** What is to be done; `valid`: it was only asked whether the configuration is. */
  readonly outcome: 'valid' | Planned['action'];
  /** The object is stored as one of another type. */
  readonly moved?: boolean;
  /** What was said besides. */
  readonly said: readonly TfDiagnostic[];
}

/** Whether the same question needs no second answer in the next pass [TFB-9]. */
export function standsInNextPass({ config, outcome, moved, said }: Answered): boolean {
  if (outcome !== 'valid' && outcome !== 'none') return false;
  return moved !== true && said.length === 0 && isWhollyKnown(config);
}

/** Answers that are kept of one pass; what is beyond is asked again. */
export const MOST_KEPT = 200_000;

/**
 * Of which objects the pass before has heard, without another word, that their configuration is valid or that nothing
 * is to be done to them. Only digests are kept, and only until the pass after the next has begun.
 */
export class AnswerMemory {
  #before: Set<string> = new Set();
  #now: Set<string> = new Set();

  /** What a question comes to: which object, its configuration, and what else the answer depends on. */
  question(urn: string, block: Block, config: TfValue, ...more: readonly string[]): string {
    const hash = createHash('sha256').update(encode(impliedType(block), config));
    for (const each of [urn, ...more]) hash.update(`\n${each.length}\n${each}`);
    return hash.digest('base64');
  }

  /** Whether the answer of the pass before stands: the configuration is valid, or nothing is to be done. */
  stands(question: string): boolean {
    if (!this.#before.has(question)) return false;
    this.#keep(question);
    return true;
  }

  answered(question: string, answer: Answered): void {
    if (standsInNextPass(answer)) this.#keep(question);
  }

  /** Another pass begins. */
  endPass(): void {
    this.#before = this.#now;
    this.#now = new Set();
  }

  /** The provider has got other settings. */
  clear(): void {
    this.#before.clear();
    this.#now.clear();
  }

  #keep(question: string): void {
    if (this.#now.size < MOST_KEPT) this.#now.add(question);
  }
}
