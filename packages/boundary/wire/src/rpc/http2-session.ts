import { connect } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import type { Address } from './address.js';

const WINDOW_BYTES = 4 * 1024 * 1024;
const HEADER_LIST_BYTES = 64 * 1024 * 1024;
const SESSION_MEMORY_MB = 1024;

/** Stream of the connection. While any stream is busy the connection keeps the process alive. */
export interface SessionStream {
  readonly stream: ClientHttp2Stream;
  setBusy(busy: boolean): void;
  /** True if the connection still exists, so that only that stream ended. */
  isConnected(): boolean;
}

/** HTTP/2 connection that is opened again if a call needs it after the last one has ended. */
export class Http2Session {
  #session: ClientHttp2Session | undefined;
  #busy = new Set<ClientHttp2Stream>();
  #closed = false;
  readonly #address: Address;

  constructor(address: Address) {
    this.#address = address;
  }

  /**
   * Opens a stream that is busy until it closes. Returns undefined after `close`. A failure to connect is reported as
   * the stream's error.
   */
  request(headers: OutgoingHttpHeaders): SessionStream | undefined {
    if (this.#closed) return undefined;
    const session = this.#usable();
    const busy = this.#busy;
    const stream = session.request({ ':method': 'POST', ':authority': this.#address.authority, ...headers });
    const setBusy = (on: boolean): void => {
      const before = busy.size;
      if (on) busy.add(stream);
      else busy.delete(stream);
      if (before === busy.size || session.destroyed) return;
      if (before === 0) session.ref();
      else if (busy.size === 0) session.unref();
    };
    setBusy(true);
    stream.once('close', () => setBusy(false));
    return { stream, setBusy, isConnected: () => !session.destroyed && !session.socket.destroyed };
  }

  close(): void {
    this.#closed = true;
    this.#session?.destroy();
  }

  #usable(): ClientHttp2Session {
    const current = this.#session;
    if (current !== undefined && !current.closed && !current.destroyed) return current;
    const session = connect(`${this.#address.scheme}://${this.#address.authority}`, {
      createConnection: () => this.#address.open(),
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES, maxHeaderListSize: HEADER_LIST_BYTES },
      maxSessionMemory: SESSION_MEMORY_MB,
      maxHeaderListPairs: 1024,
    });
    // Streams report the failure; without a listener it would be thrown.
    session.on('error', () => {});
    // Node emits this event for a destroyed session as well.
    session.once('connect', () => {
      if (!session.destroyed) session.setLocalWindowSize(WINDOW_BYTES * 4);
    });
    session.once('goaway', () => session.close());
    this.#session = session;
    this.#busy = new Set();
    return session;
  }
}
