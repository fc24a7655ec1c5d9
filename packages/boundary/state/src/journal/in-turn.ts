import { checkIntegrity } from '../document/integrity.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';

/**
 * Returns the deployment with its resources in the order in which an operation ended their steps [STATE-8]. `order` is
 * positions in the list as the journal gives it. Returns the same deployment if `order` does not cover the whole list,
 * or leaves it as it is. Does so too if an entry would precede one it refers to, since every reader refuses such a
 * state [INT-2].
 */
export function inTurn(
  deployment: SerializedDeployment,
  order: readonly number[] | undefined,
): SerializedDeployment {
  const { resources } = deployment;
  if (order === undefined || order.length !== resources.length) return deployment;
  if (order.every((position, index) => position === index)) return deployment;
  const turned = order.map((position) => resources[position]);
  if (!isWhole(turned) || new Set(order).size !== order.length) return deployment;
  const ordered = { ...deployment, resources: turned };
  return checkIntegrity(ordered, 'read').failure === undefined ? ordered : deployment;
}

function isWhole(
  resources: readonly (SerializedResource | undefined)[],
): resources is readonly SerializedResource[] {
  return !resources.includes(undefined);
}
