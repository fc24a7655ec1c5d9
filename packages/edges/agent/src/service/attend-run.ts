import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { hasRunEnded, isRunRow } from '@cairn/changes-daemon';
import type { RunRow } from '@cairn/changes-daemon';
import { BugError, isCairnError, messageOf } from '@cairn/diagnostics';
import { numberOfDeployment } from '@cairn/http-api';
import type { ClaimedRun } from '@cairn/http-api';
import type { AgentConfig } from '../config/agent-config.js';
import { CommandWork } from '../executors/command-work.js';
import type { CommandPorts } from '../executors/command-runner.js';
import { KubernetesWork } from '../executors/kubernetes-work.js';
import { PlacedWork } from '../executors/placed-work.js';
import { LogFollower } from '../executors/log-follower.js';
import { ProcessExecutor } from '../executors/process.js';
import { readWritten, runFiles } from '../executors/run-files.js';
import type { ManagerContext } from '../managers/context.js';
import { ReconcileManager } from '../managers/reconcile.js';
import { RecoveryManager } from '../managers/recovery.js';
import { Tasks } from '../managers/tasks.js';
import { ROWS, RunLedger } from '../runs/ledger.js';
import type { AttendPorts } from './attend-ports.js';
import { claimedStack } from './claimed-stack.js';
import { OidcFiles } from './oidc-files.js';
import { oidcOf, oidcSettings } from './oidc-settings.js';
import { ServiceRunStore } from './run-store.js';

/** Time between two looks at the logs of a run, and at an operation that cannot be continued yet. Milliseconds. */
const LOOK_MS = 1_000;

/** Part of a run's log that the service gets. */
const SENT_LOG = { most: 8 * 1024 * 1024, words: 'The rest of the log is on the machine of the agent.' };

/** Run that an agent has. */
export class AttendedRun {
  readonly #ports: AttendPorts;
  readonly #claimed: ClaimedRun;
  readonly #executor = new ProcessExecutor();
  readonly #store: ServiceRunStore;
  readonly #row: RunRow;
  readonly #oidc: OidcFiles;
  #isStopping = false;
  /** True once the stack was removed. The service has removed the run with it. */
  #isRemoved = false;

