import { isTypeToken } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { RunView } from '../ledger/queries.js';
import type { PriorEntries } from '../prior/entries.js';
import { goalReferences } from './goal-references.js';
import type { GoalReferences } from './goal-references.js';

/** Parts of a goal that decide whether it can be registered at all. */
export interface Registrable extends GoalReferences {
  readonly urn: Urn;
  readonly type: string;
  readonly name: string;
  /** True for reads. */
  readonly custom: boolean;
}

/**
 * Returns the first objection to a registration, if any [REG-4]. The type must be well-formed, the URN unused in this
 * run, and the references already registered. Under targets, prior entries count as well.
 */
export function objection(
  goal: Registrable,
  view: RunView,
  prior: PriorEntries,
  targeted: boolean,
): Diagnostic | undefined {
  const { urn } = goal;
  if (goal.custom && !isTypeToken(goal.type)) {
    return errorDiagnostic(
      'CAIRN-RESOURCE-TYPE',
      `"${goal.type}" is not a type token of the form package:module:name`,
      {
        urn,
        hint: 'Use the type token that the provider documents.',
      },
    );
  }
  if (view.progress(urn) !== undefined) {
    return errorDiagnostic('CAIRN-RESOURCE-DUPLICATE', `${urn} is registered twice`, {
      urn,
      hint: 'Give one of the two another name or another parent.',
    });
  }
  const known = (target: Urn) =>
    view.progress(target) !== undefined || (targeted && prior.live(target) !== undefined);
  if (goal.parent !== undefined && goal.parent !== urn && !known(goal.parent)) {
    return errorDiagnostic(
      'CAIRN-RESOURCE-PARENT',
      `the parent ${goal.parent} of ${urn} has not been registered`,
      {
        urn,
        hint: 'Register the parent first, in the same program.',
      },
    );
  }
  const references = goalReferences(goal);
  for (let at = 0; at < references.length; at++) {
    const target = references[at] as Urn;
    if (target === urn) return cycle(urn);
    if (isProviderOf(goal, target) || known(target)) continue;
    return errorDiagnostic(
      'CAIRN-RESOURCE-OPTION',
      `${urn} refers to ${target}, which has not been registered`,
      {
        urn,
        hint: 'Register what a resource depends on before the resource itself; two resources cannot depend on each other.',
      },
    );
  }
  return undefined;
}

/**
 * Returns true for the provider of a goal. An unknown provider reference is reported when the provider is looked up.
 */
function isProviderOf(goal: GoalReferences, target: Urn): boolean {
  const { provider = '' } = goal;
  return provider.startsWith(target) && provider.startsWith('::', target.length);
}

function cycle(urn: Urn): Diagnostic {
  return errorDiagnostic('CAIRN-RESOURCE-CYCLE', `${urn} depends on itself`, {
    urn,
    hint: 'Remove the reference to itself from its parent, dependsOn, deletedWith or replaceWith.',
  });
}
