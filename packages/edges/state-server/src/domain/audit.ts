import { createHash } from 'node:crypto';

/** Something that a caller did. The organization is empty for events of the service itself. */
export interface AuditEvent {
  /** In seconds since 1970. */
  readonly at: number;
  readonly organization: string;
  /** Kind of the event, such as `stack-created`. */
  readonly event: string;
  readonly description: string;
  readonly user: string;
  readonly sourceIp: string;
  readonly tokenId: string;
  readonly tokenName: string;
  /** `PROJECT/STACK`, or empty. */
  readonly stack: string;
}

/** Row of the audit log: the canonical text of an event with its number and the hash before it, and its own hash. */
export interface AuditRow {
  /** Number of the row, from 1, without gaps. */
  readonly seq: number;
  readonly text: string;
  /** SHA-256 of the text, in hex. */
  readonly hash: string;
}

/** Hash before the first row. */
const NO_HASH = '0'.repeat(64);

/** Fields of an event in the order of the canonical text, which is a JSON array: number, fields, hash before. */
const FIELDS = [
  'at',
  'organization',
  'event',
  'description',
  'user',
  'sourceIp',
  'tokenId',
  'tokenName',
  'stack',
] as const satisfies readonly (keyof AuditEvent)[];

/** Returns the row of an event that comes after the last row. */
export function nextAuditRow(event: AuditEvent, last: Pick<AuditRow, 'seq' | 'hash'> | undefined): AuditRow {
  const seq = (last?.seq ?? 0) + 1;
  const text = JSON.stringify([seq, ...FIELDS.map((field) => event[field]), last?.hash ?? NO_HASH]);
  return { seq, text, hash: hashOf(text) };
}

/** Returns true if a row comes after the last row. */
export function follows(row: AuditRow, last: Pick<AuditRow, 'seq' | 'hash'> | undefined): boolean {
  const { seq, hash } = last ?? EMPTY_AUDIT;
  return checkNext({ seq, hash }, row).fault === undefined;
}

/** Reads the event of a row. */
export function eventOf({ text }: Pick<AuditRow, 'text'>): AuditEvent {
  const values = JSON.parse(text) as readonly unknown[];
  return Object.fromEntries(
    FIELDS.map((field, index) => [field, values[index + 1]]),
  ) as unknown as AuditEvent;
}

/** Part of a log that has been checked: the newest row, and the first fault that was found. */
export interface AuditCheck {
  readonly seq: number;
  readonly hash: string;
  readonly fault?: string;
}

/** Check of a log without rows. */
export const EMPTY_AUDIT: AuditCheck = { seq: 0, hash: NO_HASH };

/** Continues the check of a log with its next row. After a fault, nothing more is checked. */
export function checkNext(before: AuditCheck, { seq, text, hash }: AuditRow): AuditCheck {
  if (before.fault !== undefined) return before;
  const fault = faultOf(before, { seq, text, hash });
  return fault === undefined ? { seq, hash } : { ...before, fault };
}

function faultOf(before: AuditCheck, { seq, text, hash }: AuditRow): string | undefined {
  const expected = before.seq + 1;
  if (seq > expected) return `row ${expected} is missing`;
  if (seq < expected) return `row ${seq} is there twice`;
  if (hashOf(text) !== hash) return `row ${seq} was altered`;
  const values = valuesIn(text);
  if (values?.[0] !== seq || values.length !== FIELDS.length + 2) return `row ${seq} was altered`;
  if (values.at(-1) !== before.hash) return `row ${seq} does not follow row ${before.seq}`;
  return undefined;
}

function valuesIn(text: string): readonly unknown[] | undefined {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
