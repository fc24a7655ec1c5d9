/** What programs and plugins may ask of the engine process besides registering [PRG-12]. */
export interface EngineService {
  log(request: LogRequest): Promise<void>;
  getRootResource(): Promise<string>;
  setRootResource(urn: string): Promise<void>;
  startDebugging(request: { readonly message: string }): Promise<void>;
  /** Refuses with a StatusError when the engine's version is outside the range. */
  requirePulumiVersion(range: string): Promise<void>;
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
