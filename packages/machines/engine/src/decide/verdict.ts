import type { ProviderReference, Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { CheckFailure, DiffResponse } from '@cairn/wire';
import type { Goal } from '../model/goal.js';
import type { Analyzed } from '../model/policy.js';
import type { Cell } from '../model/cell.js';
import type { StepKind } from '../model/step-kinds.js';
import type { Reason } from '../model/reason.js';
import type { Chain } from '../model/step.js';

/**
 * Question that only a provider can answer and that leaves no trace in state. The answer becomes a fact, and the rules
 * run again.
 */
export type Question =
  | {
      readonly t: 'check';
      readonly goal: Goal;
      readonly olds: PropertyMap | undefined;
      /** Outputs of the entry that has the inputs `olds`. */
      readonly oldOutputs: PropertyMap | undefined;
      readonly news: PropertyMap;
      /** True for the second check, for the object that replaces another. */
      readonly again: boolean;
      /** Entries of ignoreChanges that could not be followed. */
      readonly skippedPaths: readonly string[];
    }
  | { readonly t: 'diff'; readonly goal: Goal; readonly prior: ResourceEntry; readonly inputs: PropertyMap }
  | {
      readonly t: 'provider-change';
      readonly urn: Urn;
      readonly from: ProviderReference;
      readonly to: ProviderReference;
    }
  | {
      readonly t: 'analyze';
      readonly goal: Goal;
      readonly inputs: PropertyMap;
      /** True for the object that replaces another: packs correct it as the first time, without a new judgement. */
      readonly again: boolean;
    }
  | { readonly t: 'dependent-diffs'; readonly urn: Urn; readonly dependents: readonly DependentDiff[] };

/** Question whether an entry would be replaced if these inputs became unknown. */
export interface DependentDiff {
  readonly cell: Cell;
  readonly keys: readonly string[];
}

/** Returns the key of one dependent diff among the answers. */
export function dependentKey(urn: Urn, keys: readonly string[]): string {
  return `${urn}\n${keys.join('\n')}`;
}

/** Inputs as the provider checked them. */
export interface Checked {
  readonly inputs: PropertyMap;
  readonly failures: readonly CheckFailure[];
}

/** Questions answered so far for one registration. */
export interface Answers {
  /** Seed for made-up names in the checks. Every check of the run receives the same. */
  readonly seed?: Uint8Array | undefined;
  readonly check?: Checked | undefined;
  /** Digest under which the state has answered the check, without the provider [DIFF-14]. */
  readonly settled?: string | undefined;
  readonly recheck?: Checked | undefined;
  /** Result of the policy packs. */
  readonly analysis?: Analyzed | undefined;
  /** Inputs of the second check as the policy packs corrected them. */
  readonly recorrected?: PropertyMap | undefined;
  /** `unavailable`: the provider is not configured yet (preview). */
  readonly diff?: DiffResponse | 'unavailable' | undefined;
  readonly providerReplaces?: boolean | undefined;
  /** True if the dependent must be replaced, by {@link dependentKey}. */
  readonly dependents?: ReadonlyMap<string, boolean> | undefined;
  /** True if the prior entry comes from a look-up of this run. It is undefined if the look-up found nothing. */
  readonly lookedUp?: boolean | undefined;
  /** Cell in which the import step has put the entry. */
  readonly imported?: Cell | undefined;
}

/** Prior entry that is deleted ahead of its own registration, and the reason. */
export interface CondemnedEntry {
  readonly cell: Cell;
  readonly reason: Reason;
}

/** Verdict of the rules on one registration, given the facts so far. */
export type Verdict =
  | { readonly t: 'ask'; readonly question: Question }
  | {
      readonly t: 'do';
      readonly chain: Chain;
      /** Prior entries that the chain deletes ahead of their own registration. */
      readonly condemned: readonly CondemnedEntry[];
      /** Notes for the user. Errors among them fail the operation at its end (preview). */
      readonly notes: readonly Diagnostic[];
      /**
       * `reply`: the program gets its answer. Otherwise the rules run again. `resume`: with the imported entry as a
       * fact. `looked-up`: with the entry found (or none) instead of the prior one.
       */
      readonly then: 'reply' | 'resume' | 'looked-up';
      /** Steps that earlier changes have taken instead of this one: they count as decided here. Empty by default. */
      readonly past?: readonly StepKind[] | undefined;
    }
  /**
   * Does nothing and leaves state unchanged: a create outside the scope, or one that is not the purpose of this run.
   * `stored`: the program gets the outputs of this entry. Without it they are unknown.
   */
  | { readonly t: 'leave-out'; readonly stored?: ResourceEntry | undefined }
  /** A resource that it needs failed or was skipped [REG-14]. */
  | { readonly t: 'skip'; readonly because: Urn }
  | { readonly t: 'refuse'; readonly diagnostics: readonly Diagnostic[] };

/** Returns a verdict to carry out a chain and then answer. */
export function carryOut(
  chain: Chain,
  notes: readonly Diagnostic[] = [],
  condemned: readonly CondemnedEntry[] = [],
): Verdict {
  return { t: 'do', chain, condemned, notes, then: 'reply' };
}

/** Returns a verdict that refuses with the given diagnostics. */
export function refuse(...diagnostics: readonly Diagnostic[]): Verdict {
  return { t: 'refuse', diagnostics };
}
