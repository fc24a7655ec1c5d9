import { cairnError, messageOf } from '@cairn/diagnostics';
import type { AgentConfig } from '../config/agent-config.js';
import type { CommandPorts } from '../executors/command-work.js';
import { Containers } from '../executors/containers.js';
import { containersFolder } from '../executors/run-files.js';
import { AttendedRun } from './attend-run.js';
import { RefusedByService, ServiceApi } from './service-api.js';
import type { AgentServiceAddress } from './service-api.js';

/** Seconds of one wait for a run. */
const WAIT = 20;
/** Longest time between two calls, in milliseconds, while every place has a run or the service does not answer. */
const PAUSE_MS = 5_000;

/** Settings of an agent of a service. */
interface ServiceAgentConfig extends AgentServiceAddress {
  /** Absolute path of the folder that the agent keeps. Agents on one machine have one each. */
  readonly folder: string;
  readonly name: string;
  readonly places: number;
  readonly pool?: string | undefined;
  /** True if sources may be folders and repositories of this machine. */
  readonly isLocal: boolean;
}

interface ServiceAgentPorts extends CommandPorts {
  readonly log: (text: string, facts?: Readonly<Record<string, string>>) => void;
  /** Calls back when the agent has to stop. */
  readonly onStop: (listener: () => void) => () => void;
}

/**
 * Runs an agent that takes runs from a service until it is stopped or drained. Stopping ends running steps, and another
 * agent continues; draining lets runs end. With `once` it ends when there is nothing to take and nothing runs.
 */
export async function runServiceAgent(
  config: ServiceAgentConfig,
  ports: ServiceAgentPorts,
  once: boolean,
): Promise<'stopped' | 'drained' | 'quiet'> {
  const agent = new ServiceAgent(config, ports);
  const unlisten = ports.onStop(() => agent.stop());
  try {
    return await agent.run(once);
  } finally {
    unlisten();
  }
}

class ServiceAgent {
  readonly #config: ServiceAgentConfig;
  readonly #ports: ServiceAgentPorts;
  readonly #api: ServiceApi;
  readonly #containers: Containers;
  readonly #running = new Map<AttendedRun, Promise<void>>();
  readonly #stop = new AbortController();

  constructor(config: ServiceAgentConfig, ports: ServiceAgentPorts) {
    this.#config = config;
    this.#ports = ports;
    this.#api = new ServiceApi(config);
    this.#containers = new Containers(containersFolder(config.folder), ports.env);
  }

  stop(): void {
    this.#stop.abort();
  }

  async run(once: boolean): Promise<'stopped' | 'drained' | 'quiet'> {
    const { name, url } = this.#config;
    this.#ports.log(`agent ${name} works for ${url}`, { folder: this.#config.folder });
    const left = await this.#containers.removeLeft();
    if (left !== undefined) this.#ports.log(left);
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const free = this.#running.size < this.#config.places;
      const answer = await this.#claim(free, once);
      if (answer === undefined) continue;
      if (answer.drain) {
        await Promise.all(this.#running.values());
        return 'drained';
      }
      if (answer.run !== undefined && answer.run !== null) this.#begin(answer.run);
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
      free,
      wait: once || !free ? 0 : WAIT,
      ...(pool !== undefined && { pool }),
    };
    try {
      return await this.#api.claim(request, this.#stop.signal);
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

  #begin(claimed: ConstructorParameters<typeof AttendedRun>[1]): void {
    const { folder, name, places, isLocal } = this.#config;
    const config: AgentConfig = { file: '', folder, name, places, stacks: [] };
    const run = new AttendedRun(
      { ...this.#ports, api: this.#api, config, containers: this.#containers, isLocal },
      claimed,
    );
    const ended = run.attend().finally(() => this.#running.delete(run));
    this.#running.set(run, ended);
  }

  /** Waits until a run ends, or for some time. */
  async #anEnd(): Promise<void> {
    await Promise.race([...this.#running.values(), this.#pause()]);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.#stop;
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
