import type { ProviderExtras } from '@cairn/wire';
import type { LimitSettings } from '../../model/request.js';
import { declaredFor } from '../../providers/extras.js';

/** Limits of the calls to one type. Infinity if there is none. */
export interface TypeLimits {
  /** Maximum number of concurrent calls over all types of the package. */
  readonly ofPackage: number;
  /** Maximum number of concurrent calls for this type. */
  readonly ofType: number;
  /** Names of inputs that form the key of mutual exclusion. Empty: no exclusion. */
  readonly exclusive: readonly string[];
}

/**
 * Returns the limits for a type: the user's settings, otherwise the provider's declaration, otherwise none [REC-17].
 */
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

/** Returns a limit of at least one. An invalid declaration of a provider must not stop an operation forever. */
function atLeastOne(most: number | undefined): number {
  if (most === undefined || Number.isNaN(most)) return Infinity;
  return Math.max(1, Math.floor(most));
}
