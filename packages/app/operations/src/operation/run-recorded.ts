import type { OperationEnd, ProgramDescription, StackLease, UpdateKind } from '@cairn/backends';
import { unreachable } from '@cairn/diagnostics';
import type { OperationKind, EngineResult } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import { wantedScope } from '../options/scope.js';
import { originOf } from '../origin/origin.js';
import { tell } from '../ports.js';
import type { Continuation } from './continuation.js';
import { receiveMessages } from './control.js';
import { keptOptions } from './kept-options.js';
import { statusOf } from './operation.js';
import type { RunOptions, Ended, RequestedOperation } from './operation.js';
import { showPass } from './pass.js';
import type { PassStart } from './pass.js';
import type { PassView, Purpose } from '../pass-view.js';
import { historyConfig } from './prepared.js';
import type { Prepared } from './prepared.js';
import { resourceChanges } from './resource-changes.js';

/** Kinds of history entries, in the other tool's vocabulary. */
export const HISTORY_KINDS: Readonly<Record<OperationKind, UpdateKind>> = {
  up: 'update',
  destroy: 'destroy',
  refresh: 'refresh',
  import: 'resource-import',
  rollback: 'update',
  resolve: 'update',
};

/** Carries an operation out under a lease, with a change of its own. */
export async function runRecorded(
  prepared: Prepared,
  operation: RequestedOperation,
  runOptions: RunOptions,
  purpose: Purpose,
  lease: StackLease,
  start: Pick<PassStart, 'base' | 'claims' | 'plan' | 'plugins' | 'checked'> & {
    readonly continuation: Continuation;
  },
): Promise<Ended> {
  const { ports } = prepared;
  const { kind, options } = operation;
  const { continuation } = start;
  const origin = originOf(prepared.program.rootDirectory, ports.env);
  const log = await lease.begin({
    kind: HISTORY_KINDS[kind],
    operation: kind,
    message: options.message ?? origin.known.title ?? '',
    environment: { ...origin.known.environment, ...ports.started.recorded },
    config: historyConfig(prepared.config),
    options: await keptOptions(prepared, operation, start.plan?.follow),
    goalKey: continuation.goalKey,
    program: programOf(prepared),
    ...(continuation.continues === undefined ? {} : { continues: continuation.continues }),
  });
  const change = String(Number(log.changeId));
  const writingThrough = (ask: () => unknown) => (): void => {
    ask();
    void log.writeThrough();
  };
  let result: EngineResult;
  let view: PassView;
  try {
    ({ result, view } = await showPass(
      prepared,
      operation,
      runOptions,
      { which: 'run', purpose, change, page: log.page },
      {
        ...start,
        store: log.store,
        claim: log.claim,
        onStart: (running, shown) => {
          receiveMessages(log, running, shown, (diagnostic) => tell(ports, [diagnostic]));
          return {
            cancel: writingThrough(() => running.cancel()),
            cancelRunning: writingThrough(() => running.cancelRunning()),
            kill: writingThrough(() => running.kill()),
          };
        },
      },
    ));
  } catch (error) {
    // The first error is reported; the next command takes over a journal that remains.
    await log.abandon().catch(() => undefined);
    throw error;
  }
  const keeping = prepared.digests?.keep(isWhole(operation, result));
  const { environment, title } = await origin.asked();
  const { diagnostics: stored } = await log.finish({
    result: endOf(result.summary.result),
    resourceChanges: resourceChanges(result.summary),
    environment,
    message: title,
    order: result.order,
  });
  await keeping;
  tell(ports, stored);
  const status = statusOf(result, runOptions);
  const ended: Ended = { t: 'ended', status, operation, result, stored, change };
  view.ended?.({ status, result, stored, unfinished: await isUnfinished(prepared, ended) });
  return ended;
}

/** Tells whether the program registered everything that the stack has. */
function isWhole(operation: RequestedOperation, { summary }: EngineResult): boolean {
  const { targets, excludes = [] } = wantedScope(operation, emptySnapshot).scope;
  const isLimited = targets.length > 0 || excludes.length > 0;
  return operation.kind === 'up' && summary.result === 'succeeded' && !isLimited;
}

/** Returns the program of a stack, for a store that records it. */
export function programOf({ project }: Prepared): ProgramDescription {
  return { runtime: project.runtime?.name ?? '', main: project.main, description: project.description };
}

/** Tells whether the change of an operation can be continued. */
async function isUnfinished(
  { backend, id }: Prepared,
  { operation: { kind }, result: { summary, waiting }, change }: Ended,
): Promise<boolean> {
  // A resolved step belongs to a change that may still have to be continued.
  if (summary.result === 'succeeded' && waiting.length === 0 && kind !== 'resolve') return false;
  const { row } = await backend.change(id, Number(change)).catch(() => ({ row: undefined }));
  return row?.unfinished === true;
}

function endOf(result: EngineResult['summary']['result']): OperationEnd['result'] {
  switch (result) {
    case 'succeeded':
    case 'failed':
    case 'rolled-back':
    case 'waiting':
      return result;
    case 'cancelled':
      return 'failed';
    default:
      return unreachable(result);
  }
}
