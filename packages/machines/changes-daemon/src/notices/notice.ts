import { BugError } from '@cairn/diagnostics';
import type { Micros } from './instant.js';
import { formatMicros, parseMicros } from './instant.js';

/**
 * Types of notices and their keys: `any` text, or `-` if there is only one notice of the type.
 *
 * - `change-update`: the status of a change (key: its id).
 * - `warning`: a message for people (key: the text).
 * - `waiting`: a task waits for a person (key: CHANGE/TASK).
 * - `upkeep-paused`: the ensure loop gives way to a user's operation.
 * - `drift-found`: objects of a stack differ from its record (key: the stack).
 * - `approval-wanted`: a run waits for approvals (key: the run).
 * - `run-failed`: a run failed, was refused, or expired (key: the run).
 * - `afterwards-failed`: a command after the operation of a run failed (key: the run).
 * - `run-held`: the operation of a run needs a person, or the end of another operation (key: the run).
 * - `run-recovered`: the operation of a run that died was resumed or rolled back (key: the run).
 * - `source-failed`: the program of a stack cannot be read (key: the stack).
 * - `forge-failed`: a call of a forge failed (key: the forge).
 * - `agent-lost`: an agent ended without releasing its folder (key: its name).
 */
export const NOTICE_TYPES = {
  'change-update': 'any',
  warning: 'any',
  waiting: 'any',
  'upkeep-paused': '-',
  'drift-found': 'any',
  'approval-wanted': 'any',
  'run-failed': 'any',
  'afterwards-failed': 'any',
  'run-held': 'any',
  'run-recovered': 'any',
  'source-failed': 'any',
  'forge-failed': 'any',
  'agent-lost': 'any',
} as const satisfies Record<string, 'any' | '-'>;

export type NoticeType = keyof typeof NOTICE_TYPES;

/** Longest key, in bytes. */
const KEY_BYTES = 256;
/** Time after its last occurrence at which a notice is deleted. */
export const NOTICE_EXPIRY_MS = 7 * 24 * 3_600_000;

/** Item that clients poll for: one per owner, type and key, however often it occurs [CHG-22]. */
export interface StoredNotice {
  /** Decimal string, in the order of first occurrence. */
  readonly id: string;
  /** User who may see it; `undefined` if all users may. */
  readonly owner: string | undefined;
  readonly type: NoticeType;
  readonly key: string;
  readonly firstOccurred: Micros;
  readonly lastOccurred: Micros;
  /** Time by which clients order and poll. It moves when the notice is worth reporting again. */
  readonly lastRepeated: Micros;
  readonly occurrences: number;
  /** Data of the last occurrence. */
  readonly data: Readonly<Record<string, string>>;
  /** Milliseconds; with 0 every occurrence is reported. */
  readonly repeatAfterMs: number;
  readonly expireAfterMs: number;
}

/** One occurrence of a notice. */
export interface Occurrence {
  readonly data?: Readonly<Record<string, string>>;
  /** Milliseconds since the last report during which the notice is not reported again. Defaults to 0. */
  readonly repeatAfterMs?: number;
}

/** Filter of a client. A notice must meet all conditions. */
export interface NoticeFilter {
  /** Selects notices of this owner and those for all users. Defaults to all notices. */
  readonly owner?: string;
  readonly types?: readonly NoticeType[];
  readonly keys?: readonly string[];
  /** Selects notices reported later than this. */
  readonly after?: Micros;
  /** Selects notices reported at this time or earlier. */
  readonly beforeOrAt?: Micros;
}

/** Returns the name that identifies a notice. */
export function noticeName(owner: string | undefined, type: NoticeType, key: string): string {
  return JSON.stringify([owner ?? null, type, key]);
}

/** Returns a text as a key, cut after a whole character to the length that a key may have. */
export function noticeKey(text: string): string {
  let key = '';
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > KEY_BYTES) break;
    key += character;
  }
  return key;
}

