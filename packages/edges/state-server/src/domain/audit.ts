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

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
