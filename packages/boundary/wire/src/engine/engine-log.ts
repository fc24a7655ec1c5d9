import type { EngineService, LogRequest } from '../contracts/engine-service.js';
import { isStatusError } from '../contracts/status.js';

/** Messages of a provider on their way to the engine, in order. */
export class EngineLog {
  private address = '';
  private engine: Listener | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** Another engine has come; an empty address: nobody listens. */
  connect(address: string): void {
    if (address === this.address) return;
    void this.close();
    this.address = address;
  }

  /** Where the engine listens; empty: nowhere. */
  get engineAddress(): string {
    return this.address;
  }

  /** A message that does not arrive is no reason for the work to fail. */
  send(request: LogRequest): void {
    if (this.address === '') return;
    const engine = (this.engine ??= new Listener(connect(this.address)));
    this.last = this.last.then(() => engine.tell(request));
  }

  /** Resolves when all that was said has arrived, or cannot. */
  async sent(): Promise<void> {
    await this.last;
  }

  /** Sends what was said, and lets go of the engine. */
  async close(): Promise<void> {
    const { engine, last } = this;
    this.engine = undefined;
    await last;
    await engine?.close();
  }
}

interface Connection {
  readonly service: EngineService;
  close(): void;
}

/** An engine that is told things. Once it has gone it does not come back: what is left to say is dropped. */
class Listener {
  private gone = false;

  constructor(private readonly connection: Promise<Connection>) {}

  /** Never rejects. */
  async tell(request: LogRequest): Promise<void> {
    if (this.gone) return;
    try {
      await (await this.connection).service.log(request);
    } catch (error) {
      this.gone = isStatusError(error, 'UNAVAILABLE');
    }
  }

  /** Never rejects. */
  async close(): Promise<void> {
    (await this.connection.catch(() => undefined))?.close();
  }
}

/** Loaded when something is said: most providers say nothing. */
async function connect(address: string): Promise<Connection> {
  const [{ StreamCaller }, { EngineClient }] = await Promise.all([
    import('../doors/caller.js'),
    import('../doors/engine-client.js'),
  ]);
  const caller = new StreamCaller(address);
  return { service: new EngineClient(caller), close: () => caller.close() };
}
