import type { PropertyMap } from '@cairn/values';

/** Calls of programs and plugins to the engine process besides registrations. */
// [PRG-12]
export interface EngineService {
  log(request: LogRequest): Promise<void>;
  getRootResource(): Promise<string>;
  setRootResource(urn: string): Promise<void>;
  /** Reports that a debugger can be attached. */
  startDebugging(request: DebuggingRequest): Promise<void>;
  /** Refuses with a StatusError if the engine's version is outside the range. */
  requirePulumiVersion(range: string): Promise<void>;
}

/** Instructions for attaching a debugger to a process that waits for it. */
export interface DebuggingRequest {
  /** Configuration of an attach request in the debug adapter protocol. */
  readonly config: PropertyMap;
  /** Description of the waiting process, e.g. `on process id 7`. */
  readonly message: string;
}

export interface LogRequest {
  readonly severity: 'debug' | 'info' | 'warning' | 'error';
  readonly message: string;
  /** Empty if the message is about no resource. */
  readonly urn: string;
  /** Groups chunks of one stream; 0 means none. */
  readonly streamId: number;
  /** True for a status line that need not be kept. */
  readonly ephemeral: boolean;
}
