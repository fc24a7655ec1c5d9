import { hasRunEnded } from '@cairn/changes-daemon';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { AgentConfig } from '../config/agent-config.js';
import { secretReader } from '../config/agent-secrets.js';
import type { ExecutorSettings } from '../config/read-executor.js';
import type { PullsFile } from '../config/read-pulls-file.js';
import type { CommandPorts } from '../executors/command-runner.js';
import { Containers } from '../executors/containers.js';
import { containersFolder } from '../executors/run-files.js';
import { keepLease, takeFolder } from '../folder/hold-folder.js';
import { leaveAgentMessage, makeInbox } from '../folder/inbox.js';
import { serveAgent } from '../listen/agent-server.js';
import type { AgentServer, ListenAt } from '../listen/agent-server.js';
import type { AgentMessage } from '../runs/messages.js';
import { serviceAgentMetrics } from '../listen/service-metrics.js';
import type { EndedRuns } from '../listen/service-metrics.js';
import { AttendedLook } from './attend-look.js';
import { AttendedRun } from './attend-run.js';
import { ServedPulls } from './pull-requests.js';
import { RefusedByService, ServiceApi } from './service-api.js';
import type { AgentServiceAddress } from './service-api.js';

/** Seconds of one wait for a run. */
const WAIT = 20;
/** Longest time between two calls, in milliseconds, while every place has a run or the service does not answer. */
const PAUSE_MS = 5_000;
/** Silence of the service after which the agent is not ready, in seconds. */
const SILENCE = 60;

/** Settings of an agent of a service. */
interface ServiceAgentConfig extends AgentServiceAddress {
  /** Absolute path of the folder that the agent keeps. Each agent has one of its own. */
  readonly folder: string;
  readonly name: string;
  readonly places: number;
  readonly pool?: string | undefined;
  /** True if sources may be folders and repositories of this machine. */
  readonly isLocal: boolean;
  /** Executor of all runs, in place of that of their settings. Defaults to none. */
  readonly executor?: ExecutorSettings | undefined;
  /** Stacks whose pull requests it looks after. Defaults to none. */
  readonly pulls?: PullsFile | undefined;
}

interface ServiceAgentPorts extends CommandPorts {
  /** Address for health and metrics. Defaults to none. */
  readonly listen?: ListenAt | undefined;
  readonly log: (text: string, facts?: Readonly<Record<string, string>>) => void;
  /** Calls back when the agent has to stop. */
  readonly onStop: (listener: () => void) => () => void;
}

/**
 * Runs an agent that takes runs from a service until it is stopped or drained. Stopping ends running steps, and another
 * agent continues; draining lets runs end. With `once` it ends when there is nothing to take and nothing runs. Fails
 * with CAIRN-AGENT-FOLDER if another agent works in its folder, and with CAIRN-AGENT-LEASE if one has taken it over.
 */
export async function runServiceAgent(
  config: ServiceAgentConfig,
  ports: ServiceAgentPorts,
  once: boolean,
): Promise<'stopped' | 'drained' | 'quiet'> {
  const agent = new ServiceAgent(config, ports);
  const unlisten = ports.onStop(() => agent.stop());
  const pulls = servedPulls(config, ports);
  const server = await listen(agent, config, ports, pulls);
  try {
    return await runInFolder(agent, config, ports, once, pulls);
  } finally {
    unlisten();
    await server?.close();
  }
}

/** Runs an agent under the lease of its folder [AGT-9]. */
async function runInFolder(
  agent: ServiceAgent,
  config: ServiceAgentConfig,
  { log }: ServiceAgentPorts,
  once: boolean,
  pulls: ServedPulls | undefined,
): Promise<'stopped' | 'drained' | 'quiet'> {
  const lease = await takeFolder(config, log, agent.stopped, 'fail');
  if (lease === undefined) return 'stopped';
  const endRenewal = keepLease(lease, (error) => agent.lose(error));
  try {
    await pulls?.start(lease);
    const end = await agent.run(once).finally(() => pulls?.stop());
    await lease.release();
    return end;
  } finally {
    endRenewal();
  }
}

