import type { ProviderMethod } from '@cairn/tfplugin';
import type { Said } from './messages.js';
import type { ObjectStore } from './object-store.js';
import type { NotationJson } from '@cairn/tfplugin/notation';

/**
 * Behaviour of a scripted provider at a call, in place of a well-behaved one's. Rules are JSON. The first one that
 * matches and has uses left is taken.
 */
export interface ScriptRule {
  readonly call: ProviderMethod;
  /** Type of the object, or name of the function. Any by default. */
  readonly type?: string;
  /** Number of matching calls to skip first. */
  readonly skip?: number;
  /** Number of uses. Unlimited by default. */
  readonly times?: number;
  /** The whole answer, with values in the form of {@link valueOf}. */
  readonly answer?: { readonly [part: string]: NotationJson };
  /** Parts of the standard answer to replace: `plannedState.name`, `plannedState.tags["a"]`. */
  readonly change?: { readonly [path: string]: NotationJson };
  /** Additional diagnostics. */
  readonly diagnostics?: readonly Said[];
  /**
   * Fault of the call. The process ends with a panic (`crash`), nothing is ever answered (`hang`), or the answer is
   * lost (`lose`). The call fails with a status (`status`), or the answer is bytes that are not a message (`garbage`).
   */
  readonly fault?: 'crash' | 'hang' | 'lose' | 'status' | 'garbage';
  /**
   * Time of the fault, `before` or `after` the effect of the call. Defaults to `before`, but to `after` for a lost
   * answer.
   */
  readonly when?: 'before' | 'after';
  /** Text of the panic or of the status. */
  readonly text?: string;
  readonly status?: string;
  /** Milliseconds to wait before anything else. */
  readonly delayMs?: number;
  /** File that must exist before the call is answered. The call is recorded before. */
  readonly awaits?: string;
}

/** The rules of a provider. Their remaining uses are in its store, so that a use counts across processes. */
export class Rules {
  readonly #rules: { readonly rule: ScriptRule; readonly key: string }[] = [];
  readonly #added: { readonly rule: ScriptRule; readonly key: string }[] = [];

  constructor(scripted: readonly ScriptRule[]) {
    scripted.forEach((rule, at) => this.#rules.push({ rule, key: `rule-${at}` }));
  }

  /** Adds a rule for the next matching call, before all others. */
  add(rule: ScriptRule): void {
    this.#added.push({ rule: { times: 1, ...rule }, key: `added-${this.#added.length}` });
  }

  /** Returns the rule for a call, after taking one of its uses. */
  take(call: ProviderMethod, type: string, store: ObjectStore): ScriptRule | undefined {
    const fits = (rule: ScriptRule) => rule.call === call && (rule.type === undefined || rule.type === type);
    const all = [...this.#added, ...this.#rules].filter(({ rule }) => fits(rule));
    const found = all.find(({ rule, key }) => {
      const { skip = 0, times } = rule;
      if (skip > 0 && store.use(`${key}-skip`, skip)) return false;
      return times === undefined || store.use(key, times);
    });
    return found?.rule;
  }
}
