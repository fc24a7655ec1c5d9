import type { Clock } from '@cairn/changes';
import { cairnError } from '@cairn/diagnostics';
import type { Micros } from './instant.js';
import { microsOf } from './instant.js';
import type { StoredNotice, NoticeFilter, NoticeJson, NoticeType, Occurrence } from './notice.js';
import {
  NOTICE_EXPIRY_MS,
  checkNotice,
  hasExpired,
  matches,
  noticeFromJson,
  noticeName,
  noticeToJson,
  reoccur,
} from './notice.js';

/** Stored form of the notices. */
export interface NoticesJson {
  readonly notices: readonly NoticeJson[];
  readonly lastId: number;
  /** Microseconds since 1970; every later notice has a later time. */
  readonly lastTimestamp: Micros;
}

interface Poll {
  readonly filter: NoticeFilter;
  readonly resolve: (notices: readonly StoredNotice[]) => void;
}

/** Notices of a scope. They can be read at any time. Additions call {@link onChanged}, so that they can be stored. */
export class Notices {
  readonly #notices = new Map<string, StoredNotice>();
  readonly #polls = new Set<Poll>();
  #lastId = 0;
  #lastTimestamp: Micros = 0;
  /** Called after each change, with the notices that were added, repeated or deleted. */
  onChanged: (changed: readonly StoredNotice[]) => void = () => undefined;
  readonly #clock: Clock;

  constructor(clock: Clock, stored?: NoticesJson) {
    this.#clock = clock;
    if (stored === undefined) return;
    this.#lastId = stored.lastId;
    this.#lastTimestamp = stored.lastTimestamp;
    for (const json of stored.notices) this.#put(noticeFromJson(json));
    this.expire();
  }

  /** Id of the newest notice, also of one that has been deleted; 0 without any. */
  get lastId(): number {
    return this.#lastId;
  }

  get lastTimestamp(): Micros {
    return this.#lastTimestamp;
  }

  get size(): number {
    return this.#notices.size;
  }

  /**
   * Records an occurrence, the first or another one. Returns the id of the notice. Times of occurrences strictly
   * increase.
   */
  add(type: NoticeType, key: string, occurrence: Occurrence = {}, owner?: string): string {
    checkNotice(type, key);
    const now = this.#timestamp();
    const known = this.#notices.get(noticeName(owner, type, key));
    const { notice, repeated } =
      known === undefined
        ? { notice: this.#first(type, key, occurrence, owner, now), repeated: true }
        : reoccur(known, now, occurrence);
    this.#put(notice);
    this.onChanged([notice]);
    if (repeated) this.#answerPolls(notice);
    return notice.id;
  }

  /** Returns the notices in the order of their last report, without expired ones. */
  list(filter: NoticeFilter = {}): readonly StoredNotice[] {
    const now = microsOf(this.#clock.now());
    return [...this.#notices.values()]
      .filter((notice) => !hasExpired(notice, now) && matches(notice, filter))
      .sort((a, b) => a.lastRepeated - b.lastRepeated);
  }

  /** Returns the notices like {@link list}, and deletes them. */
  drain(filter: NoticeFilter = {}): readonly StoredNotice[] {
    const drained = this.list(filter);
    for (const notice of drained) this.#notices.delete(noticeName(notice.owner, notice.type, notice.key));
    if (drained.length > 0) this.onChanged(drained);
    return drained;
  }

  /**
   * Waits for notices (long poll): resolves with those that match, or as soon as one does. Fails with CAIRN-TIMEOUT
   * after `timeoutMs`. Resolves at once if the filter only selects the past.
   */
  wait(filter: NoticeFilter, timeoutMs: number): Promise<readonly StoredNotice[]> {
    const present = this.list(filter);
    const past = filter.beforeOrAt !== undefined && filter.beforeOrAt <= microsOf(this.#clock.now());
    if (present.length > 0 || past) return Promise.resolve(present);
    return new Promise((resolve, reject) => {
      const callOff = this.#clock.after(timeoutMs, () => {
        this.#polls.delete(poll);
        reject(cairnError('CAIRN-TIMEOUT', `no notice within ${timeoutMs} ms`));
      });
      const poll: Poll = {
        filter,
        resolve: (notices) => {
          callOff();
          resolve(notices);
        },
      };
      this.#polls.add(poll);
    });
  }

  /** Deletes notices that last occurred long ago. */
  expire(): void {
    const now = microsOf(this.#clock.now());
    const expired = [...this.#notices.values()].filter((notice) => hasExpired(notice, now));
    for (const notice of expired) this.#notices.delete(noticeName(notice.owner, notice.type, notice.key));
    if (expired.length > 0) this.onChanged(expired);
  }

  /** Returns a notice by its `noticeName`. */
  get(name: string): StoredNotice | undefined {
    return this.#notices.get(name);
  }

  toJson(): NoticesJson {
    const notices = [...this.#notices.values()].map(noticeToJson);
    return { notices, lastId: this.#lastId, lastTimestamp: this.#lastTimestamp };
  }

  #first(
    type: NoticeType,
    key: string,
    occurrence: Occurrence,
    owner: string | undefined,
    now: Micros,
  ): StoredNotice {
    this.#lastId += 1;
    return {
      id: String(this.#lastId),
      owner,
      type,
      key,
      firstOccurred: now,
      lastOccurred: now,
      lastRepeated: now,
      occurrences: 1,
      data: occurrence.data ?? {},
      repeatAfterMs: occurrence.repeatAfterMs ?? 0,
      expireAfterMs: NOTICE_EXPIRY_MS,
    };
  }

  #put(notice: StoredNotice): void {
    this.#notices.set(noticeName(notice.owner, notice.type, notice.key), notice);
  }

  #timestamp(): Micros {
    this.#lastTimestamp = Math.max(microsOf(this.#clock.now()), this.#lastTimestamp + 1);
    return this.#lastTimestamp;
  }

  #answerPolls(notice: StoredNotice): void {
    for (const poll of [...this.#polls]) {
      if (!matches(notice, poll.filter)) continue;
      this.#polls.delete(poll);
      poll.resolve(this.list(poll.filter));
    }
  }
}
