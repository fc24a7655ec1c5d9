import type { Manager, Micros, NoticeJson, Register } from '@cairn/changes-daemon';
import { noticeToJson, parseMicros } from '@cairn/changes-daemon';
import { messageOf } from '@cairn/diagnostics';
import { pauseAfter } from '@cairn/http-api/hooks';
import type { NoticeTarget } from '../config/agent-config.js';
import { DELIVERIES, isNoticeDelivery } from '../notify/delivery-rows.js';
import type { NoticeDelivery } from '../notify/delivery-rows.js';
import { isSentType } from '../notify/notice-message.js';
import { linkedDeliveries } from '../notify/linked-deliveries.js';
import type { SendNotice } from '../notify/senders.js';
import type { ManagerContext } from './context.js';

/** Key of the register for the time of the last notice that has deliveries. */
const MARK = 'notified';
/** Deliveries of a target that are kept after their end. */
const KEPT = 100;

/** Sends notices to the targets of the file, each until it has taken it or for some hours [AGT-13]. */
export class NotifyManager implements Manager {
  readonly #context: ManagerContext;
  readonly #register: Register;
  readonly #send: SendNotice;
  readonly #rows: Map<string, NoticeDelivery>;
  #mark: string | undefined;
  /** Time of the newest notice at the last look. */
  #lookedAt: Micros | undefined;

  constructor(context: ManagerContext, register: Register, send: SendNotice) {
    this.#context = context;
    this.#register = register;
    this.#send = send;
    this.#rows = new Map(register.entries(DELIVERIES, isNoticeDelivery));
    this.#mark = register.read(MARK, (value): value is string => typeof value === 'string');
  }

  ensure(): void {
    const { config, tasks, now, ensureBefore, isStopping } = this.#context;
    this.#queueNew();
    if (isStopping()) return;
    for (const target of config.notify ?? []) {
      const due = this.#dueOf(target);
      const [first] = due;
      if (first === undefined) continue;
      const wait = Date.parse(first.next ?? first.at) - now().getTime();
      if (wait > 0) ensureBefore(wait);
      else tasks.start(`notify ${target.name}`, () => this.#attempt(target, first));
    }
  }

  /** Sends a delivery again: a person asked for it. */
  redeliver(id: string): void {
    const { log, now } = this.#context;
    const row = this.#rows.get(id);
    if (row === undefined) return log(`there is no delivery ${id}`);
    log(`delivery ${id} is sent again`, { target: row.target });
    this.#put([{ ...row, status: 'due', attempts: 0, next: now().toISOString() }]);
  }

  /** Deliveries of a target that are due, the one with the earliest attempt first. */
  #dueOf({ name }: NoticeTarget): readonly NoticeDelivery[] {
    return [...this.#rows.values()]
      .filter(({ target, status }) => target === name && status === 'due')
      .sort((a, b) => Date.parse(a.next ?? a.at) - Date.parse(b.next ?? b.at));
  }

  /** Makes deliveries of the notices that were reported since the last pass. */
  #queueNew(): void {
    const { config, ledger, now, newId } = this.#context;
    const targets = config.notify ?? [];
    const { lastTimestamp } = ledger.notices;
    if (targets.length === 0 || lastTimestamp === this.#lookedAt) return;
    this.#lookedAt = lastTimestamp;
    const mark = this.#mark;
    const after = mark === undefined ? undefined : parseMicros(mark);
    const all = ledger.notices.list(after === undefined ? {} : { after }).map(noticeToJson);
    const newest = all.map((notice) => notice['last-repeated']).reduce((a, b) => (a > b ? a : b), '');
    if (mark !== undefined && newest <= mark) return;
    // A target hears nothing of the time before it was there.
    const fresh = mark === undefined ? [] : all.filter((notice) => notice['last-repeated'] > mark);
    const at = now().toISOString();
    const rows = fresh
      .filter(({ type }) => isSentType(type))
      .flatMap((notice) =>
        targets
          .filter((target) => wantsNotice(target, notice))
          .flatMap((target) =>
            linkedDeliveries(target, notice, ledger.runs.get(notice.key), config.links, now()).map(
              (parts): NoticeDelivery => ({
                ...{ id: newId(), target: target.name, notice, at, status: 'due', attempts: 0 },
                ...parts,
              }),
            ),
          ),
      );
    this.#mark = newest;
    this.#register.tx((t) => t.set(MARK, newest));
    this.#put(rows);
  }

  async #attempt(target: NoticeTarget, row: NoticeDelivery): Promise<void> {
    const { now, log } = this.#context;
    let answer: string;
    let isSent = true;
    try {
      answer = await this.#send(target, row);
    } catch (thrown) {
      answer = messageOf(thrown);
      isSent = false;
    }
    const at = now().toISOString();
    const attempts = row.attempts + 1;
    const { next: _next, ...rest } = { ...row, attempts, last: { at, answer: answer.slice(0, 500) } };
    if (isSent) return this.#put([{ ...rest, status: 'sent' }]);
    const pause = pauseAfter(attempts);
    log(`cannot send to ${target.name}: ${answer}`, { delivery: row.id });
    if (pause !== undefined)
      return this.#put([{ ...rest, status: 'due', next: new Date(now().getTime() + pause).toISOString() }]);
    this.#put([{ ...rest, status: 'failed' }]);
    this.#register.warnings.add(
      `target ${target.name} takes no notices: ${answer}. Send them again with \`cairn agent redeliver\`.`,
    );
  }

  /** Stores deliveries, and deletes the oldest that ended. */
  #put(rows: readonly NoticeDelivery[]): void {
    for (const row of rows) this.#rows.set(row.id, row);
    const counts = new Map<string, number>();
    const old: string[] = [];
    for (const { id, target, status } of [...this.#rows.values()].reverse()) {
      if (status === 'due') continue;
      const count = (counts.get(target) ?? 0) + 1;
      counts.set(target, count);
      if (count > KEPT) old.push(id);
    }
    if (rows.length + old.length === 0) return;
    for (const id of old) this.#rows.delete(id);
    this.#register.tx((t) => {
      for (const row of rows) t.set(DELIVERIES + row.id, row);
      for (const id of old) t.set(DELIVERIES + id, null);
    });
  }
}

function wantsNotice({ types }: NoticeTarget, { type }: NoticeJson): boolean {
  return types === undefined || (isSentType(type) && types.includes(type));
}
