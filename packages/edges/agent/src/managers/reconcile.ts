import { decidePlan, mustWait, newerRequest, queuePlaces } from '@cairn/changes-daemon';
import type { Manager, RunRow } from '@cairn/changes-daemon';
import type { AgentStack } from '../config/agent-config.js';
import type { PlanResult, WorkResult } from '../stack-work.js';
import type { ManagerContext } from './context.js';
import { isToWait, noteAfterwards, noticeOfRun, settingsOf } from './context.js';
import { detectDrift } from './drift.js';
import { taskOfRun } from './tasks.js';

/**
 * Carries requests out: begins the runs that may begin, plans them, asks the policy, and applies what the policy or
 * approvals allow [AGT-3]. A process that has made a plan follows it if it is allowed at once.
 */
export class ReconcileManager implements Manager {
  readonly #context: ManagerContext;

  constructor(context: ManagerContext) {
    this.#context = context;
  }

  ensure(): void {
    const { ledger, tasks, isStopping } = this.#context;
    if (isStopping()) return;
    this.#beginRuns();
    for (const run of ledger.busyRuns) {
      if (run.status !== 'planning' && run.status !== 'ready') continue;
      if (run.status === 'ready' && mustWait(run, ledger.busyRuns)) continue;
      if (tasks.free <= 0) return;
      tasks.start(taskOfRun(run.id), () => (run.status === 'planning' ? this.#plan(run) : this.#apply(run)));
    }
  }

  wait(): Promise<void> {
    return this.#context.tasks.idle();
  }

  #beginRuns(): void {
    const { ledger, config } = this.#context;
    const after = (name: string): readonly string[] => settingsOf(this.#context, name)?.after ?? [];
    const begun = [...ledger.busyRuns].filter(({ status }) => status === 'planning' || status === 'ready');
    let free = config.places - begun.length;
    for (const { request, waitsFor } of queuePlaces(ledger.queuedRequests, ledger.busyRuns, after)) {
      if (waitsFor !== undefined) continue;
      if (free <= 0) return;
      free -= 1;
      ledger.begin(request.id, settingsOf(this.#context, request.stack)?.policy.approvals ?? 1);
    }
  }

  async #plan(run: RunRow): Promise<void> {
    const stack = this.#settings(run);
    if (stack === undefined) return;
    await this.#context.ledger.stored();
    if (run.kind === 'drift') return detectDrift(this.#context, stack, run);
    const result = await this.#context.work.plan(stack, run, needsNoPerson(stack, run));
    const asking = result.t === 'planned' ? result.asking : undefined;
    if (asking === undefined) return this.#decide(stack, run, result);
    let hasAnswer = false;
    try {
      await this.#decide(stack, run, result);
      const { ledger, isStopping } = this.#context;
      const ready = ledger.run(run.id);
      if (ready.status !== 'ready' || mustWait(ready, ledger.busyRuns) || isStopping()) return;
      await this.#apply(ready, (applying) => {
        hasAnswer = true;
        return asking.follow(applying);
      });
    } finally {
      if (!hasAnswer) await asking.end();
    }
  }

  /** Keeps a plan, and decides about it. */
  async #decide(stack: AgentStack, run: RunRow, result: PlanResult): Promise<void> {
    if (result.t === 'planned' && result.steps.length > 0) await this.#context.keepPlan?.(run);
    this.#planned(stack, run, result);
  }

  #planned(stack: AgentStack, run: RunRow, result: PlanResult): void {
    const { ledger, now } = this.#context;
    if (result.t === 'stopped') return;
    if (result.t === 'failed') {
      if (isToWait(this.#context, run, result)) return;
      return this.#ended(ledger.move(run.id, 'fail', { why: [result.why] }));
    }
    const newer = newerRequest(run, ledger.queuedRequests);
    if (newer !== undefined)
      return this.#ended(ledger.move(run.id, 'supersede', { why: [`superseded by request ${newer.id}`] }));
    const { steps, digest, base, commit, changesNothing } = result;
    const plan = { steps, digest, base, unreached: undefined, ...(commit !== undefined && { commit }) };
    if (run.kind === 'preview')
      return this.#ended(ledger.move(run.id, 'nothing', { ...plan, why: ['a preview applies nothing'] }));
    if (run.kind === 'refresh')
      return this.#note(ledger.move(run.id, 'allow', { ...plan, why: ['a refresh changes no object'] }));
    // An empty copy of a stack is removed after its destroy.
    const isEnd = run.kind === 'destroy' && stack.copies !== undefined;
    if (changesNothing && !isEnd)
      return this.#ended(ledger.move(run.id, 'nothing', { ...plan, why: ['nothing differs'] }));
    // No rule is about outputs, or about what only the state has of a resource.
    if (steps.length === 0)
      return this.#note(ledger.move(run.id, 'allow', { ...plan, why: ['no object changes'] }));
    const { answer, reasons } = decidePlan(stack.policy, { steps, request: run.kind, by: run.by, at: now() });
    const why = [...reasons];
    if (answer === 'refuse') return this.#ended(ledger.move(run.id, 'refuse', { ...plan, why }));
    if (answer === 'apply') return this.#note(ledger.move(run.id, 'allow', { ...plan, why }));
    if (run.approved === true)
      return this.#note(ledger.move(run.id, 'allow', { ...plan, why: [...why, 'its settings approve it'] }));
    const waiting = ledger.move(run.id, 'ask', { ...plan, why });
    this.#note(waiting);
    noticeOfRun(this.#context, 'approval-wanted', waiting);
  }

  /** `operate` defaults to a process of its own. */
  async #apply(run: RunRow, operate?: (applying: RunRow) => Promise<WorkResult>): Promise<void> {
    const { ledger, work, fence } = this.#context;
    const stack = this.#settings(run);
    if (stack === undefined) return;
    const applying = ledger.move(run.id, 'begin', { fence });
    this.#note(applying);
    // Durable before the operation begins: a later agent looks for it.
    await ledger.stored();
    const result = await (operate?.(applying) ?? work.apply(stack, applying));
    await settleRun(this.#context, stack, applying, result);
  }

  /** Returns the settings of the stack of a run. Ends a run whose stack the file no longer has. */
  #settings(run: RunRow): AgentStack | undefined {
    const stack = settingsOf(this.#context, run.stack);
    if (stack === undefined)
      this.#ended(
        this.#context.ledger.move(run.id, 'fail', { why: ['the file of the agent has no such stack'] }),
      );
    return stack;
  }

  #ended(run: RunRow): void {
    noteEnd(this.#context, run);
  }

  #note(run: RunRow): void {
    this.#context.log(`run ${run.id} is ${run.status}`, { stack: run.stack, why: run.why.join('; ') });
  }
}

/** Tells if it is likely that a run needs no person, so that the process of its plan may apply it. */
function needsNoPerson({ policy }: AgentStack, { approved }: RunRow): boolean {
  return approved === true || policy.rules.some(({ then }) => then === 'apply');
}

/** Records the result of an operation, and removes the stack after a destroy that was to do so. */
async function settleRun(
  context: ManagerContext,
  stack: AgentStack,
  run: RunRow,
  result: WorkResult,
): Promise<void> {
  const { ledger } = context;
  switch (result.t) {
    case 'done':
      return succeedRun(context, stack, run, noteAfterwards(context, run, result));
    case 'failed':
      // The next look finds out how far it came.
      if (isToWait(context, run, result)) return void ledger.move(run.id, 'lose', { why: [result.why] });
      return noteEnd(context, ledger.move(run.id, 'fail', { why: noteAfterwards(context, run, result) }));
    case 'moved':
      return noteEnd(context, ledger.move(run.id, 'expire', { why: [result.why] }));
    case 'asks':
    case 'stopped': {
      const handedOver = result.t === 'stopped' && context.isStopping() ? { handedOver: true as const } : {};
      const isLocked = result.t === 'stopped' && result.isLocked === true;
      const locked = isLocked || run.locked ? { locked: true as const } : {};
      const lost = ledger.move(run.id, 'lose', { ...handedOver, ...locked, why: [result.why] });
      // It is tried again until the other operation has ended.
      if (isLocked && run.locked !== true) noticeOfRun(context, 'run-held', lost);
    }
  }
}

/** Ends a run whose operation succeeded. `why` defaults to its reasons so far. */
export async function succeedRun(
  context: ManagerContext,
  stack: AgentStack,
  run: RunRow,
  why: readonly string[] = run.why,
): Promise<void> {
  const { ledger, work, now } = context;
  const row = ledger.stack(stack.name);
  const isExpired = run.by === 'expiry' && stack.timeToLive?.remove === true;
  if (run.kind === 'destroy' && (isExpired || stack.copies !== undefined)) {
    const removed = await work.remove(stack, run);
    if (removed.t !== 'done') context.log(`cannot remove the stack`, { stack: stack.name });
  }
  const { deployed, expired: _expired, ...rest } = row;
  if (run.kind === 'destroy' && deployed !== undefined) ledger.setStack(stack.name, rest);
  if (run.kind === 'up' && deployed === undefined)
    ledger.setStack(stack.name, { ...rest, deployed: now().toISOString() });
  noteEnd(context, ledger.move(run.id, 'succeed', { why }));
}

/** Logs the end of a run, with a notice if it did not do what was asked. */
export function noteEnd(context: ManagerContext, run: RunRow): void {
  context.log(`run ${run.id} ${run.status}`, { stack: run.stack, kind: run.kind, why: run.why.join('; ') });
  if (run.status === 'failed' || run.status === 'refused' || run.status === 'expired')
    noticeOfRun(context, 'run-failed', run);
}
