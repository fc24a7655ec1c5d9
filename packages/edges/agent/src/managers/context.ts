import { noticeKey } from '@cairn/changes-daemon';
import type { RequestRow, RunRow } from '@cairn/changes-daemon';
import type { AgentConfig, AgentStack } from '../config/agent-config.js';
import { stackNamed } from '../config/review-stack.js';
import type { RunLedger } from '../runs/ledger.js';
import type { Failed, StackWork, WorkResult } from '../stack-work.js';
import type { Tasks } from './tasks.js';

/** Parts of the agent that its managers share. */
export interface ManagerContext {
  readonly config: AgentConfig;
  readonly ledger: RunLedger;
  readonly work: StackWork;
  readonly tasks: Tasks;
  /** Fence of the lease under which this agent works. */
  readonly fence: number;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Requests a pass within some milliseconds. */
  readonly ensureBefore: (ms: number) => void;
  /** Keeps the plan of a run where the next agent finds it. Defaults to the file that the work has written. */
  readonly keepPlan?: (run: RunRow) => Promise<void>;
  /** True if no new work is begun. */
  readonly isStopping: () => boolean;
  /** Writes a line of the agent's log. */
  readonly log: (text: string, facts?: Readonly<Record<string, string>>) => void;
}

/** Returns the settings of a stack, or `undefined` if the file no longer has it. */
export function settingsOf({ config }: ManagerContext, name: string): AgentStack | undefined {
  return stackNamed(config.stacks, name);
}

/** Adds a request of the agent itself. */
export function requestByAgent(
  {
    ledger,
    newId,
    now,
    log,
  }: Pick<ManagerContext, 'newId' | 'now' | 'log'> & { readonly ledger: Pick<RunLedger, 'addRequest'> },
  request: Omit<RequestRow, 'id' | 'at'>,
): void {
  const row = { ...request, id: newId(), at: now().toISOString() };
  if (ledger.addRequest(row, false)) log(`${row.by} requests ${row.kind}`, { stack: row.stack });
}

/** Adds a notice about a run. */
export function noticeOfRun(
  { ledger }: ManagerContext,
  type: 'approval-wanted' | 'run-failed' | 'run-held' | 'run-recovered' | 'afterwards-failed',
  run: RunRow,
  why: readonly string[] = run.why,
): void {
  ledger.notices.add(type, run.id, {
    data: { stack: run.stack, kind: run.kind, status: run.status, why: why.join('; ') },
  });
}

/** Notes that a command after the operation of a run failed. Returns the reasons of the run with it. */
export function noteAfterwards(context: ManagerContext, run: RunRow, result: WorkResult): readonly string[] {
  const failure = 'afterwards' in result ? result.afterwards : undefined;
  const reasons = result.t === 'failed' ? [result.why] : run.why;
  if (failure === undefined) return reasons;
  const why = `a command afterwards failed: ${failure}`;
  context.log(`run ${run.id}: ${why}`, { stack: run.stack });
  noticeOfRun(context, 'afterwards-failed', run, [failure]);
  return [...reasons, why];
}

/** Longest time that a run waits for a store that does not answer, and time until it tries again, in milliseconds. */
const UNREACHED_MS = 10 * 60_000;
const AGAIN_MS = 5_000;

/**
 * Tells whether work that failed is to be done again, because the store of the stack did not answer. Notes since when,
 * so that a run does not wait for an address that is wrong [AGT-6].
 */
export function isToWait(context: ManagerContext, { id, stack }: RunRow, result: Failed): boolean {
  if (result.isUnreached !== true) return false;
  const { ledger, log, now, ensureBefore } = context;
  const { unreached } = ledger.run(id);
  const at = now();
  if (unreached === undefined) {
    ledger.note(id, { unreached: at.toISOString() });
    log(`run ${id} waits for the store of its stack`, { stack, why: result.why });
  } else if (at.getTime() - Date.parse(unreached) >= UNREACHED_MS) return false;
  ensureBefore(AGAIN_MS);
  return true;
}

/** Adds a notice about an agent that has ended without releasing the folder, with the runs that it left [AGT-9]. */
export function noticeOfLoss(
  ledger: RunLedger,
  { agent, host, pid }: { readonly agent: string; readonly host: string; readonly pid: number },
): void {
  const left = [...ledger.busyRuns];
  ledger.notices.add('agent-lost', noticeKey(agent), {
    data: { host, process: String(pid), runs: left.map(({ id }) => id).join(', ') },
  });
}
