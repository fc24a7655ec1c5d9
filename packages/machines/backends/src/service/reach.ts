import type { ServiceAccess } from '../service-part.js';

/** Account at a state service. */
export interface ServiceAccount {
  readonly username: string;
  /** Organizations that it may work in. */
  readonly organizations: readonly string[];
}

/** Means to reach any state service. `version` is that of the client. */
export interface ServiceReach {
  readonly version: string;
  readonly access: (url: string) => Promise<ServiceAccess>;
}

/** Stack of a service as a state of type `service` names it. `names` are the parameters of its routes. */
export interface SecretsAddress {
  readonly url: string;
  readonly names: Readonly<Record<'org' | 'project' | 'stack', string>>;
}
