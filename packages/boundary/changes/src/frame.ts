import { crc32 } from 'node:zlib';
import { fail } from '@cairn/diagnostics';
import { MAX_TEXT_BYTES, exceedsText, textTooLong } from '@cairn/diagnostics/text-limit';
import { JsonBytes } from './json-bytes.js';
import { recordProblem } from './record-shape.js';
import type { ChangeRecord } from './records.js';
import { LOG_VERSION, isRecordName } from './records.js';

/**
 * A record on disk is one line of readable text:
 *   <length of the JSON in bytes, 8 hex digits> <CRC-32 of those bytes, 8 hex digits> <JSON>\n
 * [CHG-25]: length-prefixed, checksummed, `{seq, tx, at, …}`.
 */
const PREFIX = 18;
const NEWLINE = 0x0a;
/** Bytes of most frames. */
const USUAL_SIZE = 1024;
/** Beginning of every frame: the prefix and the brace of its JSON. */
const BEGINNING = /[0-9a-f]{8} [0-9a-f]{8} \{/g;

/** Options of {@link encodeRecords}. */
interface EncodeOptions {
  /** Returns what a record is about, for messages. */
  readonly subjectOf?: (record: ChangeRecord) => string | undefined;
  /** Most bytes of the JSON of one record. Defaults to {@link MAX_TEXT_BYTES}. */
  readonly most?: number;
}

/**
 * Encodes records as consecutive frames that can be appended to a segment. Throws CAIRN-STATE-TOO-LARGE for a record
 * that could not be read again.
 */
export function encodeRecords(records: readonly ChangeRecord[], options: EncodeOptions = {}): Uint8Array {
  const { most = MAX_TEXT_BYTES } = options;
  const bytes = new JsonBytes(records.length * USUAL_SIZE);
  for (const record of records) {
    const start = bytes.length;
    bytes.skip(PREFIX);
    try {
      bytes.value(record);
    } catch (thrown) {
      throw exceedsText(thrown) ? tooLarge(record, undefined, options) : thrown;
    }
    const json = bytes.from(start + PREFIX);
    if (json.length > most) throw tooLarge(record, json.length, options);
    bytes.hexAt(start, json.length);
    bytes.hexAt(start + PREFIX / 2, crc32(json));
    bytes.byte(NEWLINE);
  }
  return bytes.from(0);
}

function tooLarge(
  record: ChangeRecord,
  bytes: number | undefined,
  { subjectOf, most }: EncodeOptions,
): Error {
  return textTooLong(subjectOf?.(record) ?? `a record of kind ${record.record}`, bytes, most);
}

/** Content of a segment. */
export interface DecodedSegment {
  readonly records: readonly ChangeRecord[];
  /** End of the intact part in bytes. The next append goes here, after the file was cut to this length. */
  readonly goodBytes: number;
  /** Unfinished end that was cut off, if any. */
  readonly torn: TornTail | undefined;
}

/** Unfinished end of a segment whose writer died. */
interface TornTail {
  readonly bytes: number;
  /** Number of whole records that were dropped because their transaction is not complete. */
  readonly records: number;
}

/** Known facts about the segment before it is read. */
interface SegmentStart {
  /** Name of the file or blob, for messages. */
  readonly name: string;
  /** Sequence number of the first record; 1 for the first segment. */
  readonly firstSeq?: number;
}

/**
 * Reads a segment. An unfinished end (a frame cut anywhere, or a transaction without its last record) is dropped and
 * reported. Its writer died before it could report the records as durable. Any other damage is refused. This covers a
 * damaged frame with a good one behind it, and a record of a wrong form. It also covers a record that is missing,
 * repeated or out of its transaction. Throws CAIRN-JOURNAL-CORRUPT naming the offset.
 */
export function decodeSegment(bytes: Uint8Array, start: SegmentStart): DecodedSegment {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: ChangeRecord[] = [];
  const firstSeq = start.firstSeq ?? 1;
  let previous: Place | undefined = firstSeq === 1 ? { seq: 0, tx: 0, more: undefined } : undefined;
  let offset = 0;
  let goodBytes = 0;
  let goodRecords = 0;
  while (offset < buffer.length) {
    const frame = readFrame(buffer, offset);
    if (frame === undefined) {
      if (hasFrameBehind(buffer, offset))
        corrupt(start.name, offset, 'the record is damaged and records follow it');
      break;
    }
    const record = takeRecord(frame.json, offset, start.name);
    const why = misplaced(record, firstSeq + records.length, previous);
    if (why !== undefined) corrupt(start.name, offset, why);
    records.push(record);
    previous = record;
    offset = frame.end;
    if (record.more !== true) {
      goodBytes = offset;
      goodRecords = records.length;
    }
  }
  const dropped = records.length - goodRecords;
  records.length = goodRecords;
  const torn = goodBytes < buffer.length ? { bytes: buffer.length - goodBytes, records: dropped } : undefined;
  return { records, goodBytes, torn };
}

type Place = Pick<ChangeRecord, 'seq' | 'tx'> & { readonly more?: true | undefined };

/**
 * Returns why a record cannot be at this position. `previous` is undefined before the first record of a later segment.
 */
function misplaced(record: Place, seq: number, previous: Place | undefined): string | undefined {
  if (record.seq !== seq) return `expected record ${seq}, found ${record.seq}`;
  if (previous === undefined) return undefined;
  const tx = previous.more === true ? previous.tx : previous.tx + 1;
  return record.tx === tx ? undefined : `expected a record of transaction ${tx}, found one of ${record.tx}`;
}

/** Returns the JSON text of the frame at `offset` and the offset of its end. Undefined if no whole frame is there. */
export function readFrame(buffer: Buffer, offset: number): { json: string; end: number } | undefined {
  const prefix = /^([0-9a-f]{8}) ([0-9a-f]{8}) $/.exec(buffer.toString('latin1', offset, offset + PREFIX));
  if (prefix === null) return undefined;
  const end = offset + PREFIX + Number.parseInt(prefix[1] as string, 16) + 1;
  if (buffer[end - 1] !== NEWLINE) return undefined;
  const json = buffer.subarray(offset + PREFIX, end - 1);
  return crc32(json) === Number.parseInt(prefix[2] as string, 16)
    ? { json: json.toString('utf8'), end }
    : undefined;
}

/** Returns true if a whole frame is behind a bad one: that one is damaged, and not the unfinished end of a log. */
export function hasFrameBehind(buffer: Buffer, offset: number): boolean {
  const rest = buffer.toString('latin1', offset + 1);
  for (const { index } of rest.matchAll(BEGINNING))
    if (readFrame(buffer, offset + 1 + index) !== undefined) return true;
  return false;
}

function takeRecord(json: string, offset: number, name: string): ChangeRecord {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return corrupt(name, offset, 'the record is not JSON');
  }
  if (typeof value !== 'object' || value === null || !isRecordName((value as { record?: unknown }).record)) {
    return corrupt(name, offset, 'the record is of a kind that this version does not know');
  }
  refuseNewer(value as Partial<ChangeRecord>, name);
  const problem = recordProblem(value as Readonly<Record<string, unknown>>);
  if (problem !== undefined) return corrupt(name, offset, problem);
  return value as ChangeRecord;
}

/**
 * Refuses a log of a newer version. The version is in the first record, before anything that this version might not
 * know.
 */
function refuseNewer(record: Partial<ChangeRecord>, name: string): void {
  if (record.record !== 'change' || (record.version ?? 1) <= LOG_VERSION) return;
  fail('CAIRN-STATE-TOO-NEW', `the change log ${name} was written by a newer version of Cairn`, {
    causes: [`its format is ${String(record.version)}, this version knows formats up to ${LOG_VERSION}`],
    hint: 'Nothing was changed. Upgrade Cairn, or finish the operation with the version that began it.',
  });
}

function corrupt(name: string, offset: number, why: string): never {
  return fail('CAIRN-JOURNAL-CORRUPT', `the change log ${name} is damaged at byte ${offset}`, {
    causes: [why],
    hint: 'Nothing was changed. Restore the file from a backup, or run `cairn state repair` to continue without what it recorded.',
  });
}
