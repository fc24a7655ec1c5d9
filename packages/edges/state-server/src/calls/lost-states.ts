import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { isCairnError } from '@cairn/diagnostics';
import type { AuditEvent } from '../domain/audit.js';
import type { LostState } from '../domain/lost-state.js';
import type { StackRecord } from '../store/service-store.js';
import { inStackTurn, seconds } from './service-ports.js';
import type { ServicePorts, TurnPorts } from './service-ports.js';

/** Failures that mean that the store has lost something. */
const LOSSES: ReadonlySet<string> = new Set(['CAIRN-STATE-CORRUPT', 'CAIRN-JOURNAL-CORRUPT']);

/** Returns true for a failure of a store that has lost or damaged what it had acknowledged. */
export function isLoss(thrown: unknown): boolean {
  return isCairnError(thrown) && LOSSES.has(thrown.diagnostics[0]?.code ?? '');
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
      const record = await ports.store.stackRecord(stack);
      if (record === undefined || record.lost !== undefined || !(await isLost(ports, stack))) return;
      await this.mark(ports, stack, record, 'state');
    }).catch((thrown: unknown) => this.#ports.failed(`mark stack ${stack.stack}`, thrown));
    await this.record();
  }

  /** Marks a stack in its turn. The row of the audit log follows with {@link LostStates.record}. */
  async mark(ports: TurnPorts, stack: StackId, record: StackRecord, what: LostState['what']): Promise<void> {
    const at = seconds(ports.now());
    await ports.store.putStackRecord(stack, { ...record, lost: { at, what } });
    const lost = what === 'state' ? 'its newest state' : 'records of an update';
    this.#toRecord.set(record.id, {
      ...{ at, organization: organizationOf(stack), event: 'state-lost', user: '', sourceIp: '' },
      description: `found that the store has lost or damaged ${lost}`,
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
    for (const [id, event] of [...this.#toRecord]) {
      this.#toRecord.delete(id);
      await this.#ports.store.audited({ event: () => event, first: true }, async () => undefined);
    }
  }
}

async function isLost({ store }: TurnPorts, stack: StackId): Promise<boolean> {
  try {
    await store.readState(stack);
    return false;
  } catch (thrown) {
    if (isLoss(thrown)) return true;
    throw thrown;
  }
}
