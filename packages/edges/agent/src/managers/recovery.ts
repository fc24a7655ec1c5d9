import type { Manager, RunCall, RunRow } from '@cairn/changes-daemon';
import type { AgentStack } from '../config/agent-config.js';
import type { OperationState, WorkResult } from '../stack-work.js';
import type { ManagerContext } from './context.js';
import { isToWait, noteAfterwards, noticeOfRun, settingsOf } from './context.js';
import { noteEnd, succeedRun } from './reconcile.js';
import { taskOfRun } from './tasks.js';

/** Milliseconds until another look at an operation that still runs, or that cannot be read. */
const SOON_MS = 2_000;
/** Milliseconds between two looks at a run that waits for a person. */
const HELD_MS = 30_000;
/** Deaths of the process that continues an operation, before a person has to look. */
const MOST_DEATHS = 3;

/** Settles the operations of runs whose process died, or that wait for a person [AGT-6]. */
export class RecoveryManager implements Manager {
  readonly #context: ManagerContext;
  /** Runs at which this agent has looked: the first look is due at its start. */
  readonly #seen = new Set<string>();
  /** Number of times that the process of a run died while it continued the operation. */
  readonly #deaths = new Map<string, number>();

  constructor(context: ManagerContext) {
    this.#context = context;
  }

  /** Takes up the runs of an agent that died: their processes are gone with it. */
  startUp(): void {
    const { ledger } = this.#context;
    for (const run of ledger.busyRuns)
      if (run.status === 'applying' || run.status === 'recovering')
        ledger.move(run.id, 'lose', { why: ['the agent that ran it ended'] });
  }

  ensure(): void {
    const { ledger, tasks, now, isStopping, ensureBefore } = this.#context;
    if (isStopping()) return;
    for (const run of ledger.busyRuns) {
      if (run.status !== 'lost' && run.status !== 'held') continue;
      const isNew = run.looked === undefined || !this.#seen.has(run.id);
      const since = isNew ? Infinity : now().getTime() - Date.parse(run.looked ?? '');
      const wait = (run.status === 'held' ? HELD_MS : SOON_MS) - since;
      // A clock that was set back has the next look in the far future.
      if (wait > 0 && since >= 0) {
        ensureBefore(wait);
        continue;
      }
      this.#seen.add(run.id);
      tasks.start(taskOfRun(run.id), () => this.#settle(run));
    }
  }

  async #settle(run: RunRow): Promise<void> {
    const { ledger, work, now } = this.#context;
    const stack = settingsOf(this.#context, run.stack);
    if (stack === undefined) {
      if (run.status === 'lost') this.#hold(run, 'the file of the agent has no such stack');
      return;
    }
    const state = await work.look(stack, run);
    ledger.note(run.id, { looked: now().toISOString() });
    await this.#settleState(stack, ledger.run(run.id), state);
  }

  async #settleState(stack: AgentStack, run: RunRow, state: OperationState): Promise<void> {
    const { ledger } = this.#context;
    switch (state) {
      case 'none':
        if (run.status === 'lost') ledger.move(run.id, 'retry');
        return;
      case 'running':
      case 'unknown':
        return;
      case 'succeeded':
        return succeedRun(this.#context, stack, run);
      case 'failed':
        return this.#end(run, 'fail', ['its operation failed']);
      case 'rolled-back':
        if (run.status === 'held') return this.#end(run, 'roll-back', ['a person rolled its operation back']);
        return this.#end(run, 'fail', ['its operation was rolled back']);
      case 'asks':
        if (run.status === 'lost')
          await this.#hold(
            run,
            'its operation waits for an answer: run `cairn changes` and `cairn resume` on the stack',
          );
        return;
      case 'unfinished':
        return this.#continue(stack, run);
    }
  }

  async #continue(stack: AgentStack, run: RunRow): Promise<void> {
    const { ledger, work } = this.#context;
    const how = run.handedOver === true ? 'resume' : stack.recovery;
    const deaths = this.#deaths.get(run.id) ?? 0;
    if (how === 'person' || deaths >= MOST_DEATHS) {
      const what = deaths === 0 ? 'its operation ended early' : `its operation died again, ${deaths} times`;
      if (run.status === 'lost')
        await this.#hold(run, `${what}: run \`cairn resume\` or \`cairn rollback\` on the stack`);
      return;
    }
    const recovering = ledger.move(run.id, 'recover', { fence: this.#context.fence });
    this.#context.log(`run ${run.id}: ${how}`, { stack: stack.name });
    await ledger.stored();
    const result = await work.recover(stack, recovering, how);
    await this.#recovered(stack, recovering, how, result);
  }

  async #recovered(
    stack: AgentStack,
    run: RunRow,
    how: 'resume' | 'rollback',
    result: WorkResult,
  ): Promise<void> {
    const { ledger, isStopping } = this.#context;
    switch (result.t) {
      case 'done': {
        const past = how === 'rollback' ? 'rolled back' : 'resumed';
        const recovered = { ...run, why: [`its operation died and was ${past}`] };
        const why = noteAfterwards(this.#context, recovered, result);
        if (how === 'rollback') this.#end(run, 'roll-back', why);
        else await succeedRun(this.#context, stack, run, why);
        return noticeOfRun(this.#context, 'run-recovered', ledger.run(run.id));
      }
      case 'failed':
        if (isToWait(this.#context, run, result))
          return void ledger.move(run.id, 'lose', { why: [result.why] });
        return this.#end(run, 'fail', noteAfterwards(this.#context, run, result));
      case 'moved':
        return this.#end(run, 'fail', [result.why]);
      case 'asks':
        return this.#hold(run, result.why);
      case 'stopped':
        if (result.isDead === true) this.#deaths.set(run.id, (this.#deaths.get(run.id) ?? 0) + 1);
        ledger.move(run.id, 'lose', {
          why: [result.why],
          ...(isStopping() && { handedOver: true as const }),
        });
    }
  }

  #end(run: RunRow, event: RunCall, why: readonly string[]): void {
    noteEnd(this.#context, this.#context.ledger.move(run.id, event, { why }));
  }

  /** Leaves a run to a person. That is durable before it is said. */
  async #hold(run: RunRow, why: string): Promise<void> {
    const { ledger, log } = this.#context;
    noticeOfRun(this.#context, 'run-held', ledger.move(run.id, 'hold', { why: [why] }));
    await ledger.stored();
    log(`run ${run.id} is held`, { stack: run.stack, why });
  }
}
