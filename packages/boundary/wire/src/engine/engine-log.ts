import type { EngineService, LogRequest } from '../contracts/engine-service.js';
import { isStatusError } from '../contracts/status.js';

/** Queue of a provider's messages to the engine, in order. */
export class EngineLog {
  #address = '';
  #engine: Listener | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Sets the address of another engine. An empty address means that no engine listens. */
  connect(address: string): void {
    if (address === this.#address) return;
    void this.close();
    this.#address = address;
  }

  /** Address where the engine listens; empty if there is none. */
  get engineAddress(): string {
    return this.#address;
  }

  /** Sends a message. A message that does not arrive does not make the work fail. */
  send(request: LogRequest): void {
    if (this.#address === '') return;
    const engine = (this.#engine ??= new Listener(connect(this.#address)));
    this.#last = this.#last.then(() => engine.tell(request));
  }

  /** Resolves when every message has arrived, or cannot arrive. */
  async sent(): Promise<void> {
    await this.#last;
  }

  /** Sends the remaining messages and disconnects from the engine. */
  async close(): Promise<void> {
    const engine = this.#engine;
    const last = this.#last;
    this.#engine = undefined;
    await last;
    await engine?.close();
  }
}

interface Connection {
  readonly service: EngineService;
  close(): void;
}

/** Connection to an engine that receives messages. A lost engine does not come back: remaining messages are dropped. */
class Listener {
  #gone = false;
  readonly #connection: Promise<Connection>;

  constructor(connection: Promise<Connection>) {
    this.#connection = connection;
  }

  /** Never rejects. */
  async tell(request: LogRequest): Promise<void> {
    if (this.#gone) return;
    try {
      await (await this.#connection).service.log(request);
    } catch (error) {
      this.#gone = isStatusError(error, 'UNAVAILABLE');
    }
  }

  /** Never rejects. */
  async close(): Promise<void> {
    (await this.#connection.catch(() => undefined))?.close();
  }
}

/** Loaded with the first message: most providers send none. */
async function connect(address: string): Promise<Connection> {
  const [{ StreamCaller }, { EngineClient }] = await Promise.all([
    import('../entries/caller.js'),
    import('../entries/engine-client.js'),
  ]);
  const caller = new StreamCaller(address);
  return { service: new EngineClient(caller), close: () => caller.close() };
}
