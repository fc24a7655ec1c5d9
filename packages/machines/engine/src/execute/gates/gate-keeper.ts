import { urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ChangeMachine, ChangeTx, Outcome, StepKind } from '@cairn/changes';
import type { Diagnostic } from '@cairn/diagnostics';
import type { Gate } from '../../model/goal.js';
import type { WaitingTask } from '../../model/result.js';

/** Kind of the tasks that wait for approval. Their data is `{ urn, gate }`: who asks, and the reason. */
export const GATE = 'gate';

/** What the gates of one operation work with. */
interface GateKeeperParts {
  readonly machine: ChangeMachine;
  readonly preview: boolean;
  /** URNs whose gates were approved before the operation began. */
  readonly approved: ReadonlySet<string>;
  /** How commands name the change; undefined: it has no number. */
  readonly change: string | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
  /** A gate has begun to wait. */
  readonly onWaiting: () => void;
}

/**
 * The approvals of one operation [REC-15]: each gate is one task of the change, asked for when the first
 * step that needs it is decided and waited for by every such step. A preview only says which will be asked for.
 */
export class GateKeeper {
  /** Ids of their tasks by who asks for them. */
  readonly #tasks = new Map<Urn, string>();
  /** Those that wait, by id, in the order in which they were asked. */
  readonly #open = new Map<string, Gate>();
  readonly #said = new Set<Urn>();
  /** Gates that still wait are not waited for any more. */
  #dismissed = false;

  constructor(private readonly parts: GateKeeperParts) {}

  /**
   * How tasks of the kind are done: they wait until somebody approves. They count towards no limit and have nothing to
   * undo.
   */
  kind(): StepKind<Gate> {
    return { unlimited: true, do: ({ payload, task }) => this.#ask(payload, task.id) };
  }

  /**
   * Ids of the tasks that must be done before anything is done under these gates; adds those that are not there yet.
   */
  waits(gates: readonly Gate[], t: ChangeTx): readonly string[] {
    const open = gates.filter(({ urn }) => !this.parts.approved.has(urn));
    if (!this.parts.preview) return open.map((gate) => this.#task(gate, t));
    for (const gate of open) this.#announce(gate);
    return [];
  }

  /** What waits and is waited for, in the order in which it was asked. */
  get waiting(): readonly WaitingTask[] {
    const waiting: WaitingTask[] = [];
    for (const [id, { urn, reason }] of this.#open) {
      const task = this.parts.machine.change.tasks.get(id);
      if (task?.status !== 'wait' || !task.halts.some(({ status }) => status === 'do')) continue;
      waiting.push({ task: id, urn, kind: 'gate', why: reason });
    }
    return waiting;
  }

  /** Lets go on what waits for the task; false when it is no gate that waits. `by`: who approves, for the record. */
  approve(id: string, by?: string): boolean {
    const { machine } = this.parts;
    const task = machine.change.tasks.get(id);
    if (task?.kind !== GATE || task.status !== 'wait') return false;
    this.#open.delete(id);
    machine.tx((t) => {
      if (by !== undefined) t.set('approvedBy', by, id);
      t.resolve(id, 'done');
    });
    return true;
  }

  /**
   * Closes the gates that wait although nobody goes through them any more. `kept`: ids of those that stay as they are.
   */
  dismiss(kept: ReadonlySet<string>): void {
    const { machine } = this.parts;
    this.#dismissed = true;
    const idle = [...this.#open.keys()].filter(
      (id) => !kept.has(id) && machine.change.tasks.get(id)?.status === 'wait',
    );
    if (idle.length > 0) machine.tx((t) => idle.forEach((id) => t.resolve(id, 'do')));
  }

  #task(gate: Gate, t: ChangeTx): string {
    const known = this.#tasks.get(gate.urn);
    if (known !== undefined) return known;
    const id = t.addTask({
      kind: GATE,
      summary: `approve ${gate.urn}`,
      payload: gate,
      data: { urn: gate.urn, gate: gate.reason },
      // Of its own: it fails with nobody, and what is behind it fails with whom it would without it.
      lanes: [t.newLane()],
    });
    this.#tasks.set(gate.urn, id);
    return id;
  }

  #ask(gate: Gate, id: string): Outcome {
    if (this.#dismissed) return { t: 'hold', reason: 'nothing waits for the approval any more' };
    const { change, report, onWaiting } = this.parts;
    report({
      severity: 'info',
      code: 'CAIRN-WAITING',
      summary: `${shown(gate.urn)} waits for approval: ${gate.reason}`,
      urn: gate.urn,
      hint: `Approve it with \`cairn approve ${change ?? 'CHANGE'}/${id}\`.`,
    });
    this.#open.set(id, gate);
    void this.parts.machine.ended(id).then(onWaiting, () => undefined);
    return { t: 'wait', then: 'do', reason: gate.reason };
  }

  #announce(gate: Gate): void {
    if (this.#said.has(gate.urn)) return;
    this.#said.add(gate.urn);
    this.parts.report({
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
