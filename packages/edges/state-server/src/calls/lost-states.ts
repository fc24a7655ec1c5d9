import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { isCairnError } from '@cairn/diagnostics';
import type { AuditEvent } from '../domain/audit.js';
import type { LostState } from '../domain/lost-state.js';
import { stackKey } from '../domain/stack-key.js';
import type { StackRecord, StackStore } from '../store/service-store.js';
import { inStackTurn, seconds } from './service-ports.js';
import type { ServicePorts, TurnPorts } from './service-ports.js';

/** Failures that mean that the store has lost something. */
const LOSSES: ReadonlySet<string> = new Set(['CAIRN-STATE-CORRUPT', 'CAIRN-JOURNAL-CORRUPT']);

/** Returns true for a failure of a store that has lost or damaged what it had acknowledged. */
export function isLoss(thrown: unknown): boolean {
  return isCairnError(thrown) && LOSSES.has(thrown.diagnostics[0]?.code ?? '');
}

/** Record of a stack for a list, with the mark that its row has. */
interface ListedRecord {
  readonly record: StackRecord | undefined;
  readonly lost: LostState | undefined;
}

/** Marks stacks whose state the store has lost, and records it in the audit log. */
export class LostStates {
  readonly #ports: ServicePorts;
  readonly #toRecord = new Map<string, AuditEvent>();

  constructor(ports: ServicePorts) {
    this.#ports = ports;
  }

  /** Marks a stack after a failure to read its state, unless it can be read now. */
  async note(stack: StackId): Promise<void> {
    await inStackTurn(this.#ports, [stack], async (ports) => {
      const { record, lost } = await this.#read(ports.store, stack);
      if (record === undefined || lost !== undefined || !(await isLost(ports, stack))) return;
      await this.mark(ports, stack, record, 'state');
    }).catch((thrown: unknown) => this.#ports.failed(`mark stack ${stack.stack}`, thrown));
    await this.record();
  }

  /** Returns the record of a stack for a list. One that is damaged hides no other stack, and is a mark of its own. */
  async listed(stack: StackId): Promise<ListedRecord> {
    const listed = await this.#read(this.#ports.store, stack).catch(() => NOT_READ);
    if (listed.record === undefined) await this.record();
    return listed;
  }

  /** Marks a stack in its turn. The row of the audit log follows with {@link LostStates.record}. */
  async mark(ports: TurnPorts, stack: StackId, record: StackRecord, what: LostState['what']): Promise<void> {
    const at = seconds(ports.now());
    await ports.store.putStackRecord(stack, { ...record, lost: { at, what } });
    this.#found(stack, at, what === 'state' ? 'its newest state' : 'records of an update');
  }

  /** Reads the record of a stack. Of one that is damaged it notes once when that was found. */
  async #read(store: StackStore, stack: StackId): Promise<ListedRecord> {
    try {
      const record = await store.stackRecord(stack);
      return { record, lost: record?.lost };
    } catch (thrown) {
      if (!isLoss(thrown) || store.noteDamage === undefined) throw thrown;
      const found = seconds(this.#ports.now());
      const { at, isNew } = await store.noteDamage(stack, found);
      if (isNew) this.#found(stack, at, 'its record');
      return { record: undefined, lost: { at, what: 'state' } };
    }
  }

  #found(stack: StackId, at: number, what: string): void {
    this.#toRecord.set(stackKey(stack), {
      ...{ at, organization: organizationOf(stack), event: 'state-lost', user: '', sourceIp: '' },
      description: `found that the store has lost or damaged ${what}`,
      ...{ tokenId: '', tokenName: '', stack: `${stack.project}/${stack.stack}` },
    });
  }

  /** Returns the mark of a stack. That of a state which can be read again, after a repair of the store, is removed. */
  async of(ports: TurnPorts, stack: StackId, record: StackRecord): Promise<LostState | undefined> {
    const { lost } = record;
    if (lost?.what !== 'state' || (await isLost(ports, stack))) return lost;
    await ports.store.putStackRecord(stack, { ...record, lost: undefined });
    return undefined;
  }

  /** Writes the rows of the audit log that are due. */
  async record(): Promise<void> {
    for (const [key, event] of [...this.#toRecord]) {
      this.#toRecord.delete(key);
      await this.#ports.store.audited({ event: () => event, first: true }, async () => undefined);
    }
  }
}

const NOT_READ: ListedRecord = { record: undefined, lost: undefined };

async function isLost({ store }: TurnPorts, stack: StackId): Promise<boolean> {
  try {
    await store.readState(stack);
    return false;
  } catch (thrown) {
    if (isLoss(thrown)) return true;
    throw thrown;
  }
}
