import type { AgentConfig } from '../config/agent-config.js';
import type { ExecutorSettings } from '../config/read-executor.js';
import type { CommandPorts } from '../executors/command-runner.js';
import type { Containers } from '../executors/containers.js';
import type { ServiceApi } from './service-api.js';

/** Parts of an agent that its runs and looks share. */
export interface AttendPorts extends CommandPorts {
  readonly api: ServiceApi;
  readonly config: AgentConfig;
  readonly containers: Containers;
  /** True if sources may be on this machine. */
  readonly isLocal: boolean;
  /** Executor of all runs. Defaults to that of each one's settings. */
  readonly executor: ExecutorSettings | undefined;
  readonly log: (text: string, facts?: Readonly<Record<string, string>>) => void;
}
