import type { LeaseOptions } from '@cairn/backends';
import { claimsOf } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import type { World } from '../world.js';
import type { Operation } from './operate.js';
import type { Prepared } from './prepare.js';
import { scopeOf } from './scope.js';
import { openState } from './state-of-stack.js';

/**
 * What an operation with targets holds of the stack, so that others may work beside it [REC-16]; undefined: the whole
 * stack.
 */
export async function claimsForLease(
  world: World,
  prepared: Prepared,
  operation: Pick<Operation, 'kind' | 'flags'>,
): Promise<LeaseOptions['claims']> {
  const { targets, targetDependents } = scopeOf(operation, emptySnapshot).scope;
  if (targets.length === 0 || operation.kind === 'import') return undefined;
  const { deployment } = await prepared.backend.read(prepared.id);
  if (deployment === undefined) return undefined;
  const { resources } = await openState(world, prepared, deployment);
  return claimsOf({ targets, targetDependents }, resources);
}
