import type { ApprovalClaims } from '@cairn/changes-daemon';
import type { Hook, HookOccasion } from '../domain/hooks.js';

/** Attempt of a delivery. Times in milliseconds. No answer: code 0, and the reason as its body. */
export interface DeliveryAttempt {
  /** In seconds since 1970. */
  readonly at: number;
  readonly ms: number;
  readonly requestHeaders: string;
  readonly code: number;
  readonly responseHeaders: string;
  readonly responseBody: string;
}

/** Something that a webhook sends. The order of ids is that of what happened, as far as seconds tell it. */
export interface HookDelivery {
  readonly id: string;
  readonly organization: string;
  /** Id of the webhook. */
  readonly hook: string;
  readonly kind: HookOccasion['kind'];
  readonly body: string;
  /** Content of a link in it that approves. The link itself is made when it is sent, and is stored nowhere. */
  readonly link?: ApprovalClaims;
  /** Number of failed attempts. */
  readonly attempts: number;
  /** Undefined before the first attempt ends. */
  readonly last?: DeliveryAttempt;
}

/** Deliveries of one webhook that are kept, at least the newest ones. */
export const KEPT_DELIVERIES = 100;

/** Deliveries of webhooks. Those that are due have times by the clock of the store. */
export interface DeliveryStore {
  /** Returns the webhooks of an organization and of its stacks. In a turn, it needs no further connection. */
  webhooks(organization: string): Promise<readonly Hook[]>;
  /** Stores deliveries that are due at once. One that is there stays as it is. */
  addDeliveries(deliveries: readonly HookDelivery[]): Promise<void>;
  /** Returns deliveries that are due, the oldest first. They are due again in `ms` milliseconds, in any process. */
  takeDeliveries(most: number, ms: number): Promise<readonly HookDelivery[]>;
  /** Stores a delivery after an attempt. It is due again in `ms` milliseconds, or never. */
  putDelivery(delivery: HookDelivery, ms: number | undefined): Promise<void>;
  /** Returns the deliveries of a webhook, newest first, at most {@link KEPT_DELIVERIES}. */
  listDeliveries(organization: string, hook: string): Promise<readonly HookDelivery[]>;
  findDelivery(organization: string, hook: string, id: string): Promise<HookDelivery | undefined>;
  /** Removes the deliveries of a webhook, or those that are too many. */
  removeDeliveries(organization: string, hook: string, keep: number): Promise<void>;
}
