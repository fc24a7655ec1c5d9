import type { Backend } from './backend.js';

/** What a backend may use from outside. */
export interface BackendPorts {
  /** The process's variables, or a test's. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** A fresh UUID. */
  readonly newId: () => string;
  /** Version text for manifests, e.g. `v0.1.0`. */
  readonly version: string;
  /** The command line without node and script, for the record of a failed integrity check. */
  readonly argv: readonly string[];
  readonly process: HolderProcess;
}

/** This process as locks name it. `isAlive`: whether a process of this host still runs. */
export interface HolderProcess {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  readonly isAlive: (pid: number) => boolean;
}

export type OpenBackend = (url: string, ports: BackendPorts) => Promise<Backend>;
