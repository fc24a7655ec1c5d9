import type { ServiceAccess } from '../service-part.js';

/** Account at a state service. */
export interface ServiceAccount {
  readonly username: string;
  /** Organizations that it may work in. */
  readonly organizations: readonly string[];
}

/** Token of an issuer that is exchanged for one of the service. */
export interface TokenExchange {
  readonly organization: string;
  /** Holder of the new token: `team:NAME`, `user:LOGIN`, or empty for the organization. */
  readonly scope: string;
  readonly token: string;
  /** Life of the new token in seconds; 0 leaves it to the service. */
  readonly expiration: number;
}

/** Means to reach any state service. `version` is that of the client. */
export interface ServiceReach {
  readonly version: string;
  readonly access: (url: string) => Promise<ServiceAccess>;
  /** Returns the address of the service whose stacks are worked on, or `undefined` over a bucket. Optional. */
  readonly present?: () => string | undefined;
}

/** Stack of a service as a state of type `service` names it. `names` are the parameters of its routes. */
export interface SecretsAddress {
  readonly url: string;
  readonly names: Readonly<Record<'org' | 'project' | 'stack', string>>;
}
