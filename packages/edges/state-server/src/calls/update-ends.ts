import type { EndedChange, StackId, StateText } from '@cairn/backends';
import { driftNames } from '@cairn/changes-daemon';
import { isCairnError } from '@cairn/diagnostics';
import { occasionsOf } from '../domain/hooks.js';
import { foldJournal } from '../domain/fold.js';
import { lostEntries } from '../domain/lost-state.js';
import { hasChange } from '../domain/update-record.js';
import type { UpdateEnding, UpdateRecord } from '../domain/update-record.js';
import type { RunningNote, StackStore, UpdateName } from '../store/service-store.js';
import { isLoss } from './lost-states.js';
import type { LostStates } from './lost-states.js';
import { noteDriftRun } from './deployments/note-drift.js';
import type { HookSender } from './hook-sender.js';
import { recorded } from './brief-update.js';
import { endOfChange } from './update-changes.js';
import { inStackTurn, seconds } from './service-ports.js';
import type { ServicePorts, TurnPorts } from './service-ports.js';
import { anotherUpdate, releaseLock } from './stack-locks.js';
import { noteNews } from './stack-records.js';
import type { Wakening } from './wakening.js';

/** Ends of updates: what their clients say, and what the service does in place of a client that is gone. */
export class UpdateEnds {
  readonly #ports: ServicePorts;
  readonly #hooks: HookSender;
  readonly #lost: LostStates;
  readonly #wakening: Wakening;

  constructor(ports: ServicePorts, hooks: HookSender, lost: LostStates, wakening: Wakening) {
    this.#ports = ports;
    this.#hooks = hooks;
    this.#lost = lost;
    this.#wakening = wakening;
  }

  /** Refuses work on a stack on which an update runs. Ends one whose lease has expired. Runs in the stack's turn. */
  async refuseSecond(stack: StackId, ports: TurnPorts): Promise<void> {
    const running = await ports.store.runningUpdate(stack);
    if (running === undefined) return;
    const { record, lapsed } = running;
    if (!lapsed) throw anotherUpdate(`It is update ${record.id} of ${record.by}.`);
    await this.#expire(ports, stack, record);
  }

  /** Takes up the updates that ran when the service ended. Each gets a new lease, so that its client can continue. */
  async resume(): Promise<void> {
    for (const note of (await this.#ports.store.notes?.list()) ?? [])
      await this.#resumeOne(note).catch((thrown: unknown) =>
        this.#ports.failed(`resume update ${note.id}`, thrown),
      );
  }

  /** Ends the updates whose lease has expired. */
  async sweep(): Promise<void> {
    for (const { stack, record } of await this.#ports.store.lapsedUpdates())
      await this.endLapsed({ stack, id: record.id });
  }

  #resumeOne(note: RunningNote): Promise<void> {
    const { stackId: _, id, ...at } = note;
    return inStackTurn(this.#ports, [at], async (ports) => {
      const found = await ports.store.findUpdate({ stack: at, id });
      if (found?.record.status !== 'running') return releaseLock(ports.store, note);
      const { record } = found;
      await ports.store.notes?.adopt({ stack: at, record });
      if (record.ending !== undefined) await this.end(ports, at, record, record.ending);
    });
  }

  /** Ends an update if its lease has expired. A failure is reported: the next look does it again. */
  async endLapsed({ stack, id }: UpdateName): Promise<void> {
    await inStackTurn(this.#ports, [stack], async (ports) => {
      const found = await ports.store.findUpdate({ stack, id });
      if (found?.record.status === 'running' && found.lapsed) await this.#expire(ports, stack, found.record);
    }).catch((thrown: unknown) => this.#ports.failed(`end update ${id}`, thrown));
  }

