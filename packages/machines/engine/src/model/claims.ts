import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { StepOf } from './step.js';

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
