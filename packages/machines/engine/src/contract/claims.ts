import type { ResourceEntry } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import { fulfils } from './rules.js';
import type { ClaimingStep, ObjectClaim } from '../model/claims.js';
import { oldOf } from '../model/step.js';

/**
 * Returns true if a step has the premises of a claim: the same kind and old object, and the claimed inputs with
 * unknowns filled in.
 */
export function hasPremises(claim: ObjectClaim, step: ClaimingStep): boolean {
  return (
    claim.kind === step.kind && isSameObject(claim.old, oldOf(step)) && fulfils(claim.inputs, step.new.inputs)
  );
}

function isSameObject(a: ResourceEntry | undefined, b: ResourceEntry | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return a.id === b.id && equalMaps(a.inputs, b.inputs) && equalMaps(a.outputs, b.outputs);
}
