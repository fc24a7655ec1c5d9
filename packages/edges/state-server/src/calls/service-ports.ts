import type { StackId } from '@cairn/backends';
import type { SignInSettings } from './sign-in-settings.js';
import type { PasswordDigests } from '../crypto/passwords.js';
import type { StackKeys } from '../crypto/stack-keys.js';
import type { ServiceStore, StackStore } from '../store/service-store.js';

/** Learns of what the service does, for metrics. */
export interface ServiceObserver {
  updateEnded(status: 'succeeded' | 'failed' | 'cancelled'): void;
  batchStored(entries: number): void;
}

/** Outside facilities of the calls. */
export interface ServicePorts {
  readonly store: ServiceStore;
  readonly keys: StackKeys;
  readonly now: () => Date;
  /** Returns milliseconds on a clock that never jumps. */
  readonly monotonic: () => number;
  /** Returns a fresh UUID. */
  readonly newId: () => string;
  /** Version text for manifests, e.g. `v0.1.0`. */
  readonly version: string;
  /** Number of changes of a stack whose records are kept. */
  readonly retention: number;
  /** Time after which an unknown key of an issuer is asked for again, in milliseconds. Defaults to 5 s. */
  readonly keyCooldownMs?: number;
  /** Address at which clients reach the service. Defaults to that of the sign-in. */
  readonly url?: string | undefined;
  /** Settings of the sign-in of people. Defaults to none. */
  readonly signIn?: SignInSettings | undefined;
  /** Digests of passwords, if users may sign in with one. Defaults to none. */
  readonly passwords?: PasswordDigests | undefined;
  /** Receives failures that no client sees. */
  readonly failed: (what: string, thrown: unknown) => void;
  readonly observer?: ServiceObserver | undefined;
  /** Begins to continue a change, if this process has the providers for it. Defaults to none. */
  readonly continueChange?: ContinueChange | undefined;
}

/**
 * Begins a resume or a rollback of a change. Resolves with undefined once it has begun, or with the reason why it did
 * not.
 */
export type ContinueChange = (
  stack: StackId,
  number: number,
  how: 'resume' | 'rollback',
) => Promise<string | undefined>;

/** Outside facilities of work in a turn. */
export interface TurnPorts extends Omit<ServicePorts, 'store'> {
  readonly store: StackStore;
}

/** Runs work in a turn of stacks. */
export function inStackTurn<T>(
  ports: ServicePorts,
  stacks: readonly StackId[],
  work: (ports: TurnPorts) => Promise<T>,
): Promise<T> {
  return ports.store.turn(stacks, (store) => work({ ...ports, store }));
}

/** Returns whole seconds since 1970. */
export function seconds(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}
