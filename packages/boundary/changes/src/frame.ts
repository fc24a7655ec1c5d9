import { crc32 } from 'node:zlib';
import { fail } from '@cairn/diagnostics';
import { recordProblem } from './record-shape.js';
import type { ChangeRecord } from './records.js';
import { LOG_VERSION, isRecordName } from './records.js';

/**
 * One record on disk is one line of text that a person can read:
 *
 *     <length of the JSON in bytes, 8 hex digits> <CRC-32 of those bytes, 8 hex digits> <JSON>\n
 *
 * [CHG-25]: length-prefixed, checksummed, `{seq, tx, at, …}`.
 */
const PREFIX = 18;
const NEWLINE = 0x0a;
/** What every frame begins with: the prefix and the brace of its JSON. */
const BEGINNING = /[0-9a-f]{8} [0-9a-f]{8} \{/g;

/**
 * The frames of the records, one behind the other, ready to be appended to a segment. Encoded as one text: records are
 * many and small.
 */
export function encodeRecords(records: readonly ChangeRecord[]): Uint8Array {
  let frames = '';
  for (const record of records) {
    const json = JSON.stringify(record);
    frames += `${hex(Buffer.byteLength(json))} ${hex(crc32(json))} ${json}\n`;
  }
  return Buffer.from(frames);
}

/** What a segment held. */
export interface DecodedSegment {
  readonly records: readonly ChangeRecord[];
  /** Where the good part ends: the next append belongs here, after cutting the file to this length. Bytes. */
  readonly goodBytes: number;
  /** What was cut off behind it, if anything. */
  readonly torn: TornTail | undefined;
}

/** The unfinished end of a segment whose writer died. */
interface TornTail {
  readonly bytes: number;
  /** Whole records that were dropped because their transaction is not complete. */
  readonly records: number;
}

/** What is known about the segment before reading it. */
interface SegmentStart {
  /** For messages: the file or blob. */
  readonly name: string;
  /** Sequence number expected first; 1 for the first segment. */
  readonly firstSeq?: number;
}

/**
 * Reads a segment. An unfinished end (a frame cut anywhere, or a transaction without its last record) is dropped and
 * reported; it is the trace of a writer that died before anybody was told that the records are durable. Anything else
 * that is not as it was written is refused: a damaged frame with a good one behind it, a record that is missing,
 * repeated or out of its transaction, one whose form is wrong. Throws CAIRN-JOURNAL-CORRUPT naming the offset.
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
      refuseDamage(buffer, offset, start.name);
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

/** Why a record cannot stand here; `previous` is undefined before the first record of a later segment. */
function misplaced(record: Place, seq: number, previous: Place | undefined): string | undefined {
  if (record.seq !== seq) return `record ${record.seq} stands where ${seq} belongs`;
  if (previous === undefined) return undefined;
  const tx = previous.more === true ? previous.tx : previous.tx + 1;
  return record.tx === tx
    ? undefined
    : `a record of transaction ${record.tx} stands where one of ${tx} belongs`;
}

function readFrame(buffer: Buffer, offset: number): { json: string; end: number } | undefined {
  if (offset + PREFIX > buffer.length) return undefined;
  const prefix = /^([0-9a-f]{8}) ([0-9a-f]{8}) $/.exec(buffer.toString('latin1', offset, offset + PREFIX));
  if (prefix === null) return undefined;
  const end = offset + PREFIX + Number.parseInt(prefix[1] as string, 16) + 1;
  if (end > buffer.length || buffer[end - 1] !== NEWLINE) return undefined;
  const json = buffer.subarray(offset + PREFIX, end - 1);
  return hex(crc32(json)) === prefix[2] ? { json: json.toString('utf8'), end } : undefined;
}

/** Looks behind a bad frame: a good frame there means damage in the middle, not a torn end. */
function refuseDamage(buffer: Buffer, offset: number, name: string): void {
  const rest = buffer.toString('latin1', offset + 1);
  for (const { index } of rest.matchAll(BEGINNING)) {
    if (readFrame(buffer, offset + 1 + index) !== undefined)
      corrupt(name, offset, 'the record is damaged and records follow it');
  }
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

/** A log says its version in its first record, before anything that this version might not know. */
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
    hint: 'Nothing was changed. Restore the file from a backup, or go on without what it recorded: `cairn state repair` sets it aside.',
  });
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}
