import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import { cairnError, isCairnError } from '@cairn/diagnostics';
import { editTextFile, errno } from '@cairn/files';

/** Milliseconds for which a lease is valid after it was last renewed, and between two renewals. */
export const LEASE_MS = 30_000;
export const RENEW_MS = 10_000;

/** Stored form of a lease: which process works in the folder, and until when. */
export interface LeaseRow {
  readonly agent: string;
  readonly host: string;
  readonly pid: number;
  /** Identifies the process, also against another one with the same number. */
  readonly run: string;
  /** Number of the lease; every later holder has a higher one. */
  readonly fence: number;
  /** RFC 3339. */
  readonly since: string;
  readonly until: string;
  /** True if its holder has ended it. A holder that died has not. */
  readonly released?: true;
}

/** Returns the file with the lease of a folder. */
export const leaseFile = (folder: string): string => path.join(folder, 'lease.json');

/** Parses a stored lease; `undefined` for a text that is none. */
export function parseLease(text: string | undefined): LeaseRow | undefined {
  if (text === undefined) return undefined;
  try {
    const row = JSON.parse(text) as LeaseRow;
    return typeof row.fence === 'number' && typeof row.run === 'string' ? row : undefined;
  } catch {
    return undefined;
  }
}

/** Tells if the holder may still work: its lease is valid, and its process is not known to be dead. */
export function isLeaseAlive(row: LeaseRow, now: Date): boolean {
  if (Date.parse(row.until) <= now.getTime()) return false;
  return row.host !== hostname() || processIsAlive(row.pid);
}

/** Time-limited right of one process to work in a folder. A second process waits until it ends. */
export class FolderLease {
  /** Holder that has ended without releasing the folder before this one took it, or undefined. */
  readonly lost: LeaseRow | undefined;
  readonly #file: string;
  readonly #now: () => Date;
  #row: LeaseRow;

  private constructor(file: string, row: LeaseRow, now: () => Date, before: LeaseRow | undefined) {
    this.#file = file;
    this.#row = row;
    this.#now = now;
    this.lost = before?.released === true ? undefined : before;
  }

  /** Takes the lease. Returns its holder if another process has it. */
  static async take(
    folder: string,
    agent: string,
    now: () => Date,
  ): Promise<{ readonly lease: FolderLease } | { readonly holder: LeaseRow }> {
    const file = leaseFile(folder);
    const run = randomUUID();
    let taken: LeaseRow | undefined;
    let holder: LeaseRow | undefined;
    let before: LeaseRow | undefined;
    await editTextFile(file, { mode: 0o600, directoryMode: 0o700 }, (text) => {
      const old = parseLease(text);
      if (old !== undefined && isLeaseAlive(old, now())) {
        holder = old;
        return undefined;
      }
      const at = now();
      before = old;
      taken = {
        agent,
        host: hostname(),
        pid: process.pid,
        run,
        fence: (old?.fence ?? 0) + 1,
        since: at.toISOString(),
        until: new Date(at.getTime() + LEASE_MS).toISOString(),
      };
      return textOf(taken);
    });
    return taken === undefined
      ? { holder: holder as LeaseRow }
      : { lease: new FolderLease(file, taken, now, before) };
  }

  /** RFC 3339 time until which it is valid. */
  get until(): string {
    return this.#row.until;
  }

  get fence(): number {
    return this.#row.fence;
  }

  /** Makes the lease valid for longer. Fails with CAIRN-AGENT-LEASE if another process has taken it. */
  async renew(): Promise<void> {
    const until = new Date(this.#now().getTime() + LEASE_MS).toISOString();
    const row = { ...this.#row, until };
    await this.#whileHeld(() => textOf(row));
    this.#row = row;
  }

  /**
   * Runs a write while no other process can take the lease. Fails with CAIRN-AGENT-LEASE, before the write, if another
   * one has it: an agent that was suspended overwrites nothing.
   */
  async guard(write: () => Promise<void>): Promise<void> {
    await this.#whileHeld(async () => {
      await write();
      return undefined;
    });
  }

  /** Ends the lease. The file remains, with the number of the lease. */
  async release(): Promise<void> {
    await this.#whileHeld(() => textOf({ ...this.#row, until: this.#now().toISOString(), released: true }));
  }

  async #whileHeld(edit: () => string | undefined | Promise<string | undefined>): Promise<void> {
    await editTextFile(this.#file, { mode: 0o600 }, (text) => {
      const stored = parseLease(text);
      if (stored?.run !== this.#row.run) throw lost(stored);
      return edit();
    });
  }
}

function lost(holder: LeaseRow | undefined): Error {
  if (holder === undefined)
    return cairnError('CAIRN-AGENT-LEASE', 'cannot continue as agent of this folder: its lease is gone', {
      hint: 'The folder or its lease.json was removed. Restore it, or start an agent that begins without its runs.',
    });
  const who = `${holder.agent} (process ${holder.pid} on ${holder.host}) has its lease`;
  return cairnError('CAIRN-AGENT-LEASE', `cannot continue as agent of this folder: ${who}`, {
    hint: 'The other agent continues its runs. Look for a machine that sleeps, or for a slow disk.',
  });
}

/** Returns true for the failure of an agent whose folder another one has, or which was removed. */
export const isFolderLost = (thrown: unknown): boolean =>
  isCairnError(thrown) && thrown.diagnostics[0]?.code === 'CAIRN-AGENT-LEASE';

const textOf = (row: LeaseRow): string => `${JSON.stringify(row, undefined, 2)}\n`;

function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return errno(thrown) !== 'ESRCH';
  }
}
