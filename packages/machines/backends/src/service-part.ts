import type {
  DriftRunBody,
  DriftStatusBody,
  HookBody,
  HookDeliveryBody,
  ScheduleBody,
} from '@cairn/http-api';
import type { SecretsProviderRecord } from '@cairn/state';
import type { OperationStart } from './model/operation-log.js';
import type * as v from 'valibot';
import type { PastUpdate } from './model/past-update.js';
import type { StackId } from './stack-id.js';

/** Part of a backend that only a state service has. */
export interface ServicePart {
  /** Organization of stacks that are named without one. */
  readonly organization: string;
  /** Returns the secrets manager of a new stack whose keys the service keeps. */
  secretsProvider(stack: StackId): SecretsProviderRecord;
  /** Fails with `CAIRN-CHANGES-NOT-KEPT` if the service does not keep the records of changes. */
  requireChanges(): Promise<void>;
  /** Makes a link that opens the console of the service once, within 5 minutes. */
  consoleLink(): Promise<string>;
  /**
   * Sends a preview that has ended, so that the service can show it. It holds nothing. Resolves with the address of the
   * page that shows it, if the service has one.
   */
  sendPreview(stack: StackId, preview: SentPreview): Promise<string | undefined>;
  /**
   * Adds an update of the past, which another backend had, to the history, with the state after it as that of the
   * stack. `number` is its place, from 1. Adding it again changes nothing. Resolves with false if the service does not
   * take any, or not from this user.
   */
  addHistory(stack: StackId, number: number, update: Omit<PastUpdate, 'order'>): Promise<boolean>;
  /** Returns the webhooks of a stack. Only its administrators may use them. */
  hooks(stack: StackId): Promise<StackHooks>;
  /** Returns the schedules of a stack, which agents follow, and its looks for drift. */
  schedules(stack: StackId): Promise<StackSchedules>;
  /** Returns the settings by which agents run a stack. */
  settings(stack: StackId): Promise<ServedSettings>;
}

/** Webhook of a stack. */
export type StackHook = v.InferOutput<typeof HookBody>;

/** Delivery of a webhook. */
export type StackHookDelivery = v.InferOutput<typeof HookDeliveryBody>;

/**
 * Settings of a webhook. Without events and groups it is about every event. A change without a secret leaves
 * it; `NO_HOOK_SECRET` removes it.
 */
export interface StackHookSettings {
  readonly displayName: string;
  readonly payloadUrl: string;
  readonly active: boolean;
  readonly format: string;
  readonly filters: readonly string[];
  readonly groups: readonly string[];
  readonly secret: string | undefined;
  /** User as whom links that approve count. An empty text removes it. */
  readonly cairn?: { readonly links: string };
}

/** Webhooks of one stack, by the names that the service has given them. */
export interface StackHooks {
  list(): Promise<readonly StackHook[]>;
  get(name: string): Promise<StackHook>;
  create(hook: StackHookSettings): Promise<StackHook>;
  change(name: string, settings: StackHookSettings): Promise<StackHook>;
  remove(name: string): Promise<void>;
  /** Sends an event of kind `ping` at once, and returns how it was answered. */
  ping(name: string): Promise<StackHookDelivery>;
  /** Returns the deliveries that are kept, newest first. */
  deliveries(name: string): Promise<readonly StackHookDelivery[]>;
  redeliver(name: string, delivery: string): Promise<StackHookDelivery>;
}

/** Members of deployment settings, as JSON has them. Secrets are sealed. */
export type SettingsMembers = Readonly<Record<string, unknown>>;

/** Settings by which agents of a service run one stack. */
export interface ServedSettings {
  /** Resolves with undefined if there are none. */
  get(): Promise<SettingsMembers | undefined>;
  /** Merges a change into them; `null` removes a member. Resolves with the settings afterwards. */
  change(patch: SettingsMembers): Promise<SettingsMembers>;
  remove(): Promise<void>;
}

/** Schedule of a stack. */
export type StackSchedule = v.InferOutput<typeof ScheduleBody>;

/** Look for drift of a stack. */
export type StackDriftRun = v.InferOutput<typeof DriftRunBody>;

/** Kind of a schedule: of an operation, of looks for drift, or of the end of a stack. */
export type ScheduleKind = 'raw' | 'drift' | 'ttl';

/**
 * Content of a schedule: `cron` in UTC, or `once`, RFC 3339. `also`: drift that is found is put back, or the stack is
 * removed after it was destroyed.
 */
export interface ScheduleContent {
  readonly kind: ScheduleKind;
  readonly cron: string | undefined;
  readonly once: string | undefined;
  /** Zone of the clock of `cron`. Defaults to UTC. */
  readonly zone: string | undefined;
  /** Longest delay of a time of `cron`, such as `10m`. Defaults to none. */
  readonly jitter: string | undefined;
  readonly operation: string | undefined;
  readonly also: boolean;
}

/** Schedules of one stack, by their ids, and its looks for drift. */
export interface StackSchedules {
  list(): Promise<readonly StackSchedule[]>;
  get(id: string): Promise<StackSchedule>;
  create(content: ScheduleContent): Promise<StackSchedule>;
  change(id: string, content: ScheduleContent): Promise<StackSchedule>;
  setPaused(id: string, paused: boolean): Promise<void>;
  remove(id: string): Promise<void>;
  driftStatus(): Promise<v.InferOutput<typeof DriftStatusBody>>;
  /** Returns at most so many looks for drift, newest first, and how many are kept. */
  driftRuns(most: number): Promise<{ readonly runs: readonly StackDriftRun[]; readonly total: number }>;
}

/** Preview as a service keeps it. `events` are bodies in the exchange format, in order. */
export interface SentPreview {
  readonly start: OperationStart;
  readonly events: readonly object[];
  readonly succeeded: boolean;
}

/** Means of access to a state service. */
export interface ServiceAccess {
  /** Undefined if the user has none. The first call that needs one then fails with `CAIRN-STORE-CREDENTIALS`. */
  readonly token: string | undefined;
  /** Organization of stacks that are named without one, if the user has chosen it. Defaults to that of the service. */
  readonly organization: string | undefined;
  /** Name of the account, if it is known. */
  readonly username: string | undefined;
}
