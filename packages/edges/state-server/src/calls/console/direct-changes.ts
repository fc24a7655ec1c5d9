import type { Backend, ChangeRow, StackId, StateText } from '@cairn/backends';
import { isCairnError } from '@cairn/diagnostics';
import { Refusal } from '../../domain/refusal.js';
import type { ServedChange } from '../../domain/served-change.js';
import type { ChosenChanges, RecordTexts } from '../../store/change-store.js';
import type { ChangeCalls, OperationAtWork } from '../changes.js';

/** Parts of a backend that have the changes of its stacks. */
type ChangesBackend = Pick<
  Backend,
  'changes' | 'changeRow' | 'newestChange' | 'change' | 'currentOperation' | 'tell'
>;

/** Changes of a bucket that tools work on directly, as the console reads them. */
export class DirectChanges implements ChangeCalls {
  readonly #backend: ChangesBackend;

  constructor(backend: ChangesBackend) {
    this.#backend = backend;
  }

  async list(
    stack: StackId,
    choice?: ChosenChanges,
  ): Promise<{ readonly running: string | undefined; readonly changes: readonly ServedChange[] }> {
    const rows = await this.#rows(stack, choice);
    const running = rows.find((row) => row.running);
    return { running: running && idOf(running), changes: rows.map(servedChangeOf).reverse() };
  }

  async running(stack: StackId): Promise<OperationAtWork | undefined> {
    const row = await this.#backend.newestChange(stack);
    if (row?.running !== true) return undefined;
    const { author = '', kind = row.kind } = (await this.#backend.currentOperation(stack)) ?? {};
    return { update: idOf(row), kind, by: author, since: Math.floor(Date.parse(row.spawned) / 1000) };
  }

  async newest(stack: StackId): Promise<number | undefined> {
    return (await this.#backend.newestChange(stack))?.number;
  }

  async openTasks(stack: StackId) {
    const { doubt = 0, waiting = 0 } = (await this.#backend.newestChange(stack))?.tasks ?? {};
    return { inDoubt: doubt, approvals: waiting };
  }

  async records(stack: StackId, number: number, after: number): Promise<RecordTexts> {
    const { records } = await this.#change(stack, number);
    return { records: records.slice(after).map((record) => JSON.stringify(record)), entries: [] };
  }

  async base(): Promise<StateText> {
    throw new Refusal(404, 'A bucket has no copy of the state before a change.');
  }

  async messages(stack: StackId, number: number): Promise<readonly string[]> {
    return (await this.#change(stack, number)).messages.map((message) => JSON.stringify(message));
  }

  send(stack: StackId, number: number, message: object): Promise<void> {
    return this.#backend.tell(stack, number, message as Parameters<Backend['tell']>[2]);
  }

  /** Reads the rows that are wanted, newest first, and no others. */
  async #rows(stack: StackId, choice: ChosenChanges | undefined): Promise<readonly ChangeRow[]> {
    if (choice === undefined) return this.#backend.changes(stack);
    if ('newest' in choice) return this.#backend.changes(stack, choice.newest);
    try {
      return [await this.#backend.changeRow(stack, choice.number)];
    } catch (thrown) {
      if (isUnknownChange(thrown)) return [];
      throw thrown;
    }
  }

  async #change(stack: StackId, number: number) {
    try {
      return await this.#backend.change(stack, number);
    } catch (thrown) {
      throw isUnknownChange(thrown) ? new Refusal(404, `Change ${number} not found.`) : thrown;
    }
  }
}

function isUnknownChange(thrown: unknown): boolean {
  return isCairnError(thrown) && thrown.diagnostics[0]?.code === 'CAIRN-CHANGE-UNKNOWN';
}

/** A bucket has no ids of updates. The number of a change is one. */
function idOf({ number }: Pick<ChangeRow, 'number'>): string {
  return `change-${number}`;
}

function servedChangeOf(row: ChangeRow): ServedChange {
  const { number, kind, summary, spawned, continues, running, result, status, tasks, ended } = row;
  return {
    ...{ number, update: idOf(row) },
    operation: {
      ...{ operation: kind, message: summary, startTime: Math.floor(Date.parse(spawned) / 1000) },
      ...(continues && { continues }),
    },
    ...(!running && { sealed: { result: result ?? 'interrupted', status, tasks, ended } }),
  };
}
