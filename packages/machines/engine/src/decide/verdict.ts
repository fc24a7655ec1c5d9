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
 * Something only a provider can say and that leaves no trace in state. The answer becomes a fact and the rules run
 * again.
 */
export type Question =
  | {
      readonly t: 'check';
      readonly goal: Goal;
      readonly olds: PropertyMap | undefined;
      /** Outputs of the entry whose inputs `olds` are. */
      readonly oldOutputs: PropertyMap | undefined;
      readonly news: PropertyMap;
      /** The second check, for the object that replaces another. */
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
      /** For the object that replaces another: corrected as the first time, not judged anew. */
      readonly again: boolean;
    }
  | { readonly t: 'dependent-diffs'; readonly urn: Urn; readonly dependents: readonly DependentDiff[] };

/** Would the entry be replaced if these inputs became unknown? */
export interface DependentDiff {
  readonly cell: Cell;
  readonly keys: readonly string[];
}

/** Names one dependent diff among the answers. */
export function dependentKey(urn: Urn, keys: readonly string[]): string {
  return `${urn}\n${keys.join('\n')}`;
}

/** Inputs as the provider checked them. */
export interface Checked {
  readonly inputs: PropertyMap;
  readonly failures: readonly CheckFailure[];
}

/** What was asked and answered so far for one registration. */
export interface Answers {
  /** What the checks were given to make names from; every check of the run gets the same. */
  readonly seed?: Uint8Array | undefined;
  readonly check?: Checked | undefined;
  readonly recheck?: Checked | undefined;
  /** What the policy packs said. */
  readonly analysis?: Analyzed | undefined;
  /** Inputs of the second check as the policy packs corrected them. */
  readonly recorrected?: PropertyMap | undefined;
  /** `unavailable`: the provider is not configured yet (preview). */
  readonly diff?: DiffResponse | 'unavailable' | undefined;
  readonly providerReplaces?: boolean | undefined;
  /** By {@link dependentKey}: whether the dependent must be replaced. */
  readonly dependents?: ReadonlyMap<string, boolean> | undefined;
  /** The prior entry is what this run has found, or undefined because nothing was found. */
  readonly lookedUp?: boolean | undefined;
  /** Where the import step has put the entry. */
  readonly imported?: Cell | undefined;
}

/** A prior entry that is deleted ahead of its own registration, and because of what. */
export interface CondemnedEntry {
  readonly cell: Cell;
  readonly reason: Reason;
}

/** What the rules say about one registration, given the facts so far. */
export type Verdict =
  | { readonly t: 'ask'; readonly question: Question }
  | {
      readonly t: 'do';
      readonly chain: Chain;
      /** Prior entries that the chain deletes ahead of their own registration. */
      readonly condemned: readonly CondemnedEntry[];
      /** For the user; errors among them fail the operation at its end (preview). */
      readonly notes: readonly Diagnostic[];
      /**
       * `reply`: the program gets its answer. Else the rules run again: after `resume` with the imported entry as a
       * fact, after `looked-up` with the entry found (or none) in place of the prior one.
       */
      readonly then: 'reply' | 'resume' | 'looked-up';
      /** Steps that earlier changes have taken in place of this one: they count as decided here. Absent: none. */
      readonly past?: readonly StepKind[] | undefined;
    }
  /**
   * Nothing is done, state gets nothing: a create outside the scope, or one that this run is not for. `stored`: the
   * program gets the outputs of this entry; without it they are unknown.
   */
  | { readonly t: 'leave-out'; readonly stored?: ResourceEntry | undefined }
  /** Something it needs failed or was skipped [REG-14]. */
  | { readonly t: 'skip'; readonly because: Urn }
  | { readonly t: 'refuse'; readonly diagnostics: readonly Diagnostic[] };

/** A verdict to carry out a chain and then answer. */
export function carryOut(
  chain: Chain,
  notes: readonly Diagnostic[] = [],
  condemned: readonly CondemnedEntry[] = [],
): Verdict {
  return { t: 'do', chain, condemned, notes, then: 'reply' };
}

/** A verdict that refuses with one diagnostic. */
export function refuse(...diagnostics: readonly Diagnostic[]): Verdict {
  return { t: 'refuse', diagnostics };
}
