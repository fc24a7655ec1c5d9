import type { BlobStore } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import { follows, nextAuditRow } from '../../domain/audit.js';
import type { AuditEvent, AuditRow } from '../../domain/audit.js';
import type { AuditPage, AuditRecord, AuditStore } from '../audit-store.js';
import { keys } from './documents.js';
import type { Turns } from './turns.js';

/** Attempts to append a row after those that other processes append meanwhile. */
const TRIES = 100;
/** Rows that are read at the same time. */
const AT_ONCE = 32;

/** Audit log in a bucket: one blob for each row, whose key is its number. A row is only ever put where none is. */
export class BucketAudit implements AuditStore {
  readonly #blobs: BlobStore;
  readonly #turns: Turns;
  #last: AuditRow | undefined;

  constructor(blobs: BlobStore, turns: Turns) {
    this.#blobs = blobs;
    this.#turns = turns;
  }

  async audited<T>({ event, first }: AuditRecord, work: () => Promise<T>): Promise<T> {
    if (first) await this.#append(event());
    const result = await work();
    if (!first) await this.#append(event());
    return result;
  }

  async auditRows({ after, newestFirst, most }: AuditPage): Promise<readonly AuditRow[]> {
    const newest = (await this.#newest())?.seq ?? 0;
    const from = newestFirst ? Math.min(newest, (after ?? newest + 1) - 1) : (after ?? 0) + 1;
    const count = Math.max(0, Math.min(most, newestFirst ? from : newest - from + 1));
    const rows = await this.#readAll(
      Array.from({ length: count }, (_, index) => (newestFirst ? from - index : from + index)),
    );
    if (newestFirst || rows.length === most) return rows;
    // Rows after a gap: one between was removed.
    const listed = (await this.#blobs.list(keys.audits)).map(({ key }) => numberIn(key));
    const beyond = listed.filter((seq) => seq >= from + count).slice(0, most - rows.length);
    return [...rows, ...(await this.#readAll(beyond))];
  }

  async takeAuditRows(rows: readonly AuditRow[]): Promise<boolean> {
    return this.#turns.run(['audit'], async () => {
      for (const row of rows) {
        if (!follows(row, await this.#newest())) return false;
        const bytes = Buffer.from(JSON.stringify(row));
        if (!(await this.#blobs.put(keys.audit(row.seq), bytes, { ifAbsent: true })).ok) return false;
        this.#last = row;
      }
      return true;
    });
  }

  async #append(event: AuditEvent | undefined): Promise<void> {
    if (event === undefined) return;
    await this.#turns.run(['audit'], async () => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const row = nextAuditRow(event, await this.#newest());
        const bytes = Buffer.from(JSON.stringify(row));
        const { ok } = await this.#blobs.put(keys.audit(row.seq), bytes, { ifAbsent: true });
        if (!ok) continue;
        this.#last = row;
        return;
      }
      throw cairnError('CAIRN-STORE-CONFLICT', 'cannot write the audit log: other processes write it', {
        hint: 'Run the command again.',
      });
    });
  }

  /** Returns the newest row before any gap. Looks for it from the newest one that is known, in steps that double. */
  async #newest(): Promise<AuditRow | undefined> {
    let found = this.#last;
    let step = 1;
    let isGrowing = true;
    while (step >= 1) {
      const next = await this.#read((found?.seq ?? 0) + step);
      if (next === undefined) isGrowing = false;
      else found = next;
      step = isGrowing ? step * 2 : step >> 1;
    }
    this.#last = found;
    return found;
  }

  async #readAll(numbers: readonly number[]): Promise<readonly AuditRow[]> {
    const rows: (AuditRow | undefined)[] = [];
    for (let at = 0; at < numbers.length; at += AT_ONCE)
      rows.push(...(await Promise.all(numbers.slice(at, at + AT_ONCE).map((seq) => this.#read(seq)))));
    return rows.filter((row) => row !== undefined);
  }

  async #read(seq: number): Promise<AuditRow | undefined> {
    const blob = await this.#blobs.get(keys.audit(seq));
    return blob && (JSON.parse(Buffer.from(blob.bytes).toString('utf8')) as AuditRow);
  }
}

function numberIn(key: string): number {
  return Number(/(\d+)\.json$/.exec(key)?.[1]);
}
