import type { OperationEnd, StackLease, UpdateKind } from '@cairn/backends';
import { unreachable } from '@cairn/diagnostics';
import type { OperationKind, OperationResult } from '@cairn/engine';
import type { Snapshot } from '@cairn/state';
import { resourceChanges } from '../display/resource-changes.js';
import type { World } from '../world.js';
import { answer, exitCode } from './conclude.js';
import { startEnvironment } from './detach.js';
import type { GoingOn } from './going-on.js';
import { keptOptions } from './kept-options.js';
import { heedMessages } from './messages.js';
import { tell } from './tell.js';
import type { Operation } from './operate.js';
import { phase } from './phase.js';
import type { Held, PhaseDisplay } from './phase.js';
import { historyConfig } from './prepare.js';
import type { Prepared } from './prepare.js';
import { whatNext } from './what-next.js';

/** Kinds of history entries: those that the other tool knows. */
const HISTORY_KINDS: Readonly<Record<OperationKind, UpdateKind>> = {
  up: 'update',
  destroy: 'destroy',
  refresh: 'refresh',
  import: 'resource-import',
  rollback: 'update',
  resolve: 'update',
};

/** How an operation that was no preview ended. */
export interface Ended {
  readonly code: number;
  readonly result: OperationResult;
  /** Id of its change. */
  readonly change: string;
}

/**
 * Carries an operation out under a lease, with a change of its own, and says how it ended and what can be done next.
 */
export async function realRun(
  world: World,
  prepared: Prepared,
  operation: Operation,
  lease: StackLease,
  base: Snapshot,
  held: Held & { readonly goingOn: GoingOn },
): Promise<Ended> {
  const { flags, kind } = operation;
  const { goingOn } = held;
  const log = await lease.begin({
    kind: HISTORY_KINDS[kind],
    operation: kind,
    message: flags.has('message') ? (flags.text('message') ?? '') : '',
    environment: startEnvironment(world),
    config: historyConfig(prepared.config),
    options: await keptOptions(world, prepared, operation, held.plan.follow),
    goalKey: goingOn.goalKey,
    ...(goingOn.continues === undefined ? {} : { continues: goingOn.continues }),
  });
  const change = String(Number(log.changeId));
  world.announce(change);
  let over = false;
  let result: OperationResult;
  let display: PhaseDisplay;
  try {
    ({ result, display } = await phase(world, prepared, operation, base, 'run', log.store, {
      ...held,
      change,
      claim: (claims) => log.claim(claims),
      onInterrupt: () => void log.writeThrough(),
      onStart: (running, shown) => {
        const say = (line: string) => (over ? void world.stderr.write(`${line}\n`) : shown.say(line));
        heedMessages(world, log, running, { say, running: shown.running });
      },
    }));
    over = true;
  } catch (error) {
    await log.abandon();
    throw error;
  }
  const report = await log.finish({
    result: endOf(result.summary.result),
    resourceChanges: resourceChanges(result.summary),
    order: result.order,
  });
  tell(world, report.diagnostics);
  answer(world, prepared, operation, 'run', result, display);
  await whatNext(world, prepared, operation, change, result);
  return { code: exitCode(flags, result, report.diagnostics), result, change };
}

function endOf(result: OperationResult['summary']['result']): OperationEnd['result'] {
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
