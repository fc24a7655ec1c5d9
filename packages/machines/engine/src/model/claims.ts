import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { StepOf } from './step.js';

/** Steps that show values before they are applied. */
export type ClaimingStep = StepOf<'create' | 'create-replacement' | 'update'>;

/** Outputs that a provider claimed for one resource in a preview, and the premises of the claim. */
export interface ObjectClaim {
  readonly kind: ClaimingStep['kind'];
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  readonly old: ResourceEntry | undefined;
}

/** Values that a preview showed. The operation that follows it receives them. */
export interface PreviewClaims {
  /** Claims about the resources that the preview would change, and no others. */
  readonly byUrn: ReadonlyMap<Urn, ObjectClaim>;
  /** Key from which names were made up. */
  readonly seedKey: Uint8Array;
}
