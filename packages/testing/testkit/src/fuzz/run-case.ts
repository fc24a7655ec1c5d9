import { messageOf } from '@cairn/diagnostics';
import type { RunningOperation } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { replayed, runScenario } from '../world/scenario.js';
import type { Outcome, Scenario } from '../world/scenario.js';
import { FINE, patterns } from './concluding.js';
import { exportedStack } from './exported-stack.js';
import type { ExportedStack } from './exported-stack.js';
import type { FuzzCase, WantedOperation, WantedResource } from './fuzz-case.js';
import { ownsObject, released, replayFault, worldFaults } from './invariants.js';
import { priorSnapshot } from './prior-snapshot.js';
import { randomProgram } from './random-program.js';
import { ScriptedWorld } from './scripted-world.js';
import { settle } from './settle.js';

/** A fault found by a random case. */
export interface Finding {
  /** Position of the operation. A position after the last one is a check at the end of every case. */
  readonly operation: number;
  readonly fault: string;
}

/** Start of a case, if it is not its own prior. */
export interface CaseStart {
  /** The snapshot of an exported stack. */
  readonly snapshot?: Snapshot | undefined;
  /** Changes requests and ports of every operation, for planting faults. */
  readonly scenario?: ((scenario: Scenario) => Scenario) | undefined;
  /** Called with every operation that ended. */
  readonly onOutcome?: ((wanted: WantedOperation, outcome: Outcome) => void) | undefined;
}

/**
 * Runs a case, followed by the end of every case. That is an up of the last program without failures, the same again
 * (which does nothing), and a destroy (which leaves only protected or retained resources). Returns the first fault, or
 * undefined if there is none.
 */
export async function runCase(wanted: FuzzCase, start: CaseStart = {}): Promise<Finding | undefined> {
  const stack = new FuzzedStack(
    start,
    start.snapshot === undefined && wanted.prior.length > 0 ? priorSnapshot(wanted.prior) : undefined,
  );
  for (const [index, operation] of wanted.operations.entries()) {
    const { fault } = await stack.operate(operation);
    if (fault !== undefined) return { operation: index, fault };
  }
  const fault = await stack.conclude(wanted.operations.at(-1)?.program ?? []);
  return fault === undefined ? undefined : { operation: wanted.operations.length, fault };
}

interface Operated {
  readonly fault: string | undefined;
  readonly outcome: Outcome | undefined;
}

/** A stack in memory during a case. */
class FuzzedStack {
  readonly #world: ScriptedWorld;
  readonly #exported: ExportedStack | undefined;
  #snapshot: Snapshot | undefined;
  readonly #start: CaseStart;

  constructor(start: CaseStart, prior: Snapshot | undefined) {
    this.#start = start;
    this.#exported = start.snapshot && exportedStack(start.snapshot);
    this.#world = new ScriptedWorld(this.#exported?.packages);
    this.#snapshot = start.snapshot ?? prior;
    this.#world.adopt(this.#snapshot?.resources ?? []);
  }

