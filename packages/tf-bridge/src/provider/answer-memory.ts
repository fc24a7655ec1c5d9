import { createHash } from 'node:crypto';
import { encode, impliedType } from '@cairn/tfplugin';
import type { Block, TfValue } from '@cairn/tfplugin';

/**
 * Of which objects the provider has said, with the settings that it has, that their configuration is valid without a
 * word and that nothing is to be done to them. The passes of one operation ask the same: what nothing was to be done to
 * is not planned again [TFB-9]. Of each object only a digest is kept.
 */
export class AnswerMemory {
  #settings: string | undefined;
  readonly #valid = new Map<string, string>();
  readonly #unchanged = new Map<string, string>();

  /** The settings that the provider has from here on. */
  under(settings: TfValue, block: Block): void {
    const now = this.question(block, settings);
    if (this.#settings !== undefined && this.#settings !== now) {
      this.#valid.clear();
      this.#unchanged.clear();
    }
    this.#settings = now;
  }

  /** What a question comes to: a configuration, and what else it depends on. */
  question(block: Block, configuration: TfValue, ...more: readonly string[]): string {
    const hash = createHash('sha256').update(encode(impliedType(block), configuration));
    for (const each of more) hash.update(`\n${each.length}\n${each}`);
    return hash.digest('base64');
  }

  valid(urn: string, asked: string): void {
    this.#valid.set(urn, asked);
  }

  isValid(urn: string, asked: string): boolean {
    return this.#valid.get(urn) === asked;
  }

  unchanged(urn: string, asked: string): void {
    this.#unchanged.set(urn, asked);
  }

  isUnchanged(urn: string, asked: string): boolean {
    return this.#unchanged.get(urn) === asked;
  }
}
