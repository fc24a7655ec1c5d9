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

/** Everything limiting that rules may look at. */
export interface ScopeFacts {
  readonly targets: TargetSet;
  readonly targetDependents: boolean;
  /** Resources that stay as they are. Unconstrained whenever there are targets. */
  readonly excludes: TargetSet;
  readonly excludeDependents: boolean;
  /** Resources to be replaced whatever their diff says. */
  readonly replace: TargetSet;
}

/** Choices of the user that change rules. */
export interface PolicyFacts {
  /** Preview: unknown values are allowed, and refusals are collected instead of stopping. */
  readonly preview: boolean;
  readonly mode: ProgramMode;
  /** Registered resources that are looked up before anything else is decided about them. */
  readonly lookUp: LookUp;
  /** Policy packs look at every registration. Absent: there are none. */
  readonly analyzed?: boolean | undefined;
  /** Protection does not count; the flag of the entries stays as it is [DEL-4]. Absent: it counts. */
  readonly ignoreProtect?: boolean | undefined;
  /** Replacements are refused [DEL-8]. Absent: they are not. */
  readonly refusesReplacements?: boolean | undefined;
  /** Equal inputs are no change, without asking the provider [DIFF-3]. Absent: it is asked. */
  readonly legacyDiff?: boolean | undefined;
}

/**
 * What `decide` knows about one registration: the goal, what it was, what happened in the run, and the answers so far.
 */
export interface FactsOf<G extends Goal | ReadGoal> {
  readonly goal: G;
  /** The prior entry the goal owns, as it was when it was matched or as this run has found it. Never pending delete. */
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
  /** The lineage that the operation goes on with. Absent: it is one of its own. */
  readonly continued?: ContinuedView | undefined;
}

/** What is known about a resource that the program wants to be there. */
export type Facts = FactsOf<Goal>;

/** What is known about an object that the program wants to look up. */
export type ReadFacts = FactsOf<ReadGoal>;

/** Whether the program only wants to look something up. */
export function isRead(facts: Facts | ReadFacts): facts is ReadFacts {
  return isReadGoal(facts.goal);
}

/** The entry to compare with: what an import step of this run found, else the prior entry. */
export function comparedEntry(facts: Facts): ResourceEntry | undefined {
  return facts.answers.imported?.entry ?? facts.prior;
}

/** The cell of {@link comparedEntry}. */
export function comparedCell(facts: Facts): Cell | undefined {
  return facts.answers.imported ?? facts.cell;
}

/** Whether a delete-first replacement of something else has deleted the prior object in this run. */
export function deletedAhead({ cell, view }: Pick<Facts, 'cell' | 'view'>): boolean {
  return cell !== undefined && view.isCondemned(cell);
}

/**
 * Whether the resource is replaced whatever its diff says: asked for, under its present or its former URN, or tainted
 * [DIFF-2].
 */
export function isForced(facts: Facts): boolean {
  const { goal, oldUrn, scope } = facts;
  if (comparedEntry(facts)?.taint === true || scope.replace.names(goal.urn)) return true;
  return oldUrn !== undefined && scope.replace.names(oldUrn);
}

/** Whether this run has looked for the object of the prior entry in vain, under its present name or a former one. */
export function hasVanished({ goal, oldUrn, answers, view }: Facts): boolean {
  if (answers.lookedUp === true && oldUrn !== undefined) return true;
  return [goal.urn, ...goal.aliases].some((urn) => view.hasVanished(urn));
}

/** Whether nothing of the prior entry counts for the checked inputs [REG-6]. */
export function startsAfresh(facts: Facts): boolean {
  const prior = comparedEntry(facts);
  if (prior === undefined) return true;
  return prior.external || prior.pendingReplacement || deletedAhead(facts) || isForced(facts);
}

/** What earlier changes of the lineage did about one registration. */
export interface PastRegistration {
  /** Digest of what it wanted. */
  readonly goal: string;
  /** All of it was done. */
  readonly done: boolean;
  /** Kinds of the steps that were done, in order. */
  readonly kinds: readonly StepKind[];
}

/** A provider that earlier changes of the lineage have brought about. */
export interface BegunProvider {
  readonly urn: Urn;
  readonly type: string;
  /** Undefined: it was asked for without one. */
  readonly version: string | undefined;
  /** Made by the engine for those who name no provider; the version is part of its name. */
  readonly isDefault: boolean;
}

/** What rules know of the lineage that the operation goes on with. */
export interface ContinuedView {
  /** Number of the lineage's first change, for people. */
  readonly origin: string;
  past(urn: Urn): PastRegistration | undefined;
  /** Undefined when it cannot be told: the goal has unknown values. */
  digest(goal: Goal): string | undefined;
  readonly providers: readonly BegunProvider[];
  /** A program of the lineage had registered all that it wanted: what it did not register is not part of it. */
  readonly registered: boolean;
}
