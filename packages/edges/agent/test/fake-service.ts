import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Service that gives out its runs, one after the other, and lets other claims wait. */
export class FakeService {
  readonly runs: object[] = [];
  /** True if claims without a run are answered at once. */
  isHasty = false;
  claims = 0;
  readonly reports: {
    readonly release: boolean;
    readonly rows: readonly { readonly status: string; readonly why: readonly string[] }[];
  }[] = [];
  /** Resolves with the number of the process that a run has started. */
  readonly began: Promise<number>;
  #begin: (pid: number) => void = () => undefined;
  readonly #server: Server;

  private constructor() {
    this.began = new Promise((resolve) => (this.#begin = resolve));
    this.#server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const answer = this.#answer(String(request.url), text);
        if (answer !== undefined) response.end(JSON.stringify(answer));
      });
    });
  }

  static async start(): Promise<FakeService> {
    const made = new FakeService();
    await new Promise<void>((resolve) => made.#server.listen(0, '127.0.0.1', resolve));
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(url: string, text: string): object | undefined {
    if (url.startsWith('/began/')) {
      this.#begin(Number(url.slice('/began/'.length)));
      return {};
    }
    if (url.endsWith('/attend')) {
      this.reports.push(JSON.parse(text) as FakeService['reports'][number]);
      return {};
    }
    this.claims += 1;
    const run = this.runs.shift();
    if (run !== undefined) return { run };
    return this.isHasty ? {} : undefined;
  }
}
