import type { StackKeys } from '../crypto/stack-keys.js';
import type { ServiceStore } from '../store/service-store.js';

/** Outside facilities of the calls. */
export interface ServicePorts {
  readonly store: ServiceStore;
  readonly keys: StackKeys;
  readonly now: () => Date;
  /** Returns milliseconds on a clock that never jumps. Leases use it. */
  readonly monotonic: () => number;
  /** Returns a fresh UUID. */
  readonly newId: () => string;
  /** Version text for manifests, e.g. `v0.1.0`. */
  readonly version: string;
  /** Receives failures that no client sees. */
  readonly failed: (what: string, thrown: unknown) => void;
}

/** Returns whole seconds since 1970. */
export function seconds(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}
