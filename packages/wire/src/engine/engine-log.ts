import type { EngineService, LogRequest } from '../contracts/engine-service.js';

/** Messages of a provider on their way to the engine, in order. */
export class EngineLog {
  private address = '';
  private engine: Promise<{ readonly service: EngineService; close(): void }> | undefined;
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
    const engine = (this.engine ??= connect(this.address));
    this.last = this.last.then(async () => (await engine).service.log(request)).catch(() => undefined);
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
    (await engine?.catch(() => undefined))?.close();
  }
}

/** Loaded when something is said: most providers say nothing. */
async function connect(address: string) {
  const [{ StreamCaller }, { EngineClient }] = await Promise.all([
    import('../doors/caller.js'),
    import('../doors/engine-client.js'),
  ]);
  const caller = new StreamCaller(address);
  return { service: new EngineClient(caller), close: () => caller.close() };
}
