import { messageOf, isCairnError } from '@cairn/diagnostics';
import type { ClaimedLook, LookRequest } from '@cairn/http-api';
import type * as v from 'valibot';
import { CommandWork } from '../executors/command-work.js';
import { ProcessExecutor } from '../executors/process.js';
import type { AttendPorts } from './attend-ports.js';
import { claimedStack } from './claimed-stack.js';
import { REPORT_MS } from './run-store.js';

/** Longest reason that is reported, in characters. */
const MOST_WHY = 5_000;

/** Result of a look. One without members is not known yet. */
type Found = Pick<v.InferInput<typeof LookRequest>, 'head' | 'why'>;

/** Look at the source of a stack that an agent has. */
export class AttendedLook {
  readonly #ports: AttendPorts;
  readonly #claimed: ClaimedLook;
  readonly #executor = new ProcessExecutor();
  #isOver = false;

  constructor(ports: AttendPorts, claimed: ClaimedLook) {
    this.#ports = ports;
    this.#claimed = claimed;
  }

  /** Reads the newest commit and reports it, or why it cannot be read. The service then asks for what is due. */
  async attend(): Promise<void> {
    const renewing = setInterval(() => void this.#report({}), REPORT_MS);
    try {
      const found = await this.#found();
      clearInterval(renewing);
      if (!this.#isOver) await this.#report(found);
    } finally {
      clearInterval(renewing);
      this.#executor.kill();
    }
  }

  /** Ends the look. Another agent makes it when the lease has ended. */
  stop(): Promise<void> {
    this.kill();
    return Promise.resolve();
  }

  /** Ends the look and its processes at once. */
  kill(): void {
    this.#isOver = true;
    this.#executor.kill();
  }

  async #found(): Promise<Found> {
    const { api, config, env, cairn, containers, isLocal, executor } = this.#ports;
    try {
      const run = { ...this.#claimed, deployment: '', operation: '', token: '', row: {} };
      const { stack, env: own } = claimedStack(run, api.url, isLocal, {}, executor);
      const settings = { ...config, stacks: [stack] };
      const ports = { cairn, env: { ...env, ...own } };
      const head = await new CommandWork(settings, ports, this.#executor, containers).head(stack);
      return head === undefined ? { why: 'the settings name no repository' } : { head };
    } catch (thrown) {
      const causes = isCairnError(thrown) ? thrown.diagnostics.flatMap((each) => each.causes ?? []) : [];
      const why = [messageOf(thrown), ...causes].join(': ').slice(0, MOST_WHY);
      if (!this.#isOver) this.#log(`cannot read the source: ${why}`);
      return { why };
    }
  }

  /** A report that is refused, or does not arrive, ends the look: it is due again after its lease. */
  async #report(found: Found): Promise<void> {
    const { api, config } = this.#ports;
    const { fence } = this.#claimed;
    try {
      await api.attendLook(this.#claimed, { agent: config.name, fence, ...found });
    } catch (thrown) {
      this.kill();
      this.#log(`cannot report about the source: ${messageOf(thrown)}`);
    }
  }

  #log(text: string): void {
    const { organization, project, stack } = this.#claimed;
    this.#ports.log(text, { stack: `${organization}/${project}/${stack}` });
  }
}
