import type { BlobStore, Segment } from '@cairn/blobs';
import type { Timer } from '../src/index.js';

/**
 * Store of a process that can be stopped before one of its writes. From then on none of its calls proceeds until it is
 * woken.
 */
export interface PausingStore {
  readonly store: BlobStore;
  /**
   * Stops before the write of that number, counted from now on, from 0. Resolves with the write that was due. `counts`:
   * the writes that count. Defaults to all.
   */
  pauseAt(write: number, counts?: RegExp): Promise<string>;
  wake(): void;
}

export function pausingStore(inner: BlobStore): PausingStore {
  let left = Number.POSITIVE_INFINITY;
  let counting = /^/;
  let tell: (what: string) => void = () => undefined;
  let sleep: Promise<void> | undefined;
  let wake: () => void = () => undefined;
  const stop = (what: string): void => {
    sleep = new Promise((resolve) => {
      wake = () => {
        sleep = undefined;
        resolve();
      };
    });
    tell(what);
  };
  const read =
    <A extends unknown[], R>(run: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      await sleep;
      return run(...given);
    };
  const write =
    <A extends unknown[], R>(what: string, run: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      const name = `${what} ${String(what === 'copy' ? given[1] : given[0])}`;
      if (sleep === undefined && counting.test(name)) {
        if (left === 0) stop(name);
        else left -= 1;
      }
      await sleep;
      return run(...given);
    };
  const segment = (opened: Segment): Segment => ({
    key: opened.key,
    get durableSize() {
      return opened.durableSize;
    },
    append: write('append', (bytes: Uint8Array) => opened.append(bytes)),
    close: read(() => opened.close()),
  });
  const store: BlobStore = {
    url: inner.url,
    get: read((key: string) => inner.get(key)),
    list: read((prefix: string) => inner.list(prefix)),
    put: write('put', (...given: Parameters<BlobStore['put']>) => inner.put(...given)),
    delete: write('delete', (...given: Parameters<BlobStore['delete']>) => inner.delete(...given)),
    copy: write('copy', (...given: Parameters<BlobStore['copy']>) => inner.copy(...given)),
    openSegment: write('open', async (...given: Parameters<BlobStore['openSegment']>) => {
      const opened = await inner.openSegment(...given);
      return opened.ok ? { ok: true, segment: segment(opened.segment) } : opened;
    }),
    fenceSegment: write('fence', async (key: string) => inner.fenceSegment?.(key)),
    checkWrites: read(async (scratch: string) => (await inner.checkWrites?.(scratch)) ?? []),
    close: () => inner.close(),
  };
  return {
    store,
    pauseAt: (number, counts = /^/) => {
      left = number;
      counting = counts;
      return new Promise((resolve) => (tell = resolve));
    },
    wake: () => {
      left = Number.POSITIVE_INFINITY;
      wake();
    },
  };
}

/** Time passes as soon as a caller waits for it, however long other work takes. Nothing happens in the background. */
export class HastyTimer implements Timer {
  #now = 0;

  after(ms: number, run: () => void): () => void {
    const handle = setImmediate(() => {
      this.#now += ms;
      run();
    });
    return () => clearImmediate(handle);
  }

  inBackground(): () => void {
    return () => undefined;
  }

  ticks(): number {
    return this.#now;
  }

  stopwatch(): () => number {
    const begun = this.#now;
    return () => this.#now - begun;
  }

  pass(ms: number): void {
    this.#now += ms;
  }
}
