import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { memoryStore, systemClock } from '@cairn/changes';
import type { Clock } from '@cairn/changes';
import {
  PATIENCE,
  Warnings,
  decodeRegister,
  isDriftRow,
  isRequestRow,
  isRunRow,
  isStackMarks,
  logRegisterStore,
  openRegister,
} from '@cairn/changes-daemon';
import type { Register, WarningJson } from '@cairn/changes-daemon';
import { isCairnError, messageOf } from '@cairn/diagnostics';
import { isAbsent, readTextFile, writeTextFile } from '@cairn/files';
import { continueFile } from '@cairn/files/continue-file';
import { DELIVERIES, isNoticeDelivery } from '../notify/delivery-rows.js';
import type { NoticeDelivery } from '../notify/delivery-rows.js';
import { SEEN_NOTICES, isSeenRow, listedNotices } from '../notify/seen-notices.js';
import type { ListedNotice } from '../notify/seen-notices.js';
import { ROWS } from '../runs/ledger.js';
import type { AgentRows } from '../runs/ledger.js';
import type { FolderLease, LeaseRow } from './lease.js';
import { isFolderLost, leaseFile, parseLease } from './lease.js';

const registerFile = (folder: string): string => path.join(folder, 'register.json');

/**
 * Opens the register of a folder. It is written under the lease. A write that fails is made again for some time;
 * `log` says so once.
 */
export function openAgentRegister(
  folder: string,
  lease: FolderLease,
  clock: Clock,
  log: (text: string) => void,
): Promise<Register> {
  const file = registerFile(folder);
  let failing: string | undefined;
  const written = async (work: () => Promise<void>): Promise<void> => {
    try {
      await lease.guard(work);
    } catch (thrown) {
      const why = reasonOf(thrown);
      if (why !== failing && !isFolderLost(thrown))
        log(`cannot write the records of the agent, and tries again: ${why}`);
      failing = why;
      throw thrown;
    }
    if (failing !== undefined) log('the records of the agent are written again');
    failing = undefined;
  };
  const store = logRegisterStore({
    read: () => bytesOf(file),
    append: async (bytes, at) => {
      let isDone = false;
      await written(async () => void (isDone = await continueFile(file, bytes, at)));
      return isDone;
    },
    replace: (bytes) =>
      written(() =>
        writeTextFile(file, Buffer.from(bytes).toString(), { mode: 0o600, directoryMode: 0o700 }),
      ),
  });
  return openRegister({
    ...{ store, clock, patience: { ...PATIENCE, isFinal: isFolderLost } },
    // The agent opens no changes of its own: the operation of a run is a change of its stack.
    logs: () => memoryStore(),
    archive: () => Promise.resolve(),
    machine: { kinds: {} },
  });
}

function reasonOf(thrown: unknown): string {
  const causes = isCairnError(thrown) ? (thrown.diagnostics[0]?.causes ?? []) : [];
  return [messageOf(thrown), ...causes].join(': ');
}

/** Contents of an agent's folder, as another process reads them. */
export interface AgentState extends AgentRows {
  readonly notices: readonly ListedNotice[];
  /** Deliveries of notices by id. */
  readonly deliveries: ReadonlyMap<string, NoticeDelivery>;
  readonly warnings: readonly Partial<WarningJson>[];
  /** Lease of the last agent; it may have ended. */
  readonly lease: LeaseRow | undefined;
}

/** Reads the folder of an agent, running or not. */
export async function readAgentState(folder: string): Promise<AgentState> {
  const bytes = await bytesOf(registerFile(folder));
  const lease = parseLease(await readTextFile(leaseFile(folder)));
  const document = bytes === undefined ? undefined : decodeRegister(bytes).document;
  const data = document?.data ?? {};
  const rows = <T>(prefix: string, check: (value: unknown) => value is T): ReadonlyMap<string, T> =>
    new Map(
      Object.entries(data).flatMap(([key, value]): [string, T][] =>
        key.startsWith(prefix) && check(value) ? [[key.slice(prefix.length), value]] : [],
      ),
    );
  return {
    requests: rows(ROWS.requests, isRequestRow),
    runs: rows(ROWS.runs, isRunRow),
    drift: rows(ROWS.drift, isDriftRow),
    stacks: rows(ROWS.stacks, isStackMarks),
    notices: listedNotices(document?.notices.notices ?? [], rows(SEEN_NOTICES, isSeenRow)),
    deliveries: rows(DELIVERIES, isNoticeDelivery),
    warnings: document?.warnings ?? [],
    lease,
  };
}

async function bytesOf(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
}

/** Returns the warnings that no person has acknowledged for a day, or ever. */
export function warningsToShow(
  warnings: readonly Partial<WarningJson>[],
  now: Date,
): readonly Partial<WarningJson>[] {
  const all = new Warnings({ ...systemClock, now: () => now }, warnings);
  return all.pending().warnings.map(({ message }) => warnings.find((each) => each.message === message) ?? {});
}
