import { isRootStackUrn, isUrn, joinUrn, urnParts } from '@cairn/addresses';
import { renameEverywhere } from '../rename-everywhere.js';
import type { SerializedDeployment } from '../serialized.js';

/** Names of a stack and its project. */
export interface StackNames {
  readonly project: string;
  readonly stack: string;
}

/**
 * The state of a stack under another name [STORE-12]: every URN of the old stack and project, aliases included, also
 * where values refer to resources, unless they are sealed. The root stack resource gets the name that it has in the new
 * stack, whatever it is called. URNs of other stacks stay.
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
