import * as v from 'valibot';
import type { UserInfoAnswer } from './access.js';
import { ConfigValueMessage } from './updates.js';

/** Update as the history lists it. Times are in seconds since 1970. */
export interface UpdateInfo {
  readonly kind: string;
  readonly startTime: number;
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, ConfigValueMessage>>;
  readonly result: 'not-started' | 'in-progress' | 'succeeded' | 'failed';
  readonly endTime: number;
  readonly version: number;
  readonly resourceChanges?: Readonly<Record<string, number>>;
  /** Our own member: the change, if the other fields do not say it all. */
  readonly cairn?: { readonly change: string; readonly kind: string; readonly result: string };
}

/** Preview in a list. `latestVersion` is that of the stack. */
interface PreviewRow {
  readonly updateID: string;
  readonly info: UpdateInfo;
  readonly version: number;
  readonly latestVersion: number;
  readonly requestedBy: UserInfoAnswer;
}

/** Answer of the list of previews. `total` counts those of all pages. */
export interface PreviewsAnswer {
  readonly updates: readonly PreviewRow[];
  readonly itemsPerPage: number;
  readonly total: number;
}

/** Update of the history, as its reader takes it from any service. */
export const UpdateBody = v.object({
  kind: v.string(),
  startTime: v.optional(v.number(), 0),
  message: v.optional(v.string(), ''),
  environment: v.nullish(v.record(v.string(), v.string()), {}),
  config: v.nullish(v.record(v.string(), ConfigValueMessage), {}),
  result: v.string(),
  endTime: v.optional(v.number(), 0),
  version: v.optional(v.number(), 0),
  resourceChanges: v.nullish(v.record(v.string(), v.number())),
  cairn: v.nullish(v.object({ change: v.string(), kind: v.string(), result: v.string() })),
});

const seconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/**
 * Request that adds an update of the past to the history. `version` of `info` is its number there. `state` is the
 * export document after the update, if it is known; it is passed on as text.
 */
export const ImportVersionRequest = v.object({
  info: v.object({
    ...UpdateBody.entries,
    kind: v.picklist(['update', 'refresh', 'destroy', 'resource-import', 'preview', 'import', 'rename']),
    result: v.picklist(['succeeded', 'failed', 'in-progress']),
    startTime: seconds,
    endTime: seconds,
    version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  }),
  state: v.optional(v.unknown()),
});
