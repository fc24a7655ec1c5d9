import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditEvent, AuditRow } from '../domain/audit.js';

/** Part of the audit log to read. */
export interface AuditPage {
  /** Number of the row before the first one of the page, or undefined for the first page. */
  readonly after?: number | undefined;
  readonly newestFirst: boolean;
  readonly most: number;
}

/** Record of work. */
export interface AuditRecord {
  /** Returns the event, as far as it is known when the row is written. Undefined: none is written yet, or at all. */
  readonly event: () => AuditEvent | undefined;
  /** True if the row is written before the work begins. */
  readonly first: boolean;
}

/** Append-only log of what callers did. Any number of processes continue one chain. */
export interface AuditStore {
  /**
   * Runs work and records it. A store with transactions writes the row in the first one that the work commits.
   * Otherwise the row follows the work.
   */
  audited<T>(record: AuditRecord, work: () => Promise<T>): Promise<T>;
  /** Returns rows of the log in the order of their numbers, or against it. */
  auditRows(page: AuditPage): Promise<readonly AuditRow[]>;
  /**
   * Stores rows of the log of another store as they are. Returns false, and stores none that does not follow, if the
   * newest row is not the one before them.
   */
  takeAuditRows(rows: readonly AuditRow[]): Promise<boolean>;
}

interface PendingEvent {
  readonly event: AuditRecord['event'];
  isWritten: boolean;
}

/** The event of the work that is under way, until its row is committed. */
export class PendingEvents {
  readonly #pending = new AsyncLocalStorage<PendingEvent>();

  /** Runs work with an event. Afterwards, `write` writes the row if no transaction of the work has done so. */
  async during<T>(
    event: AuditRecord['event'],
    work: () => Promise<T>,
    write: () => Promise<void>,
  ): Promise<T> {
    const pending = { event, isWritten: false };
    const result = await this.#pending.run(pending, work);
    if (!pending.isWritten) await write();
    return result;
  }

  /** Returns the event whose row is not written yet, with a function that notes that it is. */
  current(): { readonly event: AuditRecord['event']; readonly written: () => void } | undefined {
    const pending = this.#pending.getStore();
    if (pending === undefined || pending.isWritten) return undefined;
    return { event: pending.event, written: () => void (pending.isWritten = true) };
  }
}
