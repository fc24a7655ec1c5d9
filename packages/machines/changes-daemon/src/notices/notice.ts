import { BugError } from '@cairn/diagnostics';
import type { Micros } from './instant.js';
import { formatMicros, parseMicros } from './instant.js';

/**
 * What a notice may be about, and what its keys are: `any` text, or `-` because there is one of its kind only.
 * `change-update`: the status of a change (key: its id). `warning`: somebody should know (key: the text). `waiting`: a
 * task waits for a person (key: CHANGE/TASK). `upkeep-paused`: the ensure loop gives way to a user's operation.
 */
export const NOTICE_TYPES = {
  'change-update': 'any',
  warning: 'any',
  waiting: 'any',
  'upkeep-paused': '-',
} as const satisfies Record<string, 'any' | '-'>;

export type NoticeType = keyof typeof NOTICE_TYPES;

/** Longest key, in bytes. */
const KEY_BYTES = 256;
/** A notice is forgotten so long after it last occurred. */
export const NOTICE_EXPIRY_MS = 7 * 24 * 3_600_000;

/** Something that clients poll for: one per owner, type and key, however often it occurs [CHG-22]. */
export interface Notice {
  /** Decimal string, in the order of first occurrence. */
  readonly id: string;
  /** Who may see it; undefined: everybody. */
  readonly owner: string | undefined;
  readonly type: NoticeType;
  readonly key: string;
  readonly firstOccurred: Micros;
  readonly lastOccurred: Micros;
  /** What clients order and poll by: it moves when the notice is worth telling again. */
  readonly lastRepeated: Micros;
  readonly occurrences: number;
  /** Of the last occurrence. */
  readonly data: Readonly<Record<string, string>>;
  /** Milliseconds; 0: every occurrence is told. */
  readonly repeatAfterMs: number;
  readonly expireAfterMs: number;
}

/** One occurrence. */
export interface Occurrence {
  readonly data?: Readonly<Record<string, string>>;
  /** Not to be told again before so many milliseconds since it was last told. Default 0. */
  readonly repeatAfterMs?: number;
}

/** What clients ask for. All conditions must hold. */
export interface NoticeFilter {
  /** Notices of this owner and those of everybody; undefined: all. */
  readonly owner?: string;
  readonly types?: readonly NoticeType[];
  readonly keys?: readonly string[];
  /** Told later than this. */
  readonly after?: Micros;
  /** Told at this time or earlier. */
  readonly beforeOrAt?: Micros;
}

/** The name under which a notice is one and the same. */
export function noticeName(owner: string | undefined, type: NoticeType, key: string): string {
  return JSON.stringify([owner ?? null, type, key]);
}

/** A text as a key: as much of it as a key may have, in whole characters. */
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

/** Refuses what cannot be a notice: a mistake of ours. */
export function checkNotice(type: string, key: string): void {
  if (!Object.hasOwn(NOTICE_TYPES, type)) throw new BugError(`cannot add notice of unknown type "${type}"`);
  if (key === '') throw new BugError(`cannot add ${type} notice with an empty key`);
  if (Buffer.byteLength(key) > KEY_BYTES)
    throw new BugError(`cannot add ${type} notice: its key is longer than ${KEY_BYTES} bytes`);
  if (NOTICE_TYPES[type as NoticeType] === '-' && key !== '-')
    throw new BugError(`cannot add ${type} notice with the key "${key}": only "-" is one`);
}

/**
 * The notice after it occurred once more at `now`, and whether that is worth telling. What this occurrence says about
 * repeating decides, not what an earlier one said [CHG-22].
 */
export function reoccur(
  notice: Notice,
  now: Micros,
  { data, repeatAfterMs = 0 }: Occurrence,
): { notice: Notice; repeated: boolean } {
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

export function hasExpired(notice: Notice, now: Micros): boolean {
  return notice.lastOccurred + notice.expireAfterMs * 1000 < now;
}

export function matches(notice: Notice, filter: NoticeFilter): boolean {
  const { owner, types, keys, after, beforeOrAt } = filter;
  if (owner !== undefined && notice.owner !== undefined && notice.owner !== owner) return false;
  if (types !== undefined && types.length > 0 && !types.includes(notice.type)) return false;
  if (keys !== undefined && keys.length > 0 && !keys.includes(notice.key)) return false;
  if (after !== undefined && notice.lastRepeated <= after) return false;
  return beforeOrAt === undefined || notice.lastRepeated <= beforeOrAt;
}

/** As it is stored and as clients get it: times RFC 3339, durations in milliseconds; what is empty or 0 is left out. */
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

export function noticeToJson(notice: Notice): NoticeJson {
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

export function noticeFromJson(json: NoticeJson): Notice {
  const time = (member: 'first-occurred' | 'last-occurred' | 'last-repeated'): Micros => {
    const micros = parseMicros(json[member]);
    if (micros === undefined) throw new Error(`"${member}" of notice ${json.id} is no time: ${json[member]}`);
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
