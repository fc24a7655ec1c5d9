import { urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ChangeMachine, ChangeTx, CallOutcome, TaskDefinition } from '@cairn/changes';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceGate } from '../../model/goal.js';
import type { WaitingTask } from '../../model/result.js';

/** Kind of the tasks that wait for approval. Their data is `{ urn, gate }`: the resource that asks, and the reason. */
export const GATE = 'gate';

/** Dependencies of {@link GateKeeper}. */
interface GateKeeperParts {
  readonly machine: ChangeMachine;
  readonly preview: boolean;
  /** URNs whose gates were approved before the operation began. */
  readonly approved: ReadonlySet<string>;
  /** Name of the change in commands. Undefined if it has no number. */
  readonly change: string | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Called when a gate has begun to wait. */
  readonly onWaiting: () => void;
}

/**
 * Approvals of one operation [REC-15]. Each gate is one task of the change. Cairn asks for the approval when it decides
 * the first step that needs it, and every such step waits for it. A preview only announces the approvals to come.
 */
export class GateKeeper {
  /** Ids of their tasks by the resource that asks for them. */
  readonly #tasks = new Map<Urn, string>();
  /** Waiting gates by id, in the order in which they were asked for. */
  readonly #open = new Map<string, ResourceGate>();
  readonly #said = new Set<Urn>();
  /** True if no step waits for the remaining gates. */
  #dismissed = false;

  readonly #parts: GateKeeperParts;

  constructor(parts: GateKeeperParts) {
    this.#parts = parts;
  }

  /**
   * Returns the handler of such tasks: they wait until a person approves. They count towards no limit and cannot be
   * undone.
   */
  kind(): TaskDefinition<ResourceGate> {
    return { unlimited: true, do: ({ payload, task }) => this.#ask(payload, task.id) };
  }

  /** Returns the ids of the tasks that must be done before any step under these gates. Adds missing ones. */
  waits(gates: readonly ResourceGate[], t: ChangeTx): readonly string[] {
    const open = gates.filter(({ urn }) => !this.#parts.approved.has(urn));
    if (!this.#parts.preview) return open.map((gate) => this.#task(gate, t));
    for (const gate of open) this.#announce(gate);
    return [];
  }

  /** Gates with steps that wait for them, in the order in which they were asked for. */
  get waiting(): readonly WaitingTask[] {
    const waiting: WaitingTask[] = [];
    for (const [id, { urn, reason }] of this.#open) {
      const task = this.#parts.machine.change.tasks.get(id);
      if (task?.status !== 'wait' || !task.halts.some(({ status }) => status === 'do')) continue;
      waiting.push({ task: id, urn, kind: 'gate', why: reason });
    }
    return waiting;
  }

  /**
   * Approves a gate and releases the steps that wait for it. Returns false if the task is not a waiting gate. `by` is
   * the approver, for the record.
   */
  approve(id: string, by?: string): boolean {
    const { machine } = this.#parts;
    const task = machine.change.tasks.get(id);
    if (task?.kind !== GATE || task.status !== 'wait') return false;
    this.#open.delete(id);
    machine.tx((t) => {
      if (by !== undefined) t.set('approvedBy', by, id);
      t.resolve(id, 'done');
    });
    return true;
  }

  /** Closes the waiting gates that no step needs. `kept` contains the ids of those that remain unchanged. */
  dismiss(kept: ReadonlySet<string>): void {
    const { machine } = this.#parts;
    this.#dismissed = true;
    const idle = [...this.#open.keys()].filter(
      (id) => !kept.has(id) && machine.change.tasks.get(id)?.status === 'wait',
    );
    if (idle.length > 0) machine.tx((t) => idle.forEach((id) => t.resolve(id, 'do')));
  }

  #task(gate: ResourceGate, t: ChangeTx): string {
    const known = this.#tasks.get(gate.urn);
    if (known !== undefined) return known;
    const id = t.addTask({
      kind: GATE,
      summary: `approve ${gate.urn}`,
      payload: gate,
      data: { urn: gate.urn, gate: gate.reason },
      // A lane of its own: the gate fails with no other task, and dependent steps fail as they would without it.
      lanes: [t.newLane()],
    });
    this.#tasks.set(gate.urn, id);
    return id;
  }

  #ask(gate: ResourceGate, id: string): CallOutcome {
    if (this.#dismissed) return { t: 'hold', reason: 'the approval is no longer needed' };
    const { change, report, onWaiting } = this.#parts;
    report({
      severity: 'info',
      code: 'CAIRN-WAITING',
      summary: `${shown(gate.urn)} waits for approval: ${gate.reason}`,
      urn: gate.urn,
      hint: `Approve it with \`cairn approve ${change ?? 'CHANGE'}/${id}\`.`,
    });
    this.#open.set(id, gate);
    void this.#parts.machine.ended(id).then(onWaiting, () => undefined);
    return { t: 'wait', then: 'do', reason: gate.reason };
  }

  #announce(gate: ResourceGate): void {
    if (this.#said.has(gate.urn)) return;
    this.#said.add(gate.urn);
    this.#parts.report({
      severity: 'info',
      code: 'CAIRN-WAITING',
      summary: `${shown(gate.urn)} will wait for approval: ${gate.reason}`,
      urn: gate.urn,
    });
  }
}

function shown(urn: Urn): string {
  return `${urnType(urn)} "${urnName(urn)}"`;
}
