import { setTimeout as pause } from 'node:timers/promises';
import type { BackendPorts } from '@cairn/backends';
import type { BlobStore, BlobVersion } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';

/** Process that serves a bucket. */
interface Holder {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly since: string;
  /** Grows with each renewal, so that others see that the process runs. */
  readonly beat: number;
}

/** Times in milliseconds. A holder that shows nothing for `lostMs` has lost the bucket. */
interface HoldTimes {
  readonly beatMs: number;
  readonly lostMs: number;
  readonly lookMs: number;
}

const TIMES: HoldTimes = { beatMs: 10_000, lostMs: 40_000, lookMs: 1000 };

type HoldPorts = Pick<BackendPorts, 'newId' | 'now' | 'process'>;

/**
 * Note in a bucket that names the one process that serves it. The process renews the note, and stops to work when it
 * cannot. Others compare what they see over time on their own clock, so clocks need not agree.
 */
export class BucketHold {
  #version: BlobVersion | undefined;
  #holder: Holder | undefined;
  #renewed = 0;
  #timer: NodeJS.Timeout | undefined;
  #lost = false;
  #renewing: Promise<void> | undefined;
  readonly #blobs: BlobStore;
  readonly #key: string;
  readonly #ports: HoldPorts;
  readonly #monotonic: () => number;
  readonly #times: HoldTimes;

  constructor(
    { blobs, key }: { readonly blobs: BlobStore; readonly key: string },
    ports: HoldPorts,
    monotonic: () => number = () => performance.now(),
    times: HoldTimes = TIMES,
  ) {
    this.#blobs = blobs;
    this.#key = key;
    this.#ports = ports;
    this.#monotonic = monotonic;
    this.#times = times;
  }

  /**
   * Takes the bucket. A process of this machine that is gone is replaced at once, one of another machine when it has
   * shown nothing for a while. Fails with `CAIRN-STORE-CONFLICT` while another process serves it.
   */
  async take(failed: (what: string, thrown: unknown) => void): Promise<void> {
    const { process, newId, now } = this.#ports;
    const holder: Holder = {
      ...{ id: newId(), host: process.hostname, pid: process.pid, since: now().toISOString(), beat: 0 },
    };
    for (;;) {
      const found = await this.#blobs.get(this.#key);
      if (found !== undefined) await this.#refuseLiving(holderIn(found.bytes), found.version);
      const condition = found === undefined ? { ifAbsent: true } : { ifVersion: found.version };
      if (await this.#put(holder, condition)) break;
    }
    this.#timer = setInterval(
      () => void this.renew().catch((thrown: unknown) => failed('renew the note of this process', thrown)),
      this.#times.beatMs,
    );
    this.#timer.unref();
  }

  /** Shows that the process runs. One renewal runs at a time: a second one would find the note of the first. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewOnce(): Promise<void> {
    if (this.#lost || (await this.#putNext()) || ((await this.#isOurs()) && (await this.#putNext()))) return;
    this.#lost = true;
    throw lost();
  }

  #putNext(): Promise<boolean> {
    const { beat, ...rest } = this.#holder as Holder;
    return this.#put({ ...rest, beat: beat + 1 }, { ifVersion: this.#version as BlobVersion });
  }

  /** True if the note is one of this process. The answer to its write did not arrive. */
  async #isOurs(): Promise<boolean> {
    const found = await this.#blobs.get(this.#key);
    if (found === undefined || holderIn(found.bytes)?.id !== this.#holder?.id) return false;
    this.#version = found.version;
    return true;
  }

  /** Fails if the process took the bucket and another may serve it now. */
  check(): void {
    if (this.#holder === undefined) return;
    if (this.#lost || this.#monotonic() - this.#renewed > this.#times.lostMs) throw lost();
  }

  /** Leaves the bucket to others. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#version !== undefined && !this.#lost)
      await this.#blobs.delete(this.#key, { ifVersion: this.#version });
  }

  async #put(holder: Holder, condition: object): Promise<boolean> {
    const began = this.#monotonic();
    const result = await this.#blobs.put(this.#key, Buffer.from(JSON.stringify(holder)), condition);
    if (!result.ok) return false;
    this.#version = result.version;
    this.#holder = holder;
    this.#renewed = began;
    return true;
  }

  async #refuseLiving(other: Holder | undefined, version: BlobVersion): Promise<void> {
    if (other === undefined) return;
    const { process } = this.#ports;
    if (other.host === process.hostname) {
      // In a container, the process before this one often had the same number.
      if (other.pid !== process.pid && process.isAlive(other.pid)) throw served(other);
      return;
    }
    for (let waited = 0; waited <= this.#times.lostMs; waited += this.#times.lookMs) {
      await pause(this.#times.lookMs);
      const seen = await this.#blobs.get(this.#key);
      if (seen === undefined) return;
      if (seen.version !== version) throw served(other);
    }
  }
}

function holderIn(bytes: Uint8Array): Holder | undefined {
  try {
    const holder = JSON.parse(Buffer.from(bytes).toString('utf8')) as Partial<Holder> | null;
    return typeof holder?.host === 'string' && typeof holder.pid === 'number'
      ? (holder as Holder)
      : undefined;
  } catch {
    return undefined;
  }
}

function served({ host, pid, since }: Holder): Error {
  return cairnError('CAIRN-STORE-CONFLICT', `cannot serve the bucket: process ${pid} on ${host} serves it`, {
    causes: [`it has served the bucket since ${since}`],
    hint: 'Stop that process first, or keep the service in PostgreSQL, which several processes serve.',
  });
}

function lost(): Error {
  return cairnError('CAIRN-STORE-UNAVAILABLE', 'cannot use the bucket: another process may serve it now', {
    hint: 'Start the service again.',
  });
}
