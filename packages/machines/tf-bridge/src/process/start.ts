import type { AttachedProvider } from '@cairn/tfplugin';
import type { Caller } from '@cairn/wire/caller';
import type { LogLevel, ProviderLog } from './log-line.js';

interface StartCommon {
  /** Name for messages, e.g. `hashicorp/random`. */
  readonly name: string;
  /** Told the lines that the provider writes. Must not throw. */
  readonly onLog: (log: ProviderLog) => void;
  readonly limits?: Partial<ProviderLimits> | undefined;
}

/** Which executable to start, and with what. */
export interface ExecutableStart extends StartCommon {
  /** Absolute path of the executable. */
  readonly executable: string;
  readonly args?: readonly string[] | undefined;
  readonly cwd: string;
  /** The host's environment, which the provider inherits. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The least serious level of lines that are told, or none. Default: all are. */
  readonly logFrom?: LogLevel | 'none' | undefined;
  readonly attached?: undefined;
}

/** Which running provider to connect to. */
export interface AttachedStart extends StartCommon {
  readonly attached: AttachedProvider;
  readonly executable?: undefined;
}

/** Which provider to start or to connect to. */
export type ProviderStart = ExecutableStart | AttachedStart;

/** How long is waited for what, in milliseconds. */
export interface ProviderLimits {
  /** From the start of the process until it says where it listens. */
  readonly handshakeMs: number;
  /** For the answer to the first call. */
  readonly firstCallMs: number;
  /** From the request to shut down until the process is killed. */
  readonly shutdownMs: number;
  /** For the news of its end, after the connection was lost. */
  readonly exitNewsMs: number;
}

/** A provider that answers. */
export interface RunningProvider {
  /** 5 or 6. */
  readonly protocolVersion: number;
  /** Calls its methods. A call that its end interrupts fails with the process' last words. */
  readonly caller: Caller;
  /** How the process ended; undefined while it runs, and for one that somebody else started. */
  ended(): string | undefined;
  /** Asks it to give up what it is doing, without ending it [TFP-7]. Done once. Never throws. */
  cancel(): Promise<void>;
  /** Asks it to shut down, waits for that, then kills it. Done once. Never throws. */
  stop(): Promise<void>;
}