  async operate(wanted: WantedOperation): Promise<Operated> {
    const world = this.#world;
    world.scripts = wanted.scripts;
    for (const at of wanted.vanished) world.vanishAt(at);
    let live: readonly ResourceEntry[] = [];
    let operation: RunningOperation | undefined;
    world.onCall = (count) => {
      if (count === wanted.cancelAt) operation?.cancel();
    };
    const scenario = this.#scenario(wanted, (running) => {
      operation = running;
      live = [];
    });
    try {
      const ended = await settle(runScenario(scenario), () => world.calls.length);
      if (ended === undefined) return { fault: 'the operation hangs', outcome: undefined };
      live = operation?.entries ?? live;
      const outcome = ended.value;
      this.#start.onOutcome?.(wanted, outcome);
      if (!wanted.preview) this.#snapshot = outcome.snapshot;
      return { fault: this.#faultOf(wanted, scenario, outcome, live), outcome };
    } catch (thrown) {
      return { fault: `the operation throws: ${messageOf(thrown)}`, outcome: undefined };
    } finally {
      world.onCall = () => undefined;
    }
  }

  async conclude(program: readonly WantedResource[]): Promise<string | undefined> {
    const fine: WantedOperation = { ...FINE, program };
    this.#restore();
    const up = await this.operate(fine);
    if (up.fault !== undefined) return `up at the end: ${up.fault}`;
    if (up.outcome?.result.summary.result === 'succeeded') {
      const stale = this.#snapshot?.resources.find((entry) => entry.delete || entry.pendingReplacement);
      if (stale !== undefined) return `up at the end leaves ${stale.urn} unfinished`;
      const again = await this.operate(fine);
      if (again.fault !== undefined) return `second up: ${again.fault}`;
      const steps = again.outcome?.trace.filter((line) => !/^(same|read) /.test(line)) ?? [];
      if (steps.length > 0) return `the second up does something: ${steps.join(', ')}`;
    } else {
      const unexpected = up.outcome?.complaints.find(
        (line) => line.startsWith('error') && !EXCUSES.some((each) => each.test(line)),
      );
      if (unexpected !== undefined) return `up at the end fails: ${unexpected}`;
    }
    const destroyed = await this.operate({ ...fine, kind: 'destroy', program: [] });
    if (destroyed.fault !== undefined) return `destroy at the end: ${destroyed.fault}`;
    const left = this.#snapshot?.resources ?? [];
    if (left.length === 0) return undefined;
    return `destroy leaves ${left.map((entry) => entry.urn).join(', ')}`;
  }

  /** Restores objects that were deleted outside of Cairn and are still in the state. */
  #restore(): void {
    for (const entry of this.#snapshot?.resources ?? []) {
      const { urn, type, id, inputs, outputs } = entry;
      if (!ownsObject(entry) || this.#world.objects.has(id)) continue;
      if (this.#world.excused.delete(id))
        this.#world.objects.set(id, { urn, type, inputs, outputs, settings: undefined });
    }
  }

  #faultOf(
    wanted: WantedOperation,
    { prior = emptySnapshot, crypter }: Scenario,
    outcome: Outcome,
    live: readonly ResourceEntry[],
  ): string | undefined {
    const world = this.#world;
    for (const id of released(outcome.events)) world.objects.delete(id);
    if (wanted.preview && outcome.store.records.length > 0) return 'a preview writes to the store';
    // The journal alone counts here; the stored order is not compared.
    const records = wanted.preview ? undefined : outcome.store.records;
    const replay = records && replayFault(live, replayed(prior, records, crypter));
    if (replay !== undefined) return replay;
    for (const { id } of outcome.result.inDoubt) if (id !== '') world.excused.add(id);
    return this.#snapshot === undefined ? undefined : worldFaults(this.#snapshot, world)[0];
  }

  #scenario(wanted: WantedOperation, onStart: (operation: RunningOperation) => void): Scenario {
    const { kind, preview, scope } = wanted;
    const scenario: Scenario = {
      kind,
      preview,
      runProgram: wanted.runProgram,
      prior: this.#snapshot,
      identity: this.#exported?.identity,
      providers: this.#world,
      program: randomProgram(wanted.program),
      scope: {
        refresh: wanted.refresh && kind !== 'refresh',
        targets: patterns(scope?.targets ?? []),
        targetDependents: scope?.dependents ?? false,
        excludes: patterns(scope?.excludes ?? []),
        excludeDependents: scope?.dependents ?? false,
        replace: patterns(scope?.replace ?? []),
      },
      policy: { continueOnError: wanted.continueOnError, ignoreProtect: wanted.ignoreProtect },
      onStart,
    };
    return this.#start.scenario?.(scenario) ?? scenario;
  }
}

/** Accepted failures of an up without provider failures. */
const EXCUSES = [/import/, /cannot read/];
