import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { RunView } from '../ledger/queries.js';
import type { ReadGoal } from '../model/goal.js';
import type { PriorEntries } from '../prior/entries.js';
import type { PriorGraph } from '../prior/graph.js';
import type { Cell } from '../model/cell.js';
import { noDiff } from '../model/step.js';
import type { Chain } from '../model/step.js';
import { read, refresh, replace } from '../model/make-step.js';
import { failedReference } from './failed-dependencies.js';
import type { PolicyFacts, ScopeFacts } from './facts.js';
import { leftOutErrors, leftOutReferences, untargetedCreate } from './left-out.js';
import { turnedAround } from './turned-around.js';

/** What to do about a read. */
export type ReadVerdict =
  | { readonly t: 'do'; readonly chain: Chain; readonly notes: readonly Diagnostic[] }
  /** Nothing is read: what it needs was left out of a run of the program for a refresh or a destroy. */
  | { readonly t: 'leave-out' }
  /** Something it needs failed or was skipped [REG-14]. */
  | { readonly t: 'skip'; readonly because: Urn }
  | { readonly t: 'refuse'; readonly diagnostics: readonly Diagnostic[] };

/** What a decision about a read looks at. */
export interface ReadFacts {
  readonly goal: ReadGoal;
  readonly cell: Cell | undefined;
  readonly prior: ResourceEntry | undefined;
  readonly view: RunView;
  readonly entries: PriorEntries;
  readonly graph: PriorGraph;
  readonly scope: ScopeFacts;
  readonly policy: PolicyFacts;
}

/** Whether and how a read is carried out: like every step it may not refer to what is not there [REG-14] [TGT-6]. */
export function judgeRead(facts: ReadFacts): ReadVerdict {
  const { goal, view, policy } = facts;
  const failed = failedReference(goal, view);
  if (failed !== undefined) return { t: 'skip', because: failed };
  const circle = turnedAround(facts);
  if (circle !== undefined) return { t: 'refuse', diagnostics: [circle] };
  if (policy.mode !== 'apply') return judgeReadOnly(facts);
  const errors = leftOutErrors(goal, facts.scope, view);
  if (errors.length > 0 && !policy.preview)
    return { t: 'refuse', diagnostics: [...errors, untargetedCreate()] };
  if (goal.id === '') return { t: 'refuse', diagnostics: [...errors, withoutId(goal.urn)] };
  return { t: 'do', chain: decideRead(goal, facts.cell, facts.prior), notes: errors };
}

/**
 * A read by a program that is run for a refresh or a destroy [REF-5] [DEL-7]: it is read like ever, except that a
 * refresh does not give up an object that is managed under this name, but looks at it.
 */
function judgeReadOnly({ goal, cell, prior, view, policy }: ReadFacts): ReadVerdict {
  if (leftOutReferences(goal, view).length > 0 || (goal.idUnknown && !policy.preview))
    return { t: 'leave-out' };
  if (goal.id === '') return { t: 'refuse', diagnostics: [withoutId(goal.urn)] };
  if (policy.mode === 'refresh' && cell !== undefined && prior?.external === false) {
    return { t: 'do', chain: [refresh(cell)], notes: [] };
  }
  return { t: 'do', chain: decideRead(goal, cell, prior), notes: [] };
}

/**
 * The chain of a read [REG-2]: nothing, an external entry or a managed one with the same id are simply
 * read; a managed one with another id is replaced, and its object goes at the end.
 */
export function decideRead(goal: ReadGoal, cell: Cell | undefined, prior: ResourceEntry | undefined): Chain {
  const replaces =
    prior !== undefined && !prior.external && prior.id !== goal.id && !prior.pendingReplacement;
  const step = read(goal, cell, prior, replaces);
  return replaces ? [step, replace(prior, step.new, noDiff, step.reason)] : [step];
}

/** There is nothing to look up: a mistake of the program, whose run is over with it. */
function withoutId(urn: Urn): Diagnostic {
  return errorDiagnostic('CAIRN-RESOURCE-OPTION', `cannot read ${urn}: the id is empty`, {
    urn,
    hint: 'Give the id of the object to look up.',
  });
}
