import { isProviderType, isRootStackUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { deletedAhead } from './facts.js';
import type { Facts, ScopeFacts } from './facts.js';
import { goalReferences } from './goal-references.js';
import { leftOutReferences, unknownInputs } from './left-out.js';
import { targetSet } from './target-set.js';

/** Scope of the user's request. Lists default to empty. */
interface WantedScope {
  readonly targets: readonly string[];
  readonly targetDependents: boolean;
  readonly excludes?: readonly string[] | undefined;
  readonly excludeDependents?: boolean | undefined;
  readonly replace?: readonly string[] | undefined;
}

/** Goal in question, and facts about the others. */
type Asked = Pick<Facts, 'goal' | 'scope' | 'view'>;

/**
 * Returns the scope for rules. With targets, excludes do not count [TGT-3]. `owned` matches resources of targeted
 * snippets, which are targets as well [SNIP-5]. It is undefined if no snippet is targeted.
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

/** Returns true if the user limits the operation: then some entries stay although they are not registered. */
export function isLimited({ targets, excludes }: ScopeFacts): boolean {
  return targets.constrained || excludes.constrained;
}

/**
 * Returns true if the goal takes part in the operation [TGT-4]. Providers and the root stack always do. So does a
 * resource that a delete-first replacement has deleted ahead of its registration: its object is already gone.
 */
export function isInScope(facts: Facts): boolean {
  return !isLimited(facts.scope) || takesPart(facts) || deletedAhead(facts);
}

/** Does the same as {@link isInScope}, but considers only the goal and its references. */
export function takesPart(asked: Asked): boolean {
  const { goal, scope } = asked;
  if (isRootStackUrn(goal.urn)) return true;
  if (isProviderType(goal.type)) return !isOutOfReach(asked);
  return scope.targets.constrained ? isTarget(asked) : !isExcluded(asked);
}

/**
 * Returns true if a provider cannot take part. Dependents of excluded resources are excluded too, and its settings are
 * unknown because they come from a resource that was left out.
 */
function isOutOfReach({ goal, scope, view }: Asked): boolean {
  if (!scope.excludes.constrained || !scope.excludeDependents) return false;
  return leftOutReferences(goal, view).length > 0 && unknownInputs(goal, view, true) !== undefined;
}

/**
 * Returns true if the targets name the goal, itself or (with dependents) through a reference. The set grows by every
 * such resource. Providers that merely take part do not extend it.
 */
export function isTarget({ goal, scope, view }: Asked): boolean {
  const { targets, targetDependents } = scope;
  if (targets.names(goal.urn)) return true;
  if (!targetDependents) return false;
  for (const urn of goalReferences(goal)) if (view.isTargeted(urn) || targets.names(urn)) return true;
  return false;
}

/** Returns true if the goal is excluded, itself or (with dependents) through a reference. The set grows as well. */
function isExcluded({ goal, scope, view }: Asked): boolean {
  const { excludes, excludeDependents } = scope;
  if (excludes.names(goal.urn)) return true;
  if (!excludeDependents) return false;
  for (const urn of goalReferences(goal)) if (view.isUntouched(urn) || excludes.names(urn)) return true;
  return false;
}
