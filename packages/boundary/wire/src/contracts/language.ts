/**
 * Plugin that runs the program. Implemented by our Node host in process and by the gRPC client for other language
 * hosts.
 */
// Rules: [PRG-1] to [PRG-5].
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
  readonly parameterization?: PackageParameterization | undefined;
  /** What the plugin is told to serve another package besides its own. */
  readonly extension?: PackageParameterization | undefined;
}

/** The package that a plugin becomes when it is told `value`. */
export interface PackageParameterization {
  readonly name: string;
  readonly version: string;
  readonly value: Uint8Array;
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
  /** The program waits for a debugger, and tells the engine how to attach one. */
  readonly attachDebugger?: boolean | undefined;
  /** What the program writes, chunk by chunk. */
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
}

/**
 * `ok`: ended well; `endsWithOutputs` says that what ran the program registers the stack's outputs at its end, always,
 * so that without them it has left in the middle. `bail`: failed and has said why through the engine service, or in
 * what it has `written`. `failed`: failed without saying; `message` is for the user.
 */
export type RunResult =
  | { readonly t: 'ok'; readonly endsWithOutputs?: boolean }
  | { readonly t: 'bail'; readonly written?: boolean }
  | { readonly t: 'failed'; readonly message: string };

export interface RunPluginRequest {
  readonly kind: 'resource' | 'analyzer' | 'converter' | 'tool';
  /** Of the plugin, for messages; absent: not known. */
  readonly name?: string | undefined;
  readonly pluginDirectory: string;
  /** `runtime.options` of the plugin's manifest. */
  readonly options?: ProgramInfo['options'] | undefined;
  readonly workingDirectory: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where schemas of packages are served; absent: nowhere. */
  readonly loaderAddress?: string | undefined;
  /** The plugin waits for a debugger, and tells the engine how to attach one. */
  readonly attachDebugger?: boolean | undefined;
  /** Of the engine service of an operation; absent: there is none. */
  readonly engineAddress?: string | undefined;
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** A started plugin process. */
export interface RunningPlugin {
  /** Resolves with the exit code when the process has ended. */
  readonly exited: Promise<number>;
  /** Interrupts, then kills after the grace time. */
  kill(): Promise<void>;
}

/** What commands ask of a language besides running programs. A language that does not know a question has no answer. */
export interface LanguageTools {
  /** Installs what a program, or a plugin's folder, depends on. Rejects with what the package manager said. */
  installDependencies(request: InstallRequest, onOutput: OnOutput): Promise<void>;
  /** What a program depends on, by package name; `transitive`: with what those depend on. */
  getProgramDependencies(info: ProgramInfo, transitive: boolean): Promise<readonly ProgramDependency[]>;
  /** What runs the program; undefined: not known. */
  about(info: ProgramInfo): Promise<LanguageAbout | undefined>;
  /** What a new project is asked about its runtime. */
  runtimeOptionsPrompts(info: ProgramInfo): Promise<readonly RuntimeOptionPrompt[]>;
  /** Adapts a project that was just written from a template to its runtime and its options. */
  template(info: ProgramInfo, projectName: string): Promise<void>;
}

export interface InstallRequest {
  readonly info: ProgramInfo;
  /** What is installed for is a plugin, not a program. */
  readonly isPlugin?: boolean | undefined;
  /** Somebody watches, so that tools may show progress. */
  readonly isTerminal?: boolean | undefined;
  /** The version of the language that the project names is installed too, by a version manager. */
  readonly useLanguageVersionTools?: boolean | undefined;
}

export interface LanguageAbout {
  /** Path of what runs programs. */
  readonly executable: string;
  readonly version: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** One question about an option of the runtime; without `choices` any answer of its type does. */
export interface RuntimeOptionPrompt {
  readonly key: string;
  readonly description: string;
  readonly type: 'string' | 'integer';
  readonly choices: readonly RuntimeOptionChoice[];
  readonly default: RuntimeOptionChoice | undefined;
}

export interface RuntimeOptionChoice {
  readonly value: string | number;
  /** What is shown for it. */
  readonly label: string;
}

/** What other engines ask of a language besides running programs: its packages. */
export interface LanguagePackages {
  /** Installs what a project, or a plugin's folder, depends on. Rejects with what the package manager said. */
  installDependencies(info: InstallRequest['info'], onOutput: OnOutput): Promise<void>;
  /** What a program depends on, by package name; `transitive`: with what those depend on. */
  getProgramDependencies(info: ProgramInfo, transitive: boolean): Promise<readonly ProgramDependency[]>;
  /** What a new project is asked about its runtime; absent: nothing. */
  runtimeOptionsPrompts?(info: ProgramInfo): Promise<readonly RuntimeOptionPrompt[]>;
  /** Adapts a project that was just written from a template; absent: it stays as it is. */
  template?(info: ProgramInfo, projectName: string): Promise<void>;
  /** Makes an installable file of a package's folder, in another folder. Resolves with its path. */
  pack(packageDirectory: string, destination: string, onOutput: OnOutput): Promise<string>;
  /** Makes a project depend on local files. Resolves with how the program imports them, for people. */
  link(info: ProgramInfo, packages: readonly LinkedPackage[]): Promise<string>;
  /** Writes the typed package of a schema into a folder. Resolves with what was wrong or left out. */
  generatePackage(request: GeneratePackageRequest): Promise<readonly GenerateProblem[]>;
  /** Writes a program in PCL into a folder, as a project in this language. Resolves with what was wrong. */
  generateProject(request: GenerateProjectRequest): Promise<readonly GenerateProblem[]>;
}

export type OnOutput = RunRequest['onOutput'];

export interface ProgramDependency {
  readonly name: string;
  /** Empty when not known. */
  readonly version: string;
}

export interface LinkedPackage {
  /** Of the provider package; `pulumi` is the SDK itself. */
  readonly name: string;
  /** An installable file or a folder. */
  readonly path: string;
}

export interface GeneratePackageRequest {
  readonly directory: string;
  /** JSON. */
  readonly schema: string;
  /** Further files of the package, by path. */
  readonly extraFiles: ReadonlyMap<string, Uint8Array>;
}

export interface GenerateProjectRequest {
  /** Folder of the program's `.pp` files. */
  readonly sourceDirectory: string;
  readonly targetDirectory: string;
  /** The project file, as JSON. */
  readonly project: string;
  /** Where schemas of packages are served. */
  readonly loaderAddress: string;
  /** Installable files or folders by name of the package; `pulumi` is the SDK itself. */
  readonly localDependencies: ReadonlyMap<string, string>;
}

export interface GenerateProblem {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
}