  #expire(ports: TurnPorts, stack: StackId, record: UpdateRecord): Promise<void> {
    return this.end(ports, stack, record, { status: 'failed', expired: true, at: seconds(ports.now()) });
  }

  /**
   * Stores what an update did and ends it. The ending is written first: after a crash the update is ended the same way.
   * Every step may be repeated.
   */
  async end(ports: TurnPorts, stack: StackId, before: UpdateRecord, ending: UpdateEnding): Promise<void> {
    const { store } = ports;
    const record = { ...before, ending };
    await store.putUpdateRecord(stack, record);
    await store.closeLogs(record);
    const { dryRun, id, stackId } = record;
    const change = hasChange(record) ? await endOfChange(store, stack, record) : undefined;
    const { left, problem } = dryRun ? NO_RESULT : await this.#storeResult(ports, stack, record, change);
    if (change !== undefined && hasChange(record))
      await store.closeChange({ stack, stackId }, record, {
        ...{ end: change.end, left, keep: this.#ports.retention },
      });
    const { status, expired } = ending;
    const ended = {
      ...record,
      ending: briefly(ending),
      status,
      ...(expired && { expired }),
      ...(problem && { problem }),
    };
    const drifted = await noteDriftRun(store, record, ending);
    await this.#hooks.note(store, stack, stackId, occasionsOf(record, ending, driftNames(drifted)));
    await store.putUpdateRecord(stack, ended);
    ports.observer?.updateEnded(status);
    if (dryRun) return;
    await releaseLock(store, { ...stack, stackId, id });
    // Those who wait look in a turn of the stack, so after this one.
    this.#wakening.wake();
  }

  /** Stores the state of an update with its entry in the history. */
  async #storeResult(
    ports: TurnPorts,
    stack: StackId,
    record: UpdateRecord & { readonly ending: UpdateEnding },
    change: EndedChange | undefined,
  ): Promise<UpdateResult> {
    const { store } = ports;
    try {
      const left = await (record.journaled === true ? this.folded(store, record) : store.readState(stack));
      const update = { ...recorded(record, record.ending), ...(change && { change }) };
      const stored = await store.storeState(stack, record.id, left, update);
      if (stored !== undefined) await noteNews(ports, stack, { stored, keepsMark: true });
      return { left, problem: undefined };
    } catch (thrown) {
      const code = isCairnError(thrown) ? thrown.diagnostics[0]?.code : undefined;
      if (code === undefined || !LASTING.has(code)) throw thrown;
      this.#ports.failed(`store the state of update ${record.id}`, thrown);
      const known = isLoss(thrown) ? await store.stackRecord(stack) : undefined;
      if (known !== undefined) await this.#lost.mark(ports, stack, known, 'update');
      return { left: undefined, problem: code };
    }
  }

  /**
   * Returns the base of an update with the entries of its journal. Fails with `CAIRN-STATE-CORRUPT` if there are fewer
   * than its client says that were acknowledged.
   */
  async folded(store: StackStore, record: UpdateRecord): Promise<StateText> {
    const { now, version } = this.#ports;
    const { order, entries = 0 } = record.ending?.change ?? {};
    const facts = { now: now(), version, order };
    const live = await store.readFold?.(record);
    const folded = live !== undefined && live.entryCount >= entries ? live.document(facts) : undefined;
    if (folded !== undefined) return folded;
    const journal = await store.journal(record);
    if (journal.length < entries) throw lostEntries(record.id);
    return foldJournal(await store.base(record), journal, facts);
  }
}

/** Returns an ending without what is of no use once it is stored. */
function briefly({ change, ...ending }: UpdateEnding): UpdateEnding {
  return change === undefined ? ending : { ...ending, change: { ...change, order: undefined } };
}

/** State that an update left, or the reason why it could not be stored. */
interface UpdateResult {
  readonly left: StateText | undefined;
  readonly problem: string | undefined;
}

const NO_RESULT: UpdateResult = { left: undefined, problem: undefined };

/** Failures to store a state that trying again does not mend. The journal of the update stays. */
const LASTING: ReadonlySet<string> = new Set([
  'CAIRN-LEASE-LOST',
  'CAIRN-STACK-NOT-FOUND',
  'CAIRN-JOURNAL-CORRUPT',
  'CAIRN-STATE-CORRUPT',
  'CAIRN-STATE-INTEGRITY',
  'CAIRN-STATE-TOO-NEW',
]);
