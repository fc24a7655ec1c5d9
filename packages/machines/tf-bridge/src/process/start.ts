import type { AttachedProvider } from '@cairn/tfplugin';
import type { Caller } from '@cairn/wire/caller';
import type { PluginLogLevel, ProviderLog } from './log-line.js';

interface StartCommon {
  /** Name for messages, for example `hashicorp/random`. */
  readonly name: string;
  /** Receives the lines that the provider writes. Must not throw. */
  readonly onLog: (log: ProviderLog) => void;
  readonly limits?: Partial<ProviderLimits> | undefined;
}

/** An executable to start, with its environment. */
export interface ExecutableStart extends StartCommon {
  /** Absolute path of the executable. */
  readonly executable: string;
  readonly args?: readonly string[] | undefined;
  readonly cwd: string;
  /** The host's environment, which the provider inherits. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The least severe level of lines to report, or none. Defaults to all. */
  readonly logFrom?: PluginLogLevel | 'none' | undefined;
  readonly attached?: undefined;
}

/** A running provider to connect to. */
export interface AttachedStart extends StartCommon {
  readonly attached: AttachedProvider;
  readonly executable?: undefined;
}

/** A provider to start or to connect to. */
export type ProviderStart = ExecutableStart | AttachedStart;

/** Time limits, in milliseconds. */
export interface ProviderLimits {
  /** From the start of the process until it announces its address. */
  readonly handshakeMs: number;
  /** For the answer to the first call. */
  readonly firstCallMs: number;
  /** From the request to shut down until the process is killed. */
  readonly shutdownMs: number;
  /** For the report of its end, after the connection was lost. */
  readonly exitNewsMs: number;
}

/** A provider that answers. */
export interface RunningProvider {
  /** 5 or 6. */
  readonly protocolVersion: number;
  /** Calls its methods. A call that its end interrupts fails with the last lines that the process wrote. */
  readonly caller: Caller;
  /** Returns the way in which the process ended. Undefined while it runs, and for one that another process started. */
  ended(): string | undefined;
  /** Asks it to stop its work, without ending it [TFP-7]. Done once. Never throws. */
  cancel(): Promise<void>;
  /** Asks it to shut down, waits for that, then kills it. Done once. Never throws. */
  stop(): Promise<void>;
}
