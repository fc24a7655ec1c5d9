import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { RunView } from '../ledger/queries.js';
import { isReadGoal } from '../model/goal.js';
import type { Goal, ReadGoal } from '../model/goal.js';
import type { Cell } from '../model/cell.js';
import type { StepKind } from '../model/step-kinds.js';
import type { PriorEntries } from '../prior/entries.js';
import type { PriorGraph } from '../prior/graph.js';
import type { LookUp, ProgramMode } from './operation-phases.js';
import type { TargetSet } from './target-set.js';
import type { Answers } from './verdict.js';

/** Limits that rules may consult. */
export interface ScopeFacts {
  readonly targets: TargetSet;
  readonly targetDependents: boolean;
  /** Resources that remain unchanged. Unconstrained if there are targets. */
  readonly excludes: TargetSet;
  readonly excludeDependents: boolean;
  /** Resources that are replaced regardless of their diff. */
  readonly replace: TargetSet;
}

/** Choices of the user that change rules. */
export interface PolicyFacts {
  /** True for a preview: unknown values are allowed, and refusals are collected instead of stopping. */
  readonly preview: boolean;
  readonly mode: ProgramMode;
  /** Registered resources that are looked up before any other decision about them. */
  readonly lookUp: LookUp;
  /** True if policy packs analyze every registration. Defaults to false. */
  readonly analyzed?: boolean | undefined;
  /** True if protection does not count. The flag of the entries remains unchanged [DEL-4]. Defaults to false. */
  readonly ignoreProtect?: boolean | undefined;
  /** True if replacements are refused [DEL-8]. Defaults to false. */
  readonly refusesReplacements?: boolean | undefined;
  /** True if equal inputs mean that nothing changed, without asking the provider [DIFF-3]. Defaults to false. */
  readonly legacyDiff?: boolean | undefined;
}

/**
 * Facts about one registration for `decide`: the goal, its prior entry, the events of the run, and the answers so far.
 */
export interface FactsOf<G extends Goal | ReadGoal> {
  readonly goal: G;
  /**
   * Prior entry that the goal owns, as it was when it was matched or as this run has found it. Never pending delete.
   */
  readonly prior: ResourceEntry | undefined;
  readonly cell: Cell | undefined;
  /** URN under which the prior entry was found. */
  readonly oldUrn: Urn | undefined;
  readonly view: RunView;
  readonly entries: PriorEntries;
  readonly graph: PriorGraph;
  readonly scope: ScopeFacts;
  readonly policy: PolicyFacts;
  readonly answers: Answers;
  /** Lineage that the operation continues. Undefined if it starts one. */
  readonly continued?: ContinuedView | undefined;
}

/** Facts about a resource that the program wants to exist. */
export type Facts = FactsOf<Goal>;

/** Facts about an object that the program wants to look up. */
export type ReadFacts = FactsOf<ReadGoal>;

/** Returns true if the program only wants a lookup. */
export function isRead(facts: Facts | ReadFacts): facts is ReadFacts {
  return isReadGoal(facts.goal);
}

/** Returns the entry to compare with: the result of this run's import step, otherwise the prior entry. */
export function comparedEntry(facts: Facts): ResourceEntry | undefined {
  return facts.answers.imported?.entry ?? facts.prior;
}

/** Returns the cell of {@link comparedEntry}. */
export function comparedCell(facts: Facts): Cell | undefined {
  return facts.answers.imported ?? facts.cell;
}

/** Returns true if a delete-first replacement of another resource has deleted the prior object in this run. */
export function deletedAhead({ cell, view }: Pick<Facts, 'cell' | 'view'>): boolean {
  return cell !== undefined && view.isCondemned(cell);
}

/**
 * Returns true if the resource is replaced regardless of its diff: requested under its present or its former URN, or
 * tainted [DIFF-2].
 */
export function isForced(facts: Facts): boolean {
  const { goal, oldUrn, scope } = facts;
  if (comparedEntry(facts)?.taint === true || scope.replace.names(goal.urn)) return true;
  return oldUrn !== undefined && scope.replace.names(oldUrn);
}

/** Returns true if this run has not found the object of the prior entry, under its present name or a former one. */
export function hasVanished({ goal, oldUrn, answers, view }: Facts): boolean {
  if (answers.lookedUp === true && oldUrn !== undefined) return true;
  return [goal.urn, ...goal.aliases].some((urn) => view.hasVanished(urn));
}

/** Returns true if nothing of the prior entry counts for the checked inputs [REG-6]. */
export function startsAfresh(facts: Facts): boolean {
  const prior = comparedEntry(facts);
  if (prior === undefined) return true;
  return prior.external || prior.pendingReplacement || deletedAhead(facts) || isForced(facts);
}

/** Steps of earlier changes of the lineage for one registration. */
export interface PastRegistration {
  /** Digest of its goal. */
  readonly goal: string;
  /** True if all of it was done. */
  readonly done: boolean;
  /** Kinds of the steps that were done, in order. */
  readonly kinds: readonly StepKind[];
}

/** Provider that earlier changes of the lineage have brought about. */
export interface BegunProvider {
  readonly urn: Urn;
  readonly type: string;
  /** Undefined if it was requested without one. */
  readonly version: string | undefined;
  /** True if the engine made it for resources that name no provider. The version is part of its name. */
  readonly isDefault: boolean;
}

/** View of the lineage that the operation continues, for rules. */
export interface ContinuedView {
  /** Number of the lineage's first change, for messages. */
  readonly origin: string;
  past(urn: Urn): PastRegistration | undefined;
  /** Returns the digest of a goal, in the form of an earlier one. Undefined if the goal has unknown values. */
  digest(goal: Goal, like: string): string | undefined;
  readonly providers: readonly BegunProvider[];
  /**
   * True if a program of the lineage had registered its whole goal: resources that it did not register are not part of
   * it.
   */
  readonly registered: boolean;
}
