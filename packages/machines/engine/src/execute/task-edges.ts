import type { Urn } from '@cairn/addresses';
import type { ChangeView, Status } from '@cairn/changes';
import { eachReference } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { UNDO_PART } from '../decide/undo.js';
import { isStepKind } from '../model/step-kinds.js';
import { newOf, oldOf } from '../model/step.js';
import type { Step } from '../model/step.js';
import type { PriorGraph } from '../prior/graph.js';

/**
 * Which tasks a new one comes after, so that a rollback goes in reverse [REC-9]: the latest ones about the same
 * resource and about what the resource refers to; for a delete those about what referred to it. Only tasks that are
 * done: the engine itself starts nothing before what it needs has ended. O(references) a task.
 */
export class TaskEdges {
  readonly #latest = new Map<Urn, string>();

  /** What referred to what before the operation; nothing is known of it at first. */
  #before: PriorGraph | undefined;

  constructor(private readonly change: ChangeView) {}

  /** What referred to what, as the operation has found it so far. */
  builtOn(graph: PriorGraph): void {
    this.#before = graph;
  }

  /** Whether a task of this operation is about the resource. */
  has(urn: Urn): boolean {
    return this.#latest.has(urn);
  }

  /**
   * Resources of which something that a task did may still stand: it is done or on its way, or nobody knows. Not among
   * them are those whose tasks have all failed, have never begun or are undone. O(tasks).
   */
  inPlace(): ReadonlySet<Urn> {
    const urns = new Set<Urn>();
    for (const { kind, status, data } of this.change.tasks.values()) {
      if (!isStepKind(kind) || UNDO_PART[kind] === undefined || OVER.has(status)) continue;
      urns.add(data['urn'] as Urn);
    }
    return urns;
  }

  /** The latest task about a resource. */
  latest(urn: Urn): string | undefined {
    return this.#latest.get(urn);
  }

  /** Ids of the tasks that the step's task comes after, besides the one before it in its chain. */
  before(step: Step): readonly string[] {
    if (step.kind === 'refresh') return NONE;
    const waits = new Set<string>();
    this.#add(step.urn, waits);
    if ('leavesPending' in step || step.kind === 'remove-pending-replace') {
      for (const { entry } of this.#before?.dependents(step.urn) ?? []) this.#add(entry.urn, waits);
    } else this.#addReferences(newOf(step) ?? oldOf(step), waits);
    return waits.size === 0 ? NONE : [...waits];
  }

  /** The task is about the resource. */
  note(step: Step, id: string): void {
    if (step.kind !== 'refresh') this.#latest.set(step.urn, id);
  }

  /** A task undoes something of the resource. */
  taken(urn: Urn, id: string): void {
    this.#latest.set(urn, id);
  }

  #addReferences(entry: ResourceEntry | undefined, waits: Set<string>): void {
    if (entry !== undefined) eachReference(entry, (urn) => this.#add(urn, waits));
  }

  #add(urn: Urn, waits: Set<string>): void {
    const id = this.#latest.get(urn);
    if (id !== undefined && this.change.tasks.get(id)?.status === 'done') waits.add(id);
  }
}

const NONE: readonly string[] = [];

/** Where a task stands that leaves nothing to roll back: what a failed step has left is a task of its own. */
const OVER: ReadonlySet<Status> = new Set(['error', 'hold', 'undone']);
