import { cairnError, isCairnError, messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { BlobStore } from '@cairn/blobs';
import { verifyIntegrity } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type { LockedStack, OperationEnd, OperationLog, OperationStart } from './backend.js';
import { checkpointBytes, readCheckpoint, usableDeployment, writeCheckpoint } from './checkpoint-file.js';
import type { CheckpointFile } from './checkpoint-file.js';
import { liveFold } from './fold.js';
import type { LiveFold } from './fold.js';
import { encodeHistoryEntry } from './history.js';
import { createJournal, endJournal, fingerprint, markFolding } from './journal-folder.js';
import type { JournalEnd } from './journal-folder.js';
import { layout } from './layout.js';
import type { Compression, StackIdentity } from './layout.js';
import type { StackLock } from './locks.js';
import type { BackendSettings } from './settings.js';

/** What a locked stack works with. */
export interface StackTools {
  readonly store: BlobStore;
  readonly settings: BackendSettings;
}

/** Writes a deployment in the place of a checkpoint, checked first: an unsound one is a mistake of ours and is not written. */
export async function saveDeployment(
  tools: StackTools,
  id: StackIdentity,
  before: CheckpointFile | undefined,
  deployment: SerializedDeployment,
  beforeWrite: (bytes: Uint8Array) => Promise<void> = async () => undefined,
): Promise<void> {
  const compression = tools.settings.compression;
  const bytes = checkpointBytes(id, deployment, compression);
  await beforeWrite(bytes);
  await writeCheckpoint(tools.store, id, before, bytes, compression);
  const [problem] = verifyIntegrity(deployment, 'write');
  if (problem === undefined) return;
  throw cairnError(
    'CAIRN-STATE-INTEGRITY',
    `the state that was written for stack "${id.stack}" is not sound`,
    {
      ...(problem.urn === undefined ? {} : { urn: problem.urn }),
      causes: [
        problem.summary,
        `the state before it is in ${layout.previous(layout.checkpoint(id, compression))}`,
      ],
      hint: 'report this: an operation must not leave such a state',
    },
  );
}

/** The stack under our lock, after whatever was left behind has been folded. */
export async function openLocked(
  tools: StackTools,
  lock: StackLock,
  notes: readonly Diagnostic[],
): Promise<LockedStack> {
  const { id } = lock;
  const { store, settings } = tools;
  let file = await readCheckpoint(store, id);
  let deployment = usableDeployment(file, id);
  return {
    id,
    notes,
    get deployment() {
      return deployment;
    },
    begin: async (start) => {
      const log = await beginOperation(tools, id, file, deployment, start);
      return {
        ...log,
        finish: async (end) => {
          await log.finish(end);
          file = await readCheckpoint(store, id);
          deployment = file?.deployment ?? deployment;
        },
      };
    },
    replace: async (next) => {
      await saveDeployment(tools, id, file, next);
      file = await readCheckpoint(store, id);
      deployment = next;
    },
    release: async () => {
      const problem = await lock.release();
      if (problem === undefined) return [];
      return [
        warningDiagnostic('CAIRN-STATE-LOCKED', `the lock of stack "${id.stack}" could not be released`, {
          causes: [problem],
          hint: `remove it with \`cairn cancel ${id.stack}\``,
        }),
      ];
    },
  };

  async function beginOperation(
    tools_: StackTools,
    stack: StackIdentity,
    base: CheckpointFile | undefined,
    from: SerializedDeployment,
    start: OperationStart,
  ): Promise<OperationLog> {
    const startedAt = settings.now();
    const journal = await createJournal(store, stack, {
      base: fingerprint(base?.bytes),
      kind: start.kind,
      message: start.message,
      startedAt: startedAt.toISOString(),
      pid: settings.holder.pid,
      hostname: settings.holder.hostname,
    });
    const fold = liveFold(from);
    return {
      change: journal.change,
      store: {
        append: (records) => {
          fold.add(records);
          return journal.store.append(records);
        },
        load: () => journal.store.load(),
      },
      finish: async (end) => {
        await journal.close();
        await foldInto(tools_, stack, base, fold, journal.change);
        const problems = await keepRecords(tools_, stack, start, startedAt, end);
        await endJournal(
          store,
          stack,
          journal.change,
          ended(settings.now(), end.result),
          settings.journalRetention,
        );
        if (problems.length > 0 && end.result === 'succeeded') throw problems[0];
      },
      abandon: () => journal.close(),
    };
  }
}

/** The order that makes a crash at any point harmless: say what is coming, write it, then say that it is done. */
export async function foldInto(
  tools: StackTools,
  id: StackIdentity,
  base: CheckpointFile | undefined,
  fold: LiveFold,
  change: number,
): Promise<SerializedDeployment> {
  const deployment = fold.deployment({
    time: tools.settings.now().toISOString(),
    version: tools.settings.version,
  });
  await saveDeployment(tools, id, base, deployment, (bytes) =>
    markFolding(tools.store, id, change, { checkpoint: fingerprint(bytes) }),
  );
  return deployment;
}

/** What marks a journal as folded. */
export function ended(now: Date, result: JournalEnd['result']): JournalEnd {
  return { result, endedAt: now.toISOString() };
}

/** History entry, checkpoint copy and backup (state.md 3.5); what fails is returned, the rest is still tried. */
async function keepRecords(
  tools: StackTools,
  id: StackIdentity,
  start: OperationStart,
  startedAt: Date,
  end: OperationEnd,
): Promise<readonly Error[]> {
  const { store, settings } = tools;
  const ns = settings.nextNanoseconds();
  const problems: Error[] = [];
  const attempt = async (what: string, run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      problems.push(
        isCairnError(error) ? error : new Error(`${what}: ${messageOf(error)}`, { cause: error }),
      );
    }
  };
  await attempt('history', async () => {
    const entry = encodeHistoryEntry({
      kind: start.kind,
      startTime: seconds(startedAt),
      message: start.message,
      environment: start.environment,
      config: start.config,
      version: 0,
      result: end.result,
      endTime: seconds(settings.now()),
      resourceChanges: end.resourceChanges,
    });
    await store.put(layout.historyEntry(id, ns, 'history', 'none'), entry);
    await copyCheckpoint(store, id, (compression) => layout.historyEntry(id, ns, 'checkpoint', compression));
  });
  if (settings.backups) {
    await attempt('backup', () =>
      copyCheckpoint(store, id, (compression) => layout.backup(id, ns, compression)),
    );
  }
  return problems;
}

async function copyCheckpoint(
  store: BlobStore,
  id: StackIdentity,
  target: (compression: Compression) => string,
): Promise<void> {
  for (const compression of ['none', 'gzip'] as const) {
    const copied = await store.copy(layout.checkpoint(id, compression), target(compression));
    if (copied.ok) return;
  }
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