/** Returns what looks after pull requests, if a file names some. */
function servedPulls(
  { folder, url, organization, pulls, ...config }: ServiceAgentConfig,
  { env, log }: ServiceAgentPorts,
): ServedPulls | undefined {
  if (pulls === undefined) return undefined;
  const api = new ServiceApi({ ...config, url, organization });
  const secretOf = secretReader({ forges: pulls.forges }, env);
  return new ServedPulls({ file: pulls, folder, api, url, organization, secretOf, log });
}

/** Serves webhooks of forges, health and metrics. */
async function listen(
  agent: ServiceAgent,
  { folder, pulls: file }: ServiceAgentConfig,
  { listen: address, env, log }: ServiceAgentPorts,
  pulls: ServedPulls | undefined,
): Promise<AgentServer | undefined> {
  if (address === undefined) return undefined;
  const unready = (): string | undefined => {
    if (!agent.isWorking) return 'another agent has the folder';
    return agent.answerAge > SILENCE ? 'the service has not answered for a minute' : undefined;
  };
  if (pulls !== undefined) await makeInbox(folder);
  const webhooks = {
    forges: file?.forges ?? [],
    secretOf: (variable: string) => env[variable] ?? '',
    now: () => new Date(),
    leave: async (id: string, message: AgentMessage) => {
      await leaveAgentMessage(folder, id, new Date(), message);
      pulls?.wake();
    },
  };
  const server = await serveAgent(address, {
    ...(pulls !== undefined && { webhooks }),
    health: () => ({ unready: unready() }),
    metrics: serviceAgentMetrics({
      ended: () => agent.ended.values(),
      running: () => agent.running,
      answerAge: () => agent.answerAge,
    }),
    log,
  });
  log(`listening on ${server.url}`);
  return server;
}

class ServiceAgent {
  readonly #config: ServiceAgentConfig;
  readonly #ports: ServiceAgentPorts;
  readonly #api: ServiceApi;
  readonly #containers: Containers;
  readonly #running = new Map<AttendedRun | AttendedLook, Promise<void>>();
  readonly #stop = new AbortController();
  /** Resolves when the agent begins nothing more. */
  readonly stopped: Promise<unknown>;
  /** True from the time at which it has its folder. */
  isWorking = false;
  #lost: { readonly error: unknown } | undefined;
  /** Time of the last answer of the service, or of the start. */
  #answeredAt = performance.now();
  /** True after the first answer of the service. */
  #isKnown = false;
  /** Runs that ended here, by kind and end. */
  readonly ended = new Map<string, EndedRuns>();

