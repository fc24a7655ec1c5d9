/** What a plugin keeps of its output while no host reads it. */
const KEPT_BYTES = 65_536;

/**
 * What handlers print once the handshake is over: the host reads it as a stream, since nothing may follow the handshake
 * line. Of what nobody reads the beginning is kept.
 */
export class OutputTap {
  private readonly kept: Uint8Array[] = [];
  private size = 0;
  private wake: () => void = () => {};
  private closed = false;

  /** Takes the place of a stream's `write`. */
  take(stream: NodeJS.WriteStream): void {
    stream.write = ((
      chunk: Uint8Array | string,
      encoding?: BufferEncoding | (() => void),
      done?: () => void,
    ): boolean => {
      const encoded = typeof encoding === 'string' ? encoding : 'utf8';
      this.push(typeof chunk === 'string' ? Buffer.from(chunk, encoded) : chunk);
      const tell = typeof encoding === 'function' ? encoding : done;
      if (tell !== undefined) queueMicrotask(tell);
      return true;
    }) as typeof stream.write;
  }

  /** No more comes; readers end. */
  close(): void {
    this.closed = true;
    this.wake();
  }

  /** What has been printed and is printed, until the end or the signal. */
  async *read(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (;;) {
      while (this.kept.length > 0 && !signal.aborted) {
        const chunk = this.kept.shift() as Uint8Array;
        this.size -= chunk.length;
        yield chunk;
      }
      if (this.closed || signal.aborted) return;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  private push(chunk: Uint8Array): void {
    if (this.closed || this.size + chunk.length > KEPT_BYTES) return;
    this.kept.push(chunk);
    this.size += chunk.length;
    this.wake();
  }
}
