import type { ProviderMethod } from '@cairn/tfplugin';
import type { Said } from './messages.js';
import type { ObjectStore } from './object-store.js';
import type { Json } from '@cairn/tfplugin/notation';

/**
 * What a scripted provider does at a call in place of what a well-behaved one does. Rules are JSON; the first one that
 * fits and has uses left is taken.
 */
export interface ScriptRule {
  readonly call: ProviderMethod;
  /** Type of the object, or name of the function; without it any. */
  readonly type?: string;
  /** Calls that fit and are let pass first. */
  readonly skip?: number;
  /** How often it is used; default: always. */
  readonly times?: number;
  /** The whole answer, with values as {@link valueOf} reads them. */
  readonly answer?: { readonly [part: string]: Json };
  /** Parts of the standard answer that are replaced: `plannedState.name`, `plannedState.tags["a"]`. */
  readonly change?: { readonly [path: string]: Json };
  /** Told besides. */
  readonly diagnostics?: readonly Said[];
  /**
   * What happens to the call: the process ends with a panic, nothing is ever answered, the answer is lost, the call
   * fails with a status, or the answer is bytes that are no message.
   */
  readonly fault?: 'crash' | 'hang' | 'lose' | 'status' | 'garbage';
  /** Whether the effect of the call is there all the same. Default: `before`, but a lost answer comes `after`. */
  readonly when?: 'before' | 'after';
  /** Text of the panic or of the status. */
  readonly text?: string;
  readonly status?: string;
  /** Milliseconds that pass before anything else. */
  readonly delayMs?: number;
  /** File that has to be there before the call is answered; the call is recorded before. */
  readonly awaits?: string;
}

/** The rules of a provider, with what is left of them in its store, so that a use counts across processes. */
export class Rules {
  private readonly rules: { readonly rule: ScriptRule; readonly key: string }[] = [];
  private readonly added: { readonly rule: ScriptRule; readonly key: string }[] = [];

  constructor(scripted: readonly ScriptRule[]) {
    scripted.forEach((rule, at) => this.rules.push({ rule, key: `rule-${at}` }));
  }

  /** Adds a rule for the next fitting call, before all others. */
  add(rule: ScriptRule): void {
    this.added.push({ rule: { times: 1, ...rule }, key: `added-${this.added.length}` });
  }

  /** The rule for a call, with one of its uses taken. */
  take(call: ProviderMethod, type: string, store: ObjectStore): ScriptRule | undefined {
    const fits = (rule: ScriptRule) => rule.call === call && (rule.type === undefined || rule.type === type);
    const all = [...this.added, ...this.rules].filter(({ rule }) => fits(rule));
    const found = all.find(({ rule, key }) => {
      const { skip = 0, times } = rule;
      if (skip > 0 && store.use(`${key}-skip`, skip)) return false;
      return times === undefined || store.use(key, times);
    });
    return found?.rule;
  }
}
