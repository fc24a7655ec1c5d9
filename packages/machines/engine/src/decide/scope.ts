import { isProviderType, isRootStackUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { deletedAhead } from './facts.js';
import type { Facts, ScopeFacts } from './facts.js';
import { goalReferences } from './goal-references.js';
import { leftOutReferences, unknownInputs } from './left-out.js';
import { targetSet } from './target-set.js';

/** What a user asks for, as it comes with the request. Absent lists name nothing. */
interface WantedScope {
  readonly targets: readonly string[];
  readonly targetDependents: boolean;
  readonly excludes?: readonly string[] | undefined;
  readonly excludeDependents?: boolean | undefined;
  readonly replace?: readonly string[] | undefined;
}

/** Who is asked about, and what is known of the others. */
type Asked = Pick<Facts, 'goal' | 'scope' | 'view'>;

/**
 * The scope as rules look at it. With targets, excludes do not count [TGT-3]. `owned`: resources of targeted snippets,
 * which are targets as well [SNIP-5]. Absent: no snippet is targeted.
 */
export function scopeFacts(wanted: WantedScope, owned?: (urn: Urn) => boolean): ScopeFacts {
  const named = targetSet(wanted.targets);
  const targets =
    owned === undefined
      ? named
      : { ...named, constrained: true, names: (urn: Urn) => named.names(urn) || owned(urn) };
  return {
    targets,
    targetDependents: wanted.targetDependents,
    excludes: targetSet(targets.constrained ? [] : (wanted.excludes ?? [])),
    excludeDependents: wanted.excludeDependents ?? false,
    replace: targetSet(wanted.replace ?? []),
  };
}

/** Whether the user leaves anything alone: then some entries stay although nobody registers them. */
export function isLimited({ targets, excludes }: ScopeFacts): boolean {
  return targets.constrained || excludes.constrained;
}

/**
 * Whether the goal takes part in the operation [TGT-4]. Providers and the root stack always
 * do. What a delete-first replacement has deleted ahead of its registration does too: its object is gone already.
 */
export function isInScope(facts: Facts): boolean {
  return !isLimited(facts.scope) || takesPart(facts) || deletedAhead(facts);
}

/** {@link isInScope} as far as the goal and what it refers to say so. */
export function takesPart(asked: Asked): boolean {
  const { goal, scope } = asked;
  if (isRootStackUrn(goal.urn)) return true;
  if (isProviderType(goal.type)) return !isOutOfReach(asked);
  return scope.targets.constrained ? isTarget(asked) : !isExcluded(asked);
}

/**
 * A provider takes part unless that cannot be: dependents of what is excluded are excluded too, and its settings are
 * not known because they come from something that was left out.
 */
function isOutOfReach({ goal, scope, view }: Asked): boolean {
  if (!scope.excludes.constrained || !scope.excludeDependents) return false;
  return leftOutReferences(goal, view).length > 0 && unknownInputs(goal, view, true) !== undefined;
}

/**
 * Whether the goal is named by the targets, itself or (with dependents) through something it refers to. The set grows
 * by every resource for which this holds; providers that merely take part do not make it grow.
 */
export function isTarget({ goal, scope, view }: Asked): boolean {
  const { targets, targetDependents } = scope;
  if (targets.names(goal.urn)) return true;
  if (!targetDependents) return false;
  for (const urn of goalReferences(goal)) if (view.isTargeted(urn) || targets.names(urn)) return true;
  return false;
}

/** Whether the goal is excluded, itself or (with dependents) through something it refers to. The set grows as well. */
function isExcluded({ goal, scope, view }: Asked): boolean {
  const { excludes, excludeDependents } = scope;
  if (excludes.names(goal.urn)) return true;
  if (!excludeDependents) return false;
  for (const urn of goalReferences(goal)) if (view.isUntouched(urn) || excludes.names(urn)) return true;
  return false;
}
