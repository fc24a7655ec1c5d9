import type { ChangeRecord, OutcomeResult, RecordBody, Status } from '@cairn/changes';
import { base64Crypter } from '@cairn/crypters';
import { encodeJournalEntry, resourceEntry } from '@cairn/state';
import type { JournalEntry, PendingOperationType, ResourceEntry } from '@cairn/state';
import type { Backend, OperationEnd, OperationLog, OperationStart } from '../src/index.js';
import { START, lease, urnOf } from './world.js';

/** Writes the records of one change as the machine does: the change, tasks, intents with begins, outcomes with ends. */
export class ChangeRecorder {
  readonly records: ChangeRecord[] = [];
  #tasks = 0;
  #entries = 0;

  constructor(kind = 'up') {
    this.add({ record: 'change', id: 'c1', kind, summary: 'up shop/dev', scope: 'shop/dev', growing: true });
  }

  add(body: RecordBody): this {
    const seq = this.records.length + 1;
    this.records.push({ seq, tx: seq, at: '2030-01-01T00:00:00Z', ...body });
    return this;
  }

  /** Begins a task and returns its id. */
  begins(resource: ResourceEntry, type: PendingOperationType = 'creating'): string {
    this.#tasks += 1;
    const task = String(this.#tasks);
    this.add({
      record: 'task',
      id: task,
      kind: 'create',
      summary: `${type} ${resource.urn}`,
      data: { urn: resource.urn },
    });
    const entry = this.#entry({ kind: 'begin', operationId: this.#tasks, operation: { type, resource } });
    this.add({ record: 'intent', task, direction: 'do', status: 'doing', attempt: 1, entry });
    return task;
  }

  ends(task: string, status: Status, entry: Omit<JournalEntry, 'sequenceId'> | undefined): this {
    const result: OutcomeResult = status === 'done' ? 'ok' : status === 'error' ? 'error' : 'wait';
    const encoded = entry === undefined ? undefined : this.#entry(entry);
    return this.add({ record: 'outcome', task, direction: 'do', result, status, ms: 1, entry: encoded });
  }

  creates(...things: readonly ResourceEntry[]): this {
    for (const state of things) {
      const task = this.begins(state);
      this.ends(task, 'done', { kind: 'success', operationId: Number(task), state });
    }
    return this;
  }

  fails(resource: ResourceEntry): this {
    const task = this.begins(resource);
    return this.ends(task, 'error', { kind: 'failure', operationId: Number(task) });
  }

  #entry(entry: Omit<JournalEntry, 'sequenceId'>): unknown {
    this.#entries += 1;
    return encodeJournalEntry({ ...entry, sequenceId: this.#entries }, base64Crypter);
  }
}

/** Returns a resource that needs no other: an operation may add it without bringing anything forward. */
export function part(name: string): ResourceEntry {
  return resourceEntry({ urn: urnOf(name), type: 'test:index:Thing', custom: false });
}

/** Returns a resource whose create, update and delete are effects of its provider. */
export function effect(name: string): ResourceEntry {
  return resourceEntry({ urn: urnOf(name), type: 'test:index:Thing', custom: true, id: `id-${name}` });
}

/**
 * Begins an operation that has recorded something, on a lease of its own. It has neither ended nor released the stack.
 */
export async function begin(
  backend: Backend,
  records: readonly ChangeRecord[],
  start: Partial<OperationStart> = {},
): Promise<OperationLog> {
  const held = await lease(backend);
  const log = await held.begin({ ...START, ...start });
  if (records.length > 0) await log.store.append(records);
  return log;
}

/** Runs a whole operation: lease, journal, records, end, release. */
export async function operate(
  backend: Backend,
  records: readonly ChangeRecord[],
  result: OperationEnd['result'],
  start: Partial<OperationStart> = {},
): Promise<void> {
  const held = await lease(backend);
  const log = await held.begin({ ...START, ...start });
  await log.store.append(records);
  await log.finish({ result, resourceChanges: {} });
  await held.release();
}
