/** Number of output bytes that a plugin keeps while no host reads them. */
const KEPT_BYTES = 65_536;

/**
 * Captures output of handlers after the handshake. The host reads it as a stream, since nothing may follow the
 * handshake line. Without a reader, only the beginning is kept.
 */
export class OutputTap {
  readonly #kept: Uint8Array[] = [];
  #size = 0;
  #wake: () => void = () => {};
  #closed = false;

  /** Replaces the `write` of a stream. */
  take(stream: NodeJS.WriteStream): void {
    stream.write = ((
      chunk: Uint8Array | string,
      encoding?: BufferEncoding | (() => void),
      done?: () => void,
    ): boolean => {
      const encoded = typeof encoding === 'string' ? encoding : 'utf8';
      this.#push(typeof chunk === 'string' ? Buffer.from(chunk, encoded) : chunk);
      const tell = typeof encoding === 'function' ? encoding : done;
      if (tell !== undefined) queueMicrotask(tell);
      return true;
    }) as typeof stream.write;
  }

  /** Ends the output; readers end. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** Yields past and future output, until the end or the signal. */
  async *read(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (;;) {
      while (this.#kept.length > 0 && !signal.aborted) {
        const chunk = this.#kept.shift() as Uint8Array;
        this.#size -= chunk.length;
        yield chunk;
      }
      if (this.#closed || signal.aborted) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  #push(chunk: Uint8Array): void {
    if (this.#closed || this.#size + chunk.length > KEPT_BYTES) return;
    this.#kept.push(chunk);
    this.#size += chunk.length;
    this.#wake();
  }
}
