import type { Urn } from '@cairn/addresses';
import type { EngineService, LogRequest } from '@cairn/wire';
import type { HandlerLog } from '../handler-context.js';

/** Messages of handlers on their way to the engine: in order, and before the answer of their handler. */
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

  /** What a handler writes to. */
  about(urn: Urn, redact: (text: string) => string): HandlerLog {
    const say = (severity: LogRequest['severity'], ephemeral: boolean) => (text: string) =>
      this.send({ severity, message: redact(text), urn, streamId: 0, ephemeral });
    return {
      status: say('info', true),
      debug: say('debug', false),
      info: say('info', false),
      warning: say('warning', false),
    };
  }

  private send(request: LogRequest): void {
    if (this.address === '') return;
    const engine = (this.engine ??= connect(this.address));
    // A message that does not arrive is no reason for the work to fail.
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
    import('@cairn/wire/caller'),
    import('@cairn/wire/engine-client'),
  ]);
  const caller = new StreamCaller(address);
  return { service: new EngineClient(caller), close: () => caller.close() };
}