  constructor(ports: AttendPorts, claimed: ClaimedRun) {
    this.#ports = ports;
    this.#claimed = claimed;
    const { deployment, row, fence, organization, project, stack } = claimed;
    if (!isRunRow(row)) throw new BugError('the service gave out something that is no run');
    this.#row = { ...row, id: deployment, stack: [organization, project, stack].join('.') };
    this.#store = new ServiceRunStore({
      ...{ api: ports.api, agent: ports.config.name, place: claimed, fence, row: this.#row },
      onLost: (why) => {
        this.kill();
        if (!this.#isRemoved) this.#log(`run of ${claimed.stack} is lost: ${why}`);
      },
    });
    this.#oidc = new OidcFiles(
      (audience) => ports.api.runToken(claimed, { fence, audience }),
      (text) => this.#log(text),
    );
  }

  /** Works on the run until it ends, waits for people, or is lost. */
  async attend(): Promise<void> {
    const follower = new LogFollower(this.#files.folder, (line) => this.#store.addLine(line), SENT_LOG);
    const looking = setInterval(() => void follower.look(false).catch(() => undefined), LOOK_MS);
    try {
      await this.#work(() => follower.look(true));
      clearInterval(looking);
      await this.#store.release();
    } catch (thrown) {
      if (!this.#store.isLost) this.#log(`cannot report a run: ${messageOf(thrown)}`);
    } finally {
      clearInterval(looking);
      await this.#oidc.end();
      this.#store.close();
      this.#executor.kill();
    }
  }

  /** The run as it is now. */
  get row(): RunRow {
    return this.#store.read(ROWS.runs + this.#row.id, isRunRow) ?? this.#row;
  }

  /** Ends the running steps, so that another agent continues. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#executor.stop();
  }

  /** Ends the processes at once, so that another agent continues. */
  kill(): void {
    this.#isStopping = true;
    this.#executor.kill();
  }

  get #files() {
    return runFiles(this.#ports.config.folder, this.#row.id);
  }

  /** `readLogs` comes before each report that may be the last one. */
  async #work(readLogs: () => Promise<void>): Promise<void> {
    const context = await this.#context();
    if (context === undefined) return this.#store.stored();
    const { ledger, tasks } = context;
    const managers = [new RecoveryManager(context), new ReconcileManager(context)];
    await this.#takePlan();
    for (;;) {
      for (const manager of managers) manager.ensure();
      await tasks.idle();
      await readLogs();
      await ledger.stored();
      const { status } = ledger.run(this.#row.id);
      if (hasRunEnded(status) || status === 'waiting' || status === 'held' || this.#isStopping) return;
      if (status === 'lost') await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Returns what managers need. Ends a run whose settings have a problem: nothing runs. */
  async #context(): Promise<ManagerContext | undefined> {
    const { config, api, env, cairn, containers, isLocal, executor } = this.#ports;
    const now = (): Date => new Date();
    const ledger = new RunLedger(this.#store, now);
    try {
      const oidc = oidcOf(this.#claimed.settings, this.#files.exchange);
      const { stack, env: own } = claimedStack(this.#claimed, api.url, isLocal, oidc.env, executor);
      // Pods get tokens of their own: they do not see the files of this machine.
      if (stack.cluster === undefined) await this.#oidc.begin(oidc);
      const named = { ...stack, name: this.#row.stack };
      const settings = { ...config, stacks: [named] };
      const all = { ...env, ...own };
      return {
        ...{ config: settings, ledger, fence: this.#claimed.fence, now },
        work: this.#placedWork(
          settings,
          new CommandWork(settings, { cairn, env: all }, this.#executor, containers),
          all,
        ),
        tasks: new Tasks(1, noop, (error) => this.#log(messageOf(error))),
        newId: randomUUID,
        ensureBefore: noop,
        keepPlan: (run) => this.#givePlan(run),
        isStopping: () => this.#isStopping,
        log: (text, facts) => this.#log(text, facts),
      };
    } catch (thrown) {
      if (!isCairnError(thrown)) throw thrown;
      const why = thrown.diagnostics.map(({ summary }) => summary);
      ledger.move(this.#row.id, this.#row.status === 'waiting' ? 'expire' : 'fail', { why });
      return undefined;
    }
  }

  #placedWork(config: AgentConfig, here: CommandWork, env: CommandPorts['env']): PlacedWork {
    const { organization, project, stack, deployment, fence, token, settings } = this.#claimed;
    const place = { organization, project, stack, deployment, fence };
    const tokens = { ...place, url: this.#ports.api.url, token, settings: oidcSettings(settings) };
    const log = (text: string, facts: Readonly<Record<string, string>> = {}): void => this.#log(text, facts);
    const cluster = new KubernetesWork(config, { env, log, tokens }, this.#executor, here);
    return new PlacedWork(here, cluster, () => (this.#isRemoved = true));
  }

  /** Stores the plan that another agent has made. */
  async #takePlan(): Promise<void> {
    const { plan } = this.#claimed;
    if (typeof plan !== 'string') return;
    await mkdir(this.#files.exchange, { recursive: true, mode: 0o700 });
    await rm(this.#files.plan, { force: true });
    await writeFile(this.#files.plan, plan, { mode: 0o600, flag: 'wx' });
  }

  /** Gives the service the plan that was made. It gets it no later than a status after planning. */
  async #givePlan({ kind }: RunRow): Promise<void> {
    if (kind !== 'up') return;
    const plan = await readWritten(this.#files.plan).catch(() => undefined);
    if (plan !== undefined) this.#store.setPlan(plan);
  }

  #log(text: string, facts: Readonly<Record<string, string>> = {}): void {
    const { organization, project, stack } = this.#claimed;
    // People know the run by its number.
    const { id } = this.#row;
    const line = text.replaceAll(id, String(numberOfDeployment(id) ?? id));
    this.#store.addLine(facts['why'] ? `${line}: ${facts['why']}` : line);
    this.#ports.log(line, { ...facts, stack: `${organization}/${project}/${stack}` });
  }
}

function noop(): void {
  // The loop of a run looks again by itself.
}
