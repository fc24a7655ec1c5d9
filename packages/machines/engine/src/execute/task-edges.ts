import type { Urn } from '@cairn/addresses';
import type { ChangeView, Status } from '@cairn/changes';
import { eachReference } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { isStepKind } from '../model/step-kinds.js';
import { newOf, oldOf } from '../model/step.js';
import type { Step } from '../model/step.js';
import type { PriorGraph } from '../prior/graph.js';
import { UNDO_PART } from '../model/undo-part.js';

/**
 * Determines the tasks that precede a new one, so that a rollback runs in reverse [REC-9]. These are the latest ones
 * about the same resource and about its references. For a delete they are those about resources that referred to it.
 * Only completed tasks count: the engine itself starts nothing before its requirements have ended. O(references) a
 * task.
 */
export class TaskEdges {
  readonly #latest = new Map<Urn, string>();

  /** References before the operation. Undefined at first. */
  #before: PriorGraph | undefined;

  readonly #change: ChangeView;

  constructor(change: ChangeView) {
    this.#change = change;
  }

  /** Sets the references that the operation has found so far. */
  builtOn(graph: PriorGraph): void {
    this.#before = graph;
  }

  /** Returns true if a task of this operation is about the resource. */
  has(urn: Urn): boolean {
    return this.#latest.has(urn);
  }

  /**
   * Returns the resources with a task whose effect may remain: it is done or in progress, or its outcome is unknown.
   * Excludes those whose tasks have all failed, never begun or been undone. O(tasks).
   */
  inPlace(): ReadonlySet<Urn> {
    const urns = new Set<Urn>();
    for (const { kind, status, data } of this.#change.tasks.values()) {
      if (!isStepKind(kind) || UNDO_PART[kind] === undefined || OVER.has(status)) continue;
      urns.add(data['urn'] as Urn);
    }
    return urns;
  }

  /** Returns the latest task about a resource. */
  latest(urn: Urn): string | undefined {
    return this.#latest.get(urn);
  }

  /** Returns the ids of the tasks that precede the step's task, besides the previous one in its chain. */
  before(step: Step): readonly string[] {
    if (step.kind === 'refresh') return NONE;
    const waits = new Set<string>();
    this.#add(step.urn, waits);
    if ('leavesPending' in step || step.kind === 'remove-pending-replace') {
      for (const { entry } of this.#before?.dependents(step.urn) ?? []) this.#add(entry.urn, waits);
    } else this.#addReferences(newOf(step) ?? oldOf(step), waits);
    return waits.size === 0 ? NONE : [...waits];
  }

  /** Records that the task is about the step's resource. */
  note(step: Step, id: string): void {
    if (step.kind !== 'refresh') this.#latest.set(step.urn, id);
  }

  /** Records a task that undoes a change of the resource. */
  taken(urn: Urn, id: string): void {
    this.#latest.set(urn, id);
  }

  #addReferences(entry: ResourceEntry | undefined, waits: Set<string>): void {
    if (entry !== undefined) eachReference(entry, (urn) => this.#add(urn, waits));
  }

  #add(urn: Urn, waits: Set<string>): void {
    const id = this.#latest.get(urn);
    if (id !== undefined && this.#change.tasks.get(id)?.status === 'done') waits.add(id);
  }
}

const NONE: readonly string[] = [];

/** Statuses of a task that leaves nothing to roll back. The remains of a failed step have a task of their own. */
const OVER: ReadonlySet<Status> = new Set(['error', 'hold', 'undone']);
