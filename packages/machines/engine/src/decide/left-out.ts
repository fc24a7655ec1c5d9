import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { changedReferences } from '@cairn/state';
import type { ReferenceKind } from '@cairn/state';
import type { RunView } from '../ledger/queries.js';
import { containsUnknown } from '@cairn/values';
import type { Goal } from '../model/goal.js';
import type { ScopeFacts } from './facts.js';
import { goalReferences } from './goal-references.js';
import type { GoalReferences } from './goal-references.js';

/*
 * Resources that are new and out of scope are left out: the program continues with unknown outputs, state remains
 * unchanged. A reference to one is an error under targets, and is dropped under excludes [TGT-6].
 */

/** Returns true if a resource in scope must not need one that was left out. It may if there are only excludes. */
export function mayNotNeedLeftOut({ targets, replace }: ScopeFacts): boolean {
  return targets.constrained || replace.constrained;
}

/** Makes one error for every resource that was left out, is referred to and was not named in an earlier error. */
export function leftOutErrors(
  goal: GoalReferences & { readonly urn: Urn },
  scope: ScopeFacts,
  view: RunView,
): readonly Diagnostic[] {
  if (!mayNotNeedLeftOut(scope)) return [];
  return leftOutReferences(goal, view)
    .filter((needed) => !view.isBlamed(needed))
    .map((needed) => dependsOnLeftOut(goal.urn, needed));
}

/** Returns the references of the goal to resources that were left out of this run. */
export function leftOutReferences(goal: GoalReferences, view: RunView): readonly Urn[] {
  return goalReferences(goal).filter((urn) => view.progress(urn) === 'left-out');
}

/** Makes the error that stops a real run. A preview continues to find all of them. */
export function untargetedCreate(): Diagnostic {
  return errorDiagnostic('CAIRN-TARGET', 'untargeted create: a target needs a resource that does not exist', {
    hint: 'Add what it depends on to the targets.',
  });
}

/**
 * Makes the error for a resource whose inputs are unknown because their sources were left out. In a real run this
 * applies to every unknown input. A preview considers the dependencies of the inputs.
 */
export function unknownInputs(
  { urn, inputs, propertyDependencies }: Pick<Goal, 'urn' | 'inputs' | 'propertyDependencies'>,
  view: RunView,
  preview: boolean,
): Diagnostic | undefined {
  const comesFromLeftOut = (key: string) =>
    (propertyDependencies[key] ?? []).some((needed) => view.progress(needed) === 'left-out');
  const keys = Object.keys(inputs).filter(
    (key) => containsUnknown(inputs[key] ?? null) && (!preview || comesFromLeftOut(key)),
  );
  if (keys.length === 0) return undefined;
  return errorDiagnostic(
    'CAIRN-TARGET',
    `${urn} needs values of a resource that does not exist and is left out: ${keys.join(', ')}`,
    { urn, hint: 'Leave it out as well (--exclude-dependents), or include what it depends on.' },
  );
}

/**
 * Makes the error for a reference to a resource that was left out. The summary matches the reference literally, so that
 * users can search for it.
 */
function dependsOnLeftOut(urn: Urn, needed: Urn): Diagnostic {
  return errorDiagnostic(
    'CAIRN-TARGET',
    `Resource '${urn}' depends on '${needed}' which was was not specified in --target list.`,
    { urn, hint: `Add --target '${needed}', or run without --target.` },
  );
}

/**
 * Returns a goal without its references to resources that were excluded before they existed: state could not contain
 * them. A parent is replaced by the nearest present ancestor. Returns the same goal if it has no such references.
 */
export function withoutLeftOut<G extends GoalReferences>(goal: G, view: RunView): G {
  if (leftOutReferences(goal, view).length === 0) return goal;
  const present = (urn: Urn, kind: ReferenceKind) => {
    if (kind === 'parent') return presentAncestor(urn, view);
    return view.progress(urn) === 'left-out' ? undefined : urn;
  };
  return { ...goal, ...changedReferences<Urn>(goal, present) };
}

function presentAncestor(parent: Urn | undefined, view: RunView): Urn | undefined {
  let present = parent;
  while (present !== undefined && view.progress(present) === 'left-out')
    present = view.leftOutParent(present);
  return present;
}
