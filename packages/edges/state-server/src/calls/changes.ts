import type { StackId, StateText } from '@cairn/backends';
import { MOST_MESSAGES } from '@cairn/http-api';
import { Refusal } from '../domain/refusal.js';
import type { ServedChange } from '../domain/served-change.js';
import type { ChosenChanges, NamedChange, RecordTexts, StackOfChanges } from '../store/change-store.js';
import { inStackTurn } from './service-ports.js';
import type { ServicePorts } from './service-ports.js';
import { unknownStack } from './stack-records.js';

/** Changes of a stack, and the update that runs. */
interface ListedChanges {
  readonly running: string | undefined;
  readonly changes: readonly ServedChange[];
}

/** Operation that works on a stack. `since` is in seconds since 1970. */
export interface OperationAtWork {
  readonly update: string;
  readonly kind: string;
  readonly by: string;
  readonly since: number;
}

/** Numbers of steps of the newest change that need a person. */
interface OpenTasks {
  readonly inDoubt: number;
  readonly approvals: number;
}

/** Changes of stacks, for the console too: those of the service, or of a bucket that tools work on directly. */
export type ChangeCalls = Pick<Changes, keyof Changes>;

/** Records of changes, for clients that show, follow and continue them. */
export class Changes {
  readonly #ports: ServicePorts;

  constructor(ports: ServicePorts) {
    this.#ports = ports;
  }

  /** Lists changes, oldest first: all, a number of the newest, or one by its number. */
  async list(stack: StackId, choice?: ChosenChanges): Promise<ListedChanges> {
    const { store } = this.#ports;
    // Looked up first: a change that ends meanwhile is closed and does not seem to have died.
    const running = await store.runningUpdate(stack);
    const changes = await store.changes(await this.#of(stack), choice);
    const direct = changes.find((change) => change.running === true);
    return { running: running?.record.id ?? direct?.update, changes };
  }

  /** Returns the operation that works on a stack. */
  async running(stack: StackId): Promise<OperationAtWork | undefined> {
    const found = (await this.#ports.store.runningUpdate(stack))?.record;
    if (found === undefined) return undefined;
    const { id, kind, by, startedAt, createdAt } = found;
    return { update: id, kind, by, since: startedAt ?? createdAt };
  }

  /** Returns the number of the newest change. Reads no other one. */
  async newest(stack: StackId): Promise<number | undefined> {
    return (await this.#ports.store.changeNumbers(await this.#named(stack))).at(-1);
  }

  /** Returns the numbers of steps that the newest change left in doubt, and waiting for an approval. */
  async openTasks(stack: StackId): Promise<OpenTasks> {
    const { store } = this.#ports;
    const of = await this.#named(stack);
    const number = (await store.changeNumbers(of)).at(-1);
    const tasks = number === undefined ? undefined : (await store.change(of, number))?.tasks;
    return { inDoubt: tasks?.doubt ?? 0, approvals: tasks?.waiting ?? 0 };
  }

  async records(stack: StackId, number: number, after: number): Promise<RecordTexts> {
    const { of, change } = await this.#find(stack, number);
    return this.#ports.store.changeRecords(of, change, after);
  }

  /** Returns the state that a change started from. */
  async base(stack: StackId, number: number): Promise<StateText> {
    const { of, change } = await this.#find(stack, number);
    const { store } = this.#ports;
    const kept = await store.changeBase?.(of, number);
    if (kept !== undefined) return kept;
    const update = await store.findUpdate({ stack, id: change.update });
    if (update === undefined) throw unknownChange(number);
    return store.base(update.record);
  }

  async messages(stack: StackId, number: number): Promise<readonly string[]> {
    const { of } = await this.#find(stack, number);
    return this.#ports.store.messages(of, number);
  }

  /** Leaves a message for a change. The client decides whether it can still be heard. */
  send(stack: StackId, number: number, message: object): Promise<void> {
    return inStackTurn(this.#ports, [stack], async ({ store }) => {
      const { of } = await this.#find(stack, number);
      if ((await store.messages(of, number)).length >= MOST_MESSAGES)
        throw new Refusal(409, `Change ${number} has too many messages.`);
      await store.addMessage(of, number, JSON.stringify(message));
    });
  }

  async #find(
    stack: StackId,
    number: number,
  ): Promise<{ readonly of: StackOfChanges; readonly change: NamedChange }> {
    const of = await this.#of(stack);
    const change = await this.#ports.store.change(of, number);
    if (change === undefined) throw unknownChange(number);
    return { of, change };
  }

  async #of(stack: StackId): Promise<StackOfChanges> {
    const of = await this.#named(stack);
    if (of.stackId !== NO_STACK || (await this.#ports.store.stackExists(stack))) return of;
    throw unknownStack(stack);
  }

  /** A stack that was made directly in a bucket has no record. */
  async #named(stack: StackId): Promise<StackOfChanges> {
    return { stack, stackId: (await this.#ports.store.stackRecord(stack))?.id ?? NO_STACK };
  }
}

/** Id that no stack has. */
const NO_STACK = '00000000-0000-0000-0000-000000000000';

function unknownChange(number: number): Refusal {
  return new Refusal(404, `Change ${number} not found.`);
}
