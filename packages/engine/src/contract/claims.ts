import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { StepOf } from '../steps/step.js';
import { fulfils } from './rules.js';

/** Steps that show values before they are applied. */
export type ClaimingStep = StepOf<'create' | 'create-replacement' | 'update'>;

/** What a provider claimed about one resource in a preview, and on which premises. */
export interface Claim {
  readonly kind: ClaimingStep['kind'];
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  readonly old: ResourceEntry | undefined;
}

/** What a preview has shown; handed to the operation that follows it. */
export interface PreviewClaims {
  /** Of the resources that the preview would change, and of no others. */
  readonly byUrn: ReadonlyMap<Urn, Claim>;
  /** What names were made up from. */
  readonly seedKey: Uint8Array;
}

/** Whether a step has the premises of a claim: the same kind, the same old object, the inputs with unknowns filled in. */
export function hasPremises(claim: Claim, step: ClaimingStep): boolean {
  return (
    claim.kind === step.kind && isSameObject(claim.old, oldOf(step)) && fulfils(claim.inputs, step.new.inputs)
  );
}

function oldOf(step: ClaimingStep): ResourceEntry | undefined {
  return step.kind === 'create' ? undefined : step.old;
}

function isSameObject(a: ResourceEntry | undefined, b: ResourceEntry | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return a.id === b.id && equalMaps(a.inputs, b.inputs) && equalMaps(a.outputs, b.outputs);
}
