import type { AuditLogEvent } from '@cairn/http-api';
import { EMPTY_AUDIT, checkNext, eventOf } from '../domain/audit.js';
import type { AuditCheck, AuditEvent } from '../domain/audit.js';
import type { AuditStore } from '../store/audit-store.js';
import { userInfo } from './organizations.js';

/** Rows that are read at a time, and rows of one page of an answer. */
const READ = 500;
const PAGE = 100;
/** Rows that one request looks at, so that a rare event does not hold it up. */
const MOST_READ = 20_000;

/** Filter of the audit log of an organization. `before` is in seconds since 1970. */
interface AuditFilter {
  readonly organization: string;
  readonly event?: string | undefined;
  readonly user?: string | undefined;
  readonly before?: number | undefined;
  /** Number of the row before the first one. */
  readonly after?: number | undefined;
}

/** Events of a page, newest first, and the number of the last row that was read if there may be more. */
interface AuditEvents {
  readonly events: readonly AuditEvent[];
  readonly next: number | undefined;
}

/** Returns a page of the audit log of an organization. */
export async function auditEvents(store: AuditStore, filter: AuditFilter, most = PAGE): Promise<AuditEvents> {
  const events: AuditEvent[] = [];
  let { after } = filter;
  for (let read = 0; read < MOST_READ; read += READ) {
    const rows = await store.auditRows({ after, newestFirst: true, most: READ });
    for (const row of rows) {
      after = row.seq;
      const event = eventOf(row);
      if (matches(event, filter)) events.push(event);
      if (events.length === most) return { events, next: row.seq === 1 ? undefined : row.seq };
    }
    if (rows.length < READ) return { events, next: undefined };
  }
  return { events, next: after };
}

/** Returns an event as the protocol shows it. */
export function auditLogEvent(event: AuditEvent): AuditLogEvent {
  const { at, event: kind, description, user, sourceIp, tokenId, tokenName } = event;
  return {
    ...{ timestamp: at, event: kind, description, user: userInfo(user), sourceIP: sourceIp },
    ...(tokenId !== '' && { tokenID: tokenId }),
    ...(tokenName !== '' && { tokenName }),
  };
}

/**
 * Checks the whole audit log, and returns its newest row before any fault. `passed` is false if it does not contain a
 * row that an earlier check has found: rows were removed at the end, or the log was written anew.
 */
export async function verifyAudit(
  store: AuditStore,
  earlier?: Pick<AuditCheck, 'seq' | 'hash'>,
): Promise<AuditCheck & { readonly passed: boolean }> {
  let check = EMPTY_AUDIT;
  let passed = earlier === undefined || earlier.seq === 0;
  for await (const row of allRows(store)) {
    check = checkNext(check, row);
    passed ||= check.seq === earlier?.seq && check.hash === earlier.hash;
  }
  return { ...check, passed };
}

/** Returns the events of the whole audit log, oldest first. */
export async function* allAuditEvents(store: AuditStore): AsyncGenerator<AuditEvent> {
  for await (const row of allRows(store)) yield eventOf(row);
}

async function* allRows(store: AuditStore): AsyncGenerator<Parameters<typeof checkNext>[1]> {
  let after = 0;
  for (;;) {
    const rows = await store.auditRows({ after, newestFirst: false, most: READ });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Math.max(after + 1, last.seq);
  }
}

function matches(event: AuditEvent, { organization, event: kind, user, before }: AuditFilter): boolean {
  return (
    event.organization === organization &&
    (kind === undefined || event.event === kind) &&
    (user === undefined || event.user === user) &&
    (before === undefined || event.at <= before)
  );
}
