import { errorDiagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { OperationRequest } from '../model/request.js';
import type { EngineResult, RunningOperation } from '../model/result.js';
import type { EnginePorts } from '../ports.js';
import { asContinued } from '../recover/finish-rollback.js';
import { ShutdownEscalation } from './shutdown-escalation.js';
import { operationEnd } from './ending.js';
import { runPhases } from './phases/index.js';
import { prelude } from './phases/prelude.js';
import { judgeProgram } from './phases/program.js';
import { newRun } from './make-run.js';
import type { NewRun } from './make-run.js';
import type { Run } from './run.js';

/**
 * Starts one operation on one stack and returns at once. It reports all findings to `ports.emit` and records all
 * actions in `ports.store`, before and after each. The result says how it ended.
 */
export function startOperation(wanted: OperationRequest, ports: EnginePorts): RunningOperation {
  const request = asContinued(wanted);
  const core = new Operation(request, ports);
  return {
    done: core.run(),
    get entries() {
      return core.entries;
    },
    approve: (task, by) => core.approve(task, by),
    abort: (how) => core.abort(how),
    cancel: () => core.cancel(),
    cancelRunning: () => core.cancelRunning(),
    kill: () => core.kill(),
  };
}

/** One operation from start to end, with the ways to end it early. Its work is in `phases/`. */
class Operation {
  readonly #run: Run;
  readonly #made: NewRun;
  readonly #startedMs: number;
  readonly #shutdown: ShutdownEscalation;
  /** True if everything was done, or rolled back. */
  #concluding = false;
  readonly #request: OperationRequest;
  readonly #ports: EnginePorts;

  constructor(request: OperationRequest, ports: EnginePorts) {
    this.#request = request;
    this.#ports = ports;
    this.#startedMs = ports.clock.monotonicMs();
    this.#made = newRun(request, ports);
    this.#run = this.#made.run;
    const { control, chains, undoer, peers, report } = this.#run;
    this.#shutdown = new ShutdownEscalation({
      clock: ports.clock,
      cancelGraceMs: ports.cancelGraceMs,
      running: () => new Set([...chains.running, ...undoer.running]),
      report,
      cancelCalls: () => {
        control.callsCancelled = true;
        peers.cancelProviders();
      },
      cancel: () => this.cancel(),
      kill: () => this.kill(),
    });
  }

  /** Entries as recorded so far, in snapshot order. O(V). */
  get entries(): readonly ResourceEntry[] {
    return this.#run.recorder.live.entries();
  }

  /** Runs the operation. Never rejects, except with a BugError. */
  async run(): Promise<EngineResult> {
    const { control } = this.#run;
    await Promise.race([this.#work(), control.killed]);
    this.#made.limits.close();
    this.#concluding = true;
    this.#shutdown.over();
    if (control.bug !== undefined) throw control.bug;
    const durationMs = Math.max(0, this.#ports.clock.monotonicMs() - this.#startedMs);
    const result = operationEnd(this.#run, this.#made.phases, durationMs);
    this.#ports.emit({ t: 'summary', summary: result.summary });
    return result;
  }

  /** Continues the work that waits for this approval; see {@link RunningOperation.approve}. */
  approve(task: string, by?: string): boolean {
    return this.#run.gates.keeper.approve(task, by);
  }

  /**
   * Stops, and rolls back its changes if requested. Steps that run too long are ended. Returns false if the call came
   * too late and changes nothing.
   */
  abort({ rollback }: { readonly rollback: boolean }): boolean {
    if (this.#concluding) return false;
    if (rollback) this.#rollBack();
    else this.cancel();
    this.#shutdown.aborted();
    return true;
  }

  /** Starts nothing more. Running steps end, and completed ones are rolled back. */
  #rollBack(): void {
    const { control, report, peers } = this.#run;
    const { rollback } = this.#made.phases;
    if (control.cancelled || rollback.unwanted) return;
    if (this.#request.kind === 'rollback') return this.cancel();
    rollback.unwanted = true;
    report.diagnostic(errorDiagnostic('CAIRN-CANCELLED', 'the operation was aborted'));
    control.stop();
    peers.cancelProgram();
  }

  /** Starts nothing more. Running steps end and are recorded. A rollback that is under way ends where it is. */
  cancel(): void {
    const { control, report, change, peers } = this.#run;
    const { rollback, policies } = this.#made.phases;
    if (control.cancelled) return;
    control.cancelled = true;
    report.diagnostic(errorDiagnostic('CAIRN-CANCELLED', 'the operation was cancelled'));
    control.stop();
    // Code that waits for the rollback learns that the change ended early.
    if (rollback.state === 'running') change.machine.stop().catch(() => undefined);
    peers.cancelProgram();
    policies.cancel();
  }

  /** Lets the providers end running steps. Steps without a definite answer after a grace period are left in doubt. */
  cancelRunning(): void {
    this.cancel();
    this.#shutdown.cancelCalls();
  }

  /** Abandons running steps and leaves them in doubt. */
  kill(): void {
    this.cancel();
    this.#run.control.kill();
    void this.#run.peers.close();
  }

  async #work(): Promise<void> {
    const { report, recorder, peers, control } = this.#run;
    const { phases, completed } = this.#made;
    const { rollback, policies } = phases;
    prelude(this.#request, this.#ports.emit, report);
    try {
      recorder.complete(completed.added, completed.changed);
      await runPhases(this.#run, phases);
      if (rollback.isDue) await rollback.run();
      this.#concluding = true;
      await this.#conclude();
    } catch (thrown) {
      control.storeFailed(thrown);
    } finally {
      await policies.close();
      await peers.close();
    }
  }

  async #conclude(): Promise<void> {
    const { recorder, gates, change, peers } = this.#run;
    const { rollback, snippets } = this.#made.phases;
    if (change.abandoned) return;
    recorder.flush();
    if (rollback.state === 'none') snippets.finish();
    gates.close();
    change.machine.complete();
    await change.machine.settled();
    await change.machine.flush();
    judgeProgram(this.#run, await peers.finished());
  }
}
