import { memoryStore } from '@cairn/changes';
import type { ChangeRecord, MemoryStore } from '@cairn/changes';
import type { CutWorld } from './cut-world.js';

/** One instant at which a process may die: the durable records and the outside effects. */
interface Instant {
  /** The durable records: whole transactions. */
  readonly records: readonly ChangeRecord[];
  readonly world: CutWorld;
  /** The event just before, for messages. */
  readonly after: string;
}

/**
 * Watches one running operation. Records an instant after every transaction that became durable, and one after every
 * effect of a provider that the engine does not know yet. A dead process does nothing more, so an instant contains
 * everything that a later process can know.
 */
export class InstantWatch {
  readonly instants: Instant[] = [];
  readonly store: MemoryStore;
  readonly #records: ChangeRecord[] = [];
  readonly #world: CutWorld;

  constructor(world: CutWorld) {
    this.#world = world;
    const inner = memoryStore();
    this.store = {
      records: this.#records,
      load: () => inner.load(),
      append: (added) => {
        for (const transaction of transactionsOf(added)) this.#durable(transaction);
        return Promise.resolve();
      },
    };
    world.onEffect = (method, urn) => this.#note(`${method} ${urn}`);
    this.#note('nothing');
  }

  /** Stops watching. */
  end(): void {
    this.#world.onEffect = () => undefined;
  }

  #durable(transaction: readonly ChangeRecord[]): void {
    this.#records.push(...transaction);
    this.#note(transaction.map(shown).join(', '));
  }

  #note(after: string): void {
    this.#world.noteRecorded();
    this.instants.push({ records: [...this.#records], world: this.#world.fork(), after });
  }
}

/** Splits the records of one append by transaction. A torn end is cut at the last whole one. */
function transactionsOf(records: readonly ChangeRecord[]): readonly (readonly ChangeRecord[])[] {
  const found: ChangeRecord[][] = [];
  let current: ChangeRecord[] = [];
  for (const record of records) {
    current.push(record);
    if (record.more === true) continue;
    found.push(current);
    current = [];
  }
  return found;
}

function shown(record: ChangeRecord): string {
  const task = 'task' in record && record.task !== undefined ? ` ${record.task}` : '';
  return `${record.record}${record.record === 'task' ? ` ${record.id} ${record.kind}` : task}`;
}
