import { randomUUID } from 'node:crypto';
import { systemClock } from '@cairn/changes';
import { EnsureLoop, Managers } from '@cairn/changes-daemon';
import type { RunRow } from '@cairn/changes-daemon';
import { messageOf } from '@cairn/diagnostics';
import { consoleAddress } from '@cairn/http-api';
import type { PullsFile } from '../config/read-pulls-file.js';
import { openAgentRegister } from '../folder/agent-folder.js';
import { deleteMessage, putAside, readAgentMessages } from '../folder/inbox.js';
import type { FolderLease } from '../folder/lease.js';
import { connectForges } from '../forges/forge-api.js';
import type { PullStack } from '../forges/touched-stacks.js';
import { PullManager } from '../managers/pulls.js';
import { Tasks } from '../managers/tasks.js';
import { servedPullStack } from './claimed-stack.js';
import { ServedPullLedger, servedReviewName } from './pull-ledger.js';
import { RefusedByService } from './service-api.js';
import type { ServiceApi } from './service-api.js';

/** Longest time between two passes, and until a pass after one that failed, in milliseconds. */
const PASS_MS = 60_000;
const RETRY_MS = 5_000;

interface PullParts {
  readonly file: PullsFile;
  readonly folder: string;
  readonly api: ServiceApi;
  readonly url: string;
  readonly organization: string;
  readonly secretOf: (variable: string) => string;
  readonly log: (text: string, facts?: Readonly<Record<string, string>>) => void;
}

/**
 * Looks after the pull requests of stacks of a service [AGT-23]. The rules are those of an agent with a file; the
 * service keeps the stacks, their settings and the runs. Rows of pull requests are in the folder of the agent.
 */
export class ServedPulls {
  readonly #parts: PullParts;
  /** `undefined` until the service has answered. */
  #stacks: readonly PullStack[] | undefined;
  /** Names of stacks whose settings have a policy, and of those in which comments may approve. */
  #ruled: ReadonlySet<string> = new Set();
  #commented: ReadonlySet<string> = new Set();
  /** Lines about stacks that were logged already. */
  readonly #logged = new Set<string>();
  #loop: EnsureLoop | undefined;
  #isStopping = false;

  constructor(parts: PullParts) {
    this.#parts = parts;
  }

  /** Starts to read webhooks. The caller has the lease of the folder. */
  async start(lease: FolderLease): Promise<void> {
    const { file, folder, api, organization, secretOf, log } = this.#parts;
    const register = await openAgentRegister(folder, lease, systemClock, log);
    const managers = new Managers();
    const wake = (ms: number): void => this.#loop?.ensureBefore(ms);
    const tasks = new Tasks(
      1,
      () => wake(0),
      (error, name) => log(`${name}: ${messageOf(error)}`),
    );
    const now = (): Date => new Date();
    const common = { tasks, log, now, ensureBefore: wake, isStopping: () => this.#isStopping };
    const ledger = new ServedPullLedger({
      ...{ ...common, register, api, organization },
      hasPolicy: (stack) => this.#ruled.has(stack),
      reviewed: (stack) =>
        this.#stacks?.some(({ name, pulls: own }) => name === stack && own?.review === true) === true,
    });
    const pulls = new PullManager(
      {
        ...{ ...common, ledger, newId: () => `a${randomUUID().slice(0, 8)}` },
        // Nothing is known about pull requests before.
        isStopping: () => this.#isStopping || this.#stacks === undefined,
        stacks: () => this.#stacks ?? [],
        // The service has the sources looked at.
        onPush: () => undefined,
        onApprove: (approval) => ledger.approve(approval),
        approveWith: (run) => this.#approveWith(run),
        reviewName: servedReviewName,
        pageOf: (run) => ledger.pageOf(run) ?? this.#pageOf(run),
      },
      register,
      connectForges(file.forges, secretOf),
    );
    managers.add({
      ensure: async () => {
        const left = await readAgentMessages(folder);
        if (left.length === 0 && this.#stacks !== undefined) return;
        await this.#readStacks().catch((thrown: unknown) => {
          wake(RETRY_MS);
          throw thrown;
        });
        for (const { message } of left) if (message?.t === 'forge') pulls.note(message);
        await register.stored();
        for (const { file: name, message } of left)
          await (message === undefined ? putAside(name) : deleteMessage(name));
      },
    });
    managers.add(pulls);
    managers.add(ledger);
    managers.add({ stop: () => tasks.idle(), ensure: () => undefined });
    this.#loop = new EnsureLoop(managers, {
      ...{ clock: systemClock, intervalMs: PASS_MS },
      onError: (error) => log(messageOf(error)),
    });
    await this.#loop.start();
  }

  /** Requests a pass. */
  wake(): void {
    this.#loop?.ensureBefore(0);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const loop = this.#loop;
    this.#loop = undefined;
    await loop?.stop();
  }

  /** Reads the settings of the stacks: their branch, their folder, and if they have a policy. */
  async #readStacks(): Promise<void> {
    const stacks: PullStack[] = [];
    const ruled = new Set<string>();
    const commented = new Set<string>();
    for (const { project, stack, ...pulls } of this.#parts.file.stacks) {
      const name = `${project}/${stack}`;
      const settings = await this.#settingsOf(project, stack);
      stacks.push(servedPullStack(name, pulls, settings));
      const { policy, comments } = (settings['cairn'] ?? {}) as Readonly<Record<string, unknown>>;
      if (policy !== undefined) ruled.add(name);
      if (comments !== undefined) commented.add(name);
    }
    this.#stacks = stacks;
    this.#ruled = ruled;
    this.#commented = commented;
  }

  /** Returns the settings of a stack. One without settings, or that the agent may not see, has no repository. */
  async #settingsOf(project: string, stack: string): Promise<Readonly<Record<string, unknown>>> {
    const { api, organization, log } = this.#parts;
    try {
      const settings = await api.call('deploymentSettings', { org: organization, project, stack });
      return settings as Readonly<Record<string, unknown>>;
    } catch (thrown) {
      if (!(thrown instanceof RefusedByService)) throw thrown;
      const line = `pull requests cannot touch ${project}/${stack}: ${thrown.message}`;
      if (!this.#logged.has(line)) log(line);
      this.#logged.add(line);
      return {};
    }
  }

  #approveWith({ id, stack }: RunRow): string {
    const { url, organization } = this.#parts;
    const command = `cairn agent approve ${id} --service ${url} --stack ${organization}/${stack}`;
    const comments = [...this.#commented].some((name) => stack === name || stack.startsWith(`${name}-pr-`));
    const comment = comments ? `comment \`cairn approve ${id} ${stack}\`, ` : '';
    return `To approve it, ${comment}use its page, or run \`${command}\`.`;
  }

  /** Returns the address of a page by the address that the agent has of the service. */
  #pageOf({ id, stack: reference }: RunRow): string {
    const { url, organization } = this.#parts;
    const [project = '', stack = ''] = reference.split('/');
    return consoleAddress(url, { organization, project, stack }, `runs/${Number(id)}`);
  }
}