/** Throws a BugError if there can be no such notice. */
export function checkNotice(type: string, key: string): void {
  if (!Object.hasOwn(NOTICE_TYPES, type)) throw new BugError(`cannot add notice of unknown type "${type}"`);
  if (key === '') throw new BugError(`cannot add ${type} notice with an empty key`);
  if (Buffer.byteLength(key) > KEY_BYTES)
    throw new BugError(`cannot add ${type} notice: its key is longer than ${KEY_BYTES} bytes`);
  if (NOTICE_TYPES[type as NoticeType] === '-' && key !== '-')
    throw new BugError(`cannot add ${type} notice with the key "${key}": only "-" is one`);
}

/**
 * Returns the notice after another occurrence at `now`, and whether it is worth reporting. The repeat time of this
 * occurrence decides, not that of an earlier one [CHG-22].
 */
export function reoccur(
  notice: StoredNotice,
  now: Micros,
  { data, repeatAfterMs = 0 }: Occurrence,
): { notice: StoredNotice; repeated: boolean } {
  const repeated = repeatAfterMs === 0 || now >= notice.lastRepeated + repeatAfterMs * 1000;
  return {
    repeated,
    notice: {
      ...notice,
      occurrences: notice.occurrences + 1,
      lastOccurred: now,
      lastRepeated: repeated ? now : notice.lastRepeated,
      data: data ?? {},
      repeatAfterMs,
    },
  };
}

export function hasExpired(notice: StoredNotice, now: Micros): boolean {
  return notice.lastOccurred + notice.expireAfterMs * 1000 < now;
}

export function matches(notice: StoredNotice, filter: NoticeFilter): boolean {
  const { owner, types, keys, after, beforeOrAt } = filter;
  if (owner !== undefined && notice.owner !== undefined && notice.owner !== owner) return false;
  if (types !== undefined && types.length > 0 && !types.includes(notice.type)) return false;
  if (keys !== undefined && keys.length > 0 && !keys.includes(notice.key)) return false;
  if (after !== undefined && notice.lastRepeated <= after) return false;
  return beforeOrAt === undefined || notice.lastRepeated <= beforeOrAt;
}

/**
 * Form of a notice in the store and for clients. Times are RFC 3339, durations milliseconds; empty values and 0 are
 * left out.
 */
export interface NoticeJson {
  readonly id: string;
  readonly owner?: string;
  readonly type: NoticeType;
  readonly key: string;
  readonly 'first-occurred': string;
  readonly 'last-occurred': string;
  readonly 'last-repeated': string;
  readonly occurrences: number;
  readonly 'last-data'?: Readonly<Record<string, string>>;
  readonly 'repeat-after-ms'?: number;
  readonly 'expire-after-ms': number;
}

export function noticeToJson(notice: StoredNotice): NoticeJson {
  return {
    id: notice.id,
    ...(notice.owner !== undefined && { owner: notice.owner }),
    type: notice.type,
    key: notice.key,
    'first-occurred': formatMicros(notice.firstOccurred),
    'last-occurred': formatMicros(notice.lastOccurred),
    'last-repeated': formatMicros(notice.lastRepeated),
    occurrences: notice.occurrences,
    ...(Object.keys(notice.data).length > 0 && { 'last-data': notice.data }),
    ...(notice.repeatAfterMs > 0 && { 'repeat-after-ms': notice.repeatAfterMs }),
    'expire-after-ms': notice.expireAfterMs,
  };
}

export function noticeFromJson(json: NoticeJson): StoredNotice {
  const time = (member: 'first-occurred' | 'last-occurred' | 'last-repeated'): Micros => {
    const micros = parseMicros(json[member]);
    if (micros === undefined)
      throw new Error(`"${member}" of notice ${json.id} is not a time: ${json[member]}`);
    return micros;
  };
  return {
    id: json.id,
    owner: json.owner,
    type: json.type,
    key: json.key,
    firstOccurred: time('first-occurred'),
    lastOccurred: time('last-occurred'),
    lastRepeated: time('last-repeated'),
    occurrences: json.occurrences,
    data: json['last-data'] ?? {},
    repeatAfterMs: json['repeat-after-ms'] ?? 0,
    expireAfterMs: json['expire-after-ms'],
  };
}
