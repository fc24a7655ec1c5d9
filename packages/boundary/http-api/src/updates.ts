import * as v from 'valibot';
import { ChangeEndRequest, ChangeRequest } from './changes.js';
import type { StartedChange } from './changes.js';
import { Tags } from './stacks.js';

/** Value of the configuration. `string` is ciphertext if it is secret, and JSON text if it is an object. */
export const ConfigValueMessage = v.object({
  string: v.optional(v.string(), ''),
  secret: v.optional(v.boolean(), false),
  object: v.optional(v.boolean(), false),
});

export type ConfigValueMessage = v.InferOutput<typeof ConfigValueMessage>;

/** Request that creates an update. A preview is one whose `dryRun` is set, whatever its path. */
export const CreateUpdateRequest = v.object({
  options: v.optional(v.object({ dryRun: v.optional(v.boolean(), false) }), {}),
  config: v.nullish(v.record(v.string(), ConfigValueMessage), {}),
  metadata: v.optional(
    v.object({
      message: v.optional(v.string(), ''),
      environment: v.nullish(v.record(v.string(), v.string()), {}),
    }),
    {},
  ),
  change: v.optional(ChangeRequest),
});

export const StartUpdateRequest = v.object({
  tags: v.nullish(Tags),
  journalVersion: v.optional(v.number()),
  /** Place of the client in the queue of the stack. */
  ticket: v.optional(v.string()),
});

/** Answer to a start. `tokenExpiration` is in seconds since 1970. `journalVersion` 1 asks for journal entries. */
export interface StartUpdateAnswer {
  readonly version: number;
  readonly token: string;
  readonly tokenExpiration: number;
  readonly journalVersion: 0 | 1;
  readonly change?: StartedChange;
  /** Address of its page in the console, if the service knows its own. */
  readonly consoleUrl?: string;
}

/** Longest lease, in seconds. */
export const LONGEST_LEASE = 300;

export const RenewLeaseRequest = v.object({
  duration: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(LONGEST_LEASE)), LONGEST_LEASE),
});

export interface RenewLeaseAnswer {
  readonly token: string;
  readonly tokenExpiration: number;
}

export const CompleteRequest = v.object({
  status: v.picklist(['succeeded', 'failed']),
  change: v.optional(ChangeEndRequest),
});

/** Events of one batch. Their order and their gaps do not matter, and duplicates are dropped. */
export const EventsRequest = v.object({
  events: v.array(
    v.looseObject({
      sequence: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      summaryEvent: v.optional(
        v.looseObject({ resourceChanges: v.nullish(v.record(v.string(), v.number())) }),
      ),
    }),
  ),
});

/** Status of an update on the wire. */
export type WireStatus = 'not started' | 'running' | 'failed' | 'succeeded';

/** Answer of `GET` of an update. Its events are at their own route. */
export interface UpdateStatusAnswer {
  readonly status: WireStatus;
  readonly events: readonly never[];
}