  constructor(config: ServiceAgentConfig, ports: ServiceAgentPorts) {
    this.#config = config;
    this.#ports = ports;
    this.#api = new ServiceApi(config);
    this.#containers = new Containers(containersFolder(config.folder), ports.env);
    this.stopped = new Promise((resolve) => this.#stop.signal.addEventListener('abort', resolve));
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Ends all processes at once, and then the agent with this error: another one has its folder. */
  lose(error: unknown): void {
    this.#lost = { error };
    for (const work of this.#running.keys()) work.kill();
    this.stop();
  }

  get running(): number {
    return [...this.#running.keys()].filter((work) => work instanceof AttendedRun).length;
  }

  /** Seconds since the last answer of the service. */
  get answerAge(): number {
    return (performance.now() - this.#answeredAt) / 1000;
  }

  /** Takes runs until it ends. The caller has the folder. */
  async run(once: boolean): Promise<'stopped' | 'drained' | 'quiet'> {
    this.isWorking = true;
    const end = await this.#work(once);
    if (this.#lost !== undefined) throw this.#lost.error;
    await this.#sayEnd();
    return end;
  }

  /** Tells the service that the agent ends by itself. If the call fails, the service reports a lost agent. */
  async #sayEnd(): Promise<void> {
    const { name, pool } = this.#config;
    const request = { agent: name, free: false, ends: true, ...(pool !== undefined && { pool }) };
    await this.#api
      .claim(request, AbortSignal.timeout(PAUSE_MS))
      .catch((thrown: unknown) => this.#ports.log(`cannot say that the agent ends: ${messageOf(thrown)}`));
  }

  async #work(once: boolean): Promise<'stopped' | 'drained' | 'quiet'> {
    const { name, url } = this.#config;
    const left = await this.#containers.removeLeft();
    if (left !== undefined) this.#ports.log(left);
    this.#ports.log(`agent ${name} works for ${url}`, { folder: this.#config.folder });
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const free = this.#running.size < this.#config.places;
      const answer = await this.#claim(free, once);
      if (answer === undefined) continue;
      if (answer.drain) {
        await Promise.all(this.#running.values());
        return 'drained';
      }
      const { run, look } = answer;
      if (run) this.#begin((ports) => new AttendedRun(ports, run));
      else if (look) this.#begin((ports) => new AttendedLook(ports, look));
      else if (once && this.#running.size === 0) return 'quiet';
      else if (once || !free) await this.#anEnd();
    }
    await Promise.all([...this.#running.keys()].map((run) => run.stop()));
    await Promise.all(this.#running.values());
    return 'stopped';
  }

  /** Asks for a run. Returns undefined if the service did not answer: it is asked again. */
  async #claim(free: boolean, once: boolean) {
    const { name, pool } = this.#config;
    const request = {
      agent: name,
      ...{ free, looks: true, starts: !this.#isKnown },
      wait: once || !free ? 0 : WAIT,
      ...(pool !== undefined && { pool }),
    };
    try {
      const answer = await this.#api.claim(request, this.#stop.signal);
      this.#answeredAt = performance.now();
      this.#isKnown = true;
      return answer;
    } catch (thrown) {
      if (this.#stop.signal.aborted) return undefined;
      if (thrown instanceof RefusedByService)
        throw cairnError('CAIRN-STORE-CREDENTIALS', `cannot work for ${this.#api.url}: ${thrown.message}`, {
          hint: 'Use a token with the role writer in the organization.',
        });
      this.#ports.log(messageOf(thrown));
      await this.#pause();
      return undefined;
    }
  }

  #begin(make: (ports: ConstructorParameters<typeof AttendedRun>[0]) => AttendedRun | AttendedLook): void {
    const { folder, name, places, isLocal, executor } = this.#config;
    const config: AgentConfig = { file: '', folder, name, places, stacks: [] };
    const own = { api: this.#api, config, containers: this.#containers, isLocal, executor };
    const work = make({ ...this.#ports, ...own });
    const ended = work.attend().finally(() => this.#end(work));
    this.#running.set(work, ended);
  }

  #end(work: AttendedRun | AttendedLook): void {
    this.#running.delete(work);
    if (work instanceof AttendedLook) return;
    const { kind, status } = work.row;
    if (!hasRunEnded(status)) return;
    const key = `${kind} ${status}`;
    this.ended.set(key, { kind, status, count: 1 + (this.ended.get(key)?.count ?? 0) });
  }

  /** Waits until a run ends, or for some time. */
  async #anEnd(): Promise<void> {
    const ended = new AbortController();
    await Promise.race([...this.#running.values(), this.#pause(ended.signal)]);
    ended.abort();
  }

  /** Waits for some time, or until the agent stops or the signal comes. */
  #pause(until: AbortSignal = this.#stop.signal): Promise<void> {
    return new Promise((resolve) => {
      const signal = AbortSignal.any([this.#stop.signal, until]);
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, PAUSE_MS);
      signal.addEventListener('abort', end);
    });
  }
}
