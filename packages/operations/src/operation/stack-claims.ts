import type { LeaseOptions } from '@cairn/backends';
import { claimsOf } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import { openState } from './state-of-stack.js';
import { scopeOf } from '../options/scope.js';
import type { Operation } from './operation.js';
import type { Prepared } from './prepared.js';

/**
 * What an operation with targets holds of the stack, so that others may work beside it [REC-16]; undefined: the whole
 * stack.
 */
export async function claimsForLease(
  prepared: Prepared,
  operation: Operation,
): Promise<LeaseOptions['claims']> {
  const { targets, targetDependents } = scopeOf(operation, emptySnapshot).scope;
  if (targets.length === 0 || operation.kind === 'import') return undefined;
  const { deployment } = await prepared.backend.read(prepared.id);
  if (deployment === undefined) return undefined;
  const { resources } = await openState(prepared, deployment);
  return claimsOf({ targets, targetDependents }, resources);
}
