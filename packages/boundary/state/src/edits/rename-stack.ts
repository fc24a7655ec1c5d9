import { isRootStackUrn, isUrn, joinUrn, urnParts } from '@cairn/addresses';
import { renameEverywhere } from '../graph/rename-everywhere.js';
import type { SerializedDeployment } from '../document/serialized.js';

/** Names of a stack and its project. */
export interface StackNames {
  readonly project: string;
  readonly stack: string;
}

/**
 * Returns the state of a stack under another name [STORE-12]. It changes every URN of the old stack and project,
 * including aliases and references in values, unless they are sealed. The root stack resource gets the name that it has
 * in the new stack, whatever its present name. URNs of other stacks remain.
 */
export function renamedStack(
  deployment: SerializedDeployment,
  from: StackNames,
  to: StackNames,
): SerializedDeployment {
  const rename = (urn: string): string => {
    if (!isUrn(urn)) return urn;
    const parts = urnParts(urn);
    if (parts.stack !== from.stack || parts.project !== from.project) return urn;
    const name = isRootStackUrn(urn) ? `${to.project}-${to.stack}` : parts.name;
    return joinUrn(to.stack, to.project, parts.qualifiedType, name);
  };
  return renameEverywhere(deployment, rename, { aliases: true });
}
