import type { PropertyMap } from '@cairn/values';

/** What programs and plugins may ask of the engine process besides registering. */
// [PRG-12]
export interface EngineService {
  log(request: LogRequest): Promise<void>;
  getRootResource(): Promise<string>;
  setRootResource(urn: string): Promise<void>;
  /** A debugger may be attached now. */
  startDebugging(request: DebuggingRequest): Promise<void>;
  /** Refuses with a StatusError when the engine's version is outside the range. */
  requirePulumiVersion(range: string): Promise<void>;
}

/** How a debugger is attached to something that waits for it. */
export interface DebuggingRequest {
  /** Configuration of an attach request in the debug adapter protocol. */
  readonly config: PropertyMap;
  /** Where it waits, e.g. `on process id 7`. */
  readonly message: string;
}

export interface LogRequest {
  readonly severity: 'debug' | 'info' | 'warning' | 'error';
  readonly message: string;
  /** Empty: about no resource. */
  readonly urn: string;
  /** Groups chunks of one stream; 0: none. */
  readonly streamId: number;
  /** A status line that need not be kept. */
  readonly ephemeral: boolean;
}
