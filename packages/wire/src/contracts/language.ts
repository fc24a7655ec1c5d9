/**
 * Plugin that runs the program. Implemented by our Node host in process and by the gRPC client for other language
 * hosts. Rules: [PRG-1] to [PRG-5].
 */
export interface LanguageHost {
  getPluginInfo(): Promise<{ readonly version: string }>;
  /** Packages the program's dependencies ask for. */
  getRequiredPackages(info: ProgramInfo): Promise<readonly RequiredPackage[]>;
  /** Runs the program; resolves when its process has ended. Never throws for a failing program. */
  run(request: RunRequest): Promise<RunResult>;
  /** Runs a plugin that is written in this language. The plugin's own output comes through `onOutput`. */
  runPlugin(request: RunPluginRequest): RunningPlugin;
  /** Asks a running program to end; it is killed when it does not. */
  cancel(): Promise<void>;
  close(): Promise<void>;
}

export interface ProgramInfo {
  /** Directory of the project file. */
  readonly rootDirectory: string;
  readonly programDirectory: string;
  /** A bare file name or `.`. */
  readonly entryPoint: string;
  /** `runtime.options` of the project file. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface RequiredPackage {
  readonly name: string;
  /** Semantic version without a leading `v`; empty when not said. */
  readonly version: string;
  /** Download URL; empty when not said. */
  readonly server: string;
  readonly parameterization?:
    { readonly name: string; readonly version: string; readonly value: Uint8Array } | undefined;
}

export interface RunRequest {
  readonly info: ProgramInfo;
  readonly monitorAddress: string;
  readonly engineAddress: string;
  /** Where schemas of packages are served; absent: nowhere. */
  readonly loaderAddress?: string | undefined;
  /** Where mappings from another ecosystem are served; absent: nowhere. */
  readonly mapperAddress?: string | undefined;
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  /** `namespace:name` to text, decrypted. */
  readonly config: Readonly<Record<string, string>>;
  readonly configSecretKeys: readonly string[];
  readonly dryRun: boolean;
  readonly parallel: number;
  readonly args: readonly string[];
  /** What the program writes, chunk by chunk. */
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
}

/**
 * `ok`: ended well; `endsWithOutputs` says that what ran the program registers the stack's outputs at its end, always,
 * so that without them it has left in the middle. `bail`: failed and has said why through the engine service. `failed`:
 * failed without saying; `message` is for the user.
 */
export type RunResult =
  | { readonly t: 'ok'; readonly endsWithOutputs?: boolean }
  | { readonly t: 'bail' }
  | { readonly t: 'failed'; readonly message: string };

export interface RunPluginRequest {
  readonly kind: 'resource' | 'analyzer' | 'converter' | 'tool';
  readonly pluginDirectory: string;
  readonly workingDirectory: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** A started plugin process. */
export interface RunningPlugin {
  /** Resolves with the exit code when the process has ended. */
  readonly exited: Promise<number>;
  /** Interrupts, then kills after the grace time. */
  kill(): Promise<void>;
}
