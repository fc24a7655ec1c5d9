import type { BlobStore, Segment } from '@cairn/blobs';

/** Segment to create. `refuse` fails with the reason why another process has created it. */
export interface NewSegment {
  readonly store: BlobStore;
  readonly key: string;
  readonly refuse: () => Promise<never>;
}

/** Segment that is created with its first bytes, by one writer of all. */
export class LateSegment {
  readonly key: string;
  readonly #segment: NewSegment;
  #opening: Promise<Segment> | undefined;
  #isOpen = false;

  constructor(segment: NewSegment) {
    this.key = segment.key;
    this.#segment = segment;
  }

  /** True if the segment was created. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Appends bytes as `Segment` does, in the order of the calls. */
  async append(bytes: Uint8Array): Promise<void> {
    this.#opening ??= this.#open();
    await (await this.#opening).append(bytes);
  }

  /** Closes the segment. Appended bytes are durable, so a failure to close loses nothing. */
  async close(): Promise<void> {
    await (await this.#opening?.catch(() => undefined))?.close().catch(() => undefined);
  }

  async load(): Promise<Uint8Array> {
    return (await this.#segment.store.get(this.key))?.bytes ?? new Uint8Array();
  }

  async #open(): Promise<Segment> {
    const { store, key, refuse } = this.#segment;
    const opened = await store.openSegment(key, { create: 'exclusive' });
    if (!opened.ok) return refuse();
    this.#isOpen = true;
    return opened.segment;
  }
}
