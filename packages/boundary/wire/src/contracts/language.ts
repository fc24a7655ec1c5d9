/**
 * Plugin that runs the program. Implemented by Cairn's Node host in process and by the gRPC client for other language
 * hosts.
 */
// Rules: [PRG-1] to [PRG-5].
export interface LanguageHost {
  getPluginInfo(): Promise<{ readonly version: string }>;
  /** Returns the packages that the program's dependencies need. */
  getRequiredPackages(info: ProgramInfo): Promise<readonly RequiredPackage[]>;
  /** Runs the program; resolves when its process has ended. A failing program never makes it throw. */
  run(request: RunRequest): Promise<RunResult>;
  /** Runs a plugin that is written in this language. The plugin's own output arrives through `onOutput`. */
  runPlugin(request: RunPluginRequest): RunningPlugin;
  /** Asks a running program to end; kills it if it does not. */
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
  /** Semantic version without a leading `v`; empty if not known. */
  readonly version: string;
  /** Download URL; empty if not known. */
  readonly server: string;
  readonly parameterization?: PackageParameterization | undefined;
  /** Parameters that make the plugin serve another package besides its own. */
  readonly extension?: PackageParameterization | undefined;
}

/** Package that a plugin becomes when it receives `value`. */
export interface PackageParameterization {
  readonly name: string;
  readonly version: string;
  readonly value: Uint8Array;
}

export interface RunRequest {
  readonly info: ProgramInfo;
  readonly monitorAddress: string;
  readonly engineAddress: string;
  /** Address of the schema loader. Optional. */
  readonly loaderAddress?: string | undefined;
  /** Address of the mapper for another ecosystem. Optional. */
  readonly mapperAddress?: string | undefined;
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  /** Decrypted texts by `namespace:name`. */
  readonly config: Readonly<Record<string, string>>;
  readonly configSecretKeys: readonly string[];
  readonly dryRun: boolean;
  readonly parallel: number;
  readonly args: readonly string[];
  /** True if the program waits for a debugger and reports to the engine how to attach one. */
  readonly attachDebugger?: boolean | undefined;
  /** Receives the output of the program, chunk by chunk. */
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
}

/**
 * End of a program, as its runner promises it. `outputs`: the runner always registers the stack's outputs; a program
 * that succeeds without them left early. `late`: the same, and the runner detects promises that are never resolved only
 * when its process ends, after it has reported that the program registers nothing more.
 */
export type ProgramEnding = 'outputs' | 'late';

/**
 * Result of a run. `ok`: the program succeeded. `bail`: the program failed and reported why through the engine service,
 * or in its output if `written`. `failed`: the program failed without a report; `message` is for the user.
 */
export type RunResult =
  | { readonly t: 'ok' }
  | { readonly t: 'bail'; readonly written?: boolean }
  | { readonly t: 'failed'; readonly message: string };

