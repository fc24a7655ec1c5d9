import type { ProviderExtras } from '@cairn/wire';
import type { LimitSettings } from '../../model/request.js';
import { declaredFor } from '../../providers/extras.js';

/** Limits of the calls to one type. Infinity: none. */
export interface TypeLimits {
  /** At a time, over all types of the package. */
  readonly ofPackage: number;
  /** At a time, for this type. */
  readonly ofType: number;
  /** Names of inputs that make the key of mutual exclusion; empty: no exclusion. */
  readonly exclusive: readonly string[];
}

/** Which limits hold for a type: what the user has set, else what the provider declares, else none [REC-17]. */
export function typeLimits(
  pkg: string,
  type: string,
  settings: LimitSettings,
  declared: ProviderExtras | undefined,
): TypeLimits {
  const set = settings.get(type);
  const said = declaredFor(type, declared);
  return {
    ofPackage: atLeastOne(settings.get(pkg)?.maxInFlight ?? declared?.maxInFlight),
    ofType: atLeastOne(set?.maxInFlight ?? said?.maxInFlight),
    exclusive: set?.exclusive ?? said?.exclusive ?? [],
  };
}

/** A provider that declares nonsense must not stop an operation for good. */
function atLeastOne(most: number | undefined): number {
  if (most === undefined || Number.isNaN(most)) return Infinity;
  return Math.max(1, Math.floor(most));
}