export interface RunPluginRequest {
  readonly kind: 'resource' | 'analyzer' | 'converter' | 'tool';
  /** Name of the plugin, for messages. Optional. */
  readonly name?: string | undefined;
  readonly pluginDirectory: string;
  /** `runtime.options` of the plugin's manifest. */
  readonly options?: ProgramInfo['options'] | undefined;
  readonly workingDirectory: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Address of the schema loader. Optional. */
  readonly loaderAddress?: string | undefined;
  /** True if the plugin waits for a debugger and reports to the engine how to attach one. */
  readonly attachDebugger?: boolean | undefined;
  /** Address of the engine service of an operation. Absent if there is none. */
  readonly engineAddress?: string | undefined;
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** Started plugin process. */
export interface RunningPlugin {
  /** Resolves with the exit code when the process has ended. */
  readonly exited: Promise<number>;
  /** Interrupts the process, then kills it after the grace time. */
  kill(): Promise<void>;
}

/**
 * Requests of commands to a language besides running programs. A language that does not know a request returns no
 * answer.
 */
export interface LanguageTools {
  /** Installs the dependencies of a program or of a plugin's folder. Rejects with the package manager's message. */
  installDependencies(request: InstallDependenciesRequest, onOutput: OnOutput): Promise<void>;
  /** Returns the dependencies of a program, by package name. With `transitive`, includes their own dependencies. */
  getProgramDependencies(info: ProgramInfo, transitive: boolean): Promise<readonly ProgramDependency[]>;
  /** Describes the runtime of the program. Returns undefined if it is not known. */
  about(info: ProgramInfo): Promise<LanguageAbout | undefined>;
  /** Returns the questions to ask about the runtime of a new project. */
  runtimeOptionsPrompts(info: ProgramInfo): Promise<readonly RuntimeOptionPrompt[]>;
  /** Adapts a project that was just written from a template to its runtime and its options. */
  template(info: ProgramInfo, projectName: string): Promise<void>;
}

export interface InstallDependenciesRequest {
  readonly info: ProgramInfo;
  /** True if the dependencies are those of a plugin, not of a program. */
  readonly isPlugin?: boolean | undefined;
  /** True if the user watches, so that tools may show progress. */
  readonly isTerminal?: boolean | undefined;
  /** True to also install, with a version manager, the language version that the project names. */
  readonly useLanguageVersionTools?: boolean | undefined;
}

export interface LanguageAbout {
  /** Path of the executable that runs programs. */
  readonly executable: string;
  readonly version: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Question about an option of the runtime. Without `choices`, any answer of its type is valid. */
export interface RuntimeOptionPrompt {
  readonly key: string;
  readonly description: string;
  readonly type: 'string' | 'integer';
  readonly choices: readonly RuntimeOptionChoice[];
  readonly default: RuntimeOptionChoice | undefined;
}

export interface RuntimeOptionChoice {
  readonly value: string | number;
  /** Text that is shown for the choice. */
  readonly label: string;
}

/** Package requests of other engines to a language, besides running programs. */
export interface LanguagePackages {
  /** Installs the dependencies of a project or of a plugin's folder. Rejects with the package manager's message. */
  installDependencies(info: InstallDependenciesRequest['info'], onOutput: OnOutput): Promise<void>;
  /** Returns the dependencies of a program, by package name. With `transitive`, includes their own dependencies. */
  getProgramDependencies(info: ProgramInfo, transitive: boolean): Promise<readonly ProgramDependency[]>;
  /** Returns the questions to ask about the runtime of a new project. Absent if there are none. */
  runtimeOptionsPrompts?(info: ProgramInfo): Promise<readonly RuntimeOptionPrompt[]>;
  /** Adapts a project that was just written from a template. If absent, the project remains as it is. */
  template?(info: ProgramInfo, projectName: string): Promise<void>;
  /** Packs a package's folder into an installable file in another folder. Resolves with its path. */
  pack(packageDirectory: string, destination: string, onOutput: OnOutput): Promise<string>;
  /** Makes a project depend on local files. Resolves with import instructions for the user. */
  link(info: ProgramInfo, packages: readonly LinkedPackage[]): Promise<string>;
  /** Writes the typed package of a schema into a folder. Resolves with errors and omissions. */
  generatePackage(request: GeneratePackageRequest): Promise<readonly GenerateProblem[]>;
  /** Writes a PCL program into a folder as a project in this language. Resolves with the problems found. */
  generateProject(request: GenerateProjectRequest): Promise<readonly GenerateProblem[]>;
}

export type OnOutput = RunRequest['onOutput'];

export interface ProgramDependency {
  readonly name: string;
  /** Empty if not known. */
  readonly version: string;
}

export interface LinkedPackage {
  /** Name of the provider package; `pulumi` is the SDK itself. */
  readonly name: string;
  /** Path of an installable file or a folder. */
  readonly path: string;
}

export interface GeneratePackageRequest {
  readonly directory: string;
  /** Schema as JSON. */
  readonly schema: string;
  /** Additional files of the package, by path. */
  readonly extraFiles: ReadonlyMap<string, Uint8Array>;
}

export interface GenerateProjectRequest {
  /** Folder of the program's `.pp` files. */
  readonly sourceDirectory: string;
  readonly targetDirectory: string;
  /** Project file, as JSON. */
  readonly project: string;
  /** Address of the schema loader. */
  readonly loaderAddress: string;
  /** Installable files or folders by name of the package; `pulumi` is the SDK itself. */
  readonly localDependencies: ReadonlyMap<string, string>;
}

export interface GenerateProblem {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
}
