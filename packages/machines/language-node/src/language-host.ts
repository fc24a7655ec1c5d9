import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { ProcessGroup } from '@cairn/processes';
import { startProcess } from '@cairn/processes';
import type {
  LanguageHost,
  ProgramEnding,
  ProgramInfo,
  RunningPlugin,
  RunPluginRequest,
  RunRequest,
  RunResult,
} from '@cairn/wire';
import { debuggedNode } from './debugged-node.js';
import { findEntryPoint } from './entry-point.js';
import { formatOf } from './loader/module-format.js';
import { loaderStart } from './loader-start.js';
import { ownVersion } from './package-manifest.js';
import { pluginCommand } from './plugin-command.js';
import { programInstructions, programStart } from './program-command.js';
import type { NodeCommand } from './program-command.js';
import { findProgramSdk } from './program-sdk.js';
import type { SdkName } from './program-sdk.js';
import { findRequiredPackages } from './required-packages.js';
import { resultOfExit } from './run-result.js';
import { parseRuntimeOptions } from './runtime-options.js';
import { pluginCompiler, programCompiler } from './tsconfig/program-compiler.js';
import type { TypecheckCause } from './typecheck/decide-typecheck.js';
import { planTypecheck } from './typecheck/plan-typecheck.js';
import type { FoundProgram } from './typecheck/plan-typecheck.js';
import { typecheckProgram } from './typecheck/typecheck-program.js';
import { WaitingProgram } from './waiting-program.js';
import type { ProgramProcess } from './waiting-program.js';

/** Options of the Node language host. */
export interface NodeLanguageHostOptions {
  /** Our environment, which the program inherits. `CAIRN_HOME` decides where transpiled files are kept. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Makes `run` check the types of a program whose project asks for it. If unset, the caller runs `checkTypes` first.
   */
  readonly checksOnRun?: boolean | undefined;
  /** The node executable. Defaults to the one that we run on. */
  readonly node?: string | undefined;
  /** Path of the built loader module. Defaults to the one of this package. */
  readonly loader?: string | undefined;
  /** Returns a process that may run the program in place of a new one; see `startEarly`. */
  readonly waiting?: (() => WaitingProgram | undefined) | undefined;
  /** Milliseconds between interrupt and kill [PRG-5]. Defaults to 5000. */
  readonly interruptGraceMs?: number | undefined;
}

/** Runs Node programs, and looks at them before. */
export interface NodeLanguageHost extends LanguageHost {
  /**
   * Checks the types of a program if that is to be done, before anything else. Resolves with undefined if there is no
   * objection. Throws a CairnError like `run`.
   */
  checkTypes(info: ProgramInfo, cause: TypecheckCause): Promise<RunResult | undefined>;
  /** Returns the promise of a program's runner about its end. Throws a CairnError like `run`. */
  ending(info: ProgramInfo): ProgramEnding | undefined;
}

/** Number of characters kept of a program's stderr to recognise why it ended. */
const STDERR_TAIL = 8_192;

const ENDINGS = {
  '@cairn/sdk': 'outputs',
  '@pulumi/pulumi': 'late',
} as const satisfies Record<SdkName, ProgramEnding>;

const CANCELLED: RunResult = { t: 'failed', message: 'The program was cancelled before it started' };

/**
 * Returns a language host for TypeScript and JavaScript, in our own process. `run` throws a CairnError
 * (CAIRN-PROGRAM-LOAD, CAIRN-PROJECT-INVALID) for a program that cannot be started at all. A program that fails is a
 * result.
 */
export function createNodeLanguageHost(options: NodeLanguageHostOptions): NodeLanguageHost {
  return new Host(options);
}

/**
 * Starts the process of a program, which waits until a host with it as `waiting` runs the program. Returns undefined
 * for a program that cannot be started; the host reports that.
 */
export function startProgramEarly(
  info: ProgramInfo,
  options: NodeLanguageHostOptions,
): WaitingProgram | undefined {
  try {
    return WaitingProgram.start(new Host(options).processOf(info).process);
  } catch {
    return undefined;
  }
}

class Host implements NodeLanguageHost {
  readonly #node: string;
  readonly #graceMs: number;
  readonly #programs = new Set<ProcessGroup>();
  readonly #plugins = new Set<RunningPlugin>();
  #cancelled = false;
  readonly #options: NodeLanguageHostOptions;

  constructor(options: NodeLanguageHostOptions) {
    this.#options = options;
    this.#node = options.node ?? process.execPath;
    this.#graceMs = options.interruptGraceMs ?? 5_000;
  }

  async getPluginInfo(): Promise<{ readonly version: string }> {
    return { version: ownVersion() };
  }

  getRequiredPackages: LanguageHost['getRequiredPackages'] = (info) => findRequiredPackages(info);

  async checkTypes(info: ProgramInfo, cause: TypecheckCause): Promise<RunResult | undefined> {
    return this.#typesOf(this.#find(info), cause);
  }

  ending(info: ProgramInfo): ProgramEnding | undefined {
    const { name, isReplaced } = this.#find(info).sdk;
    return isReplaced === true ? undefined : ENDINGS[name];
  }

  async run(request: RunRequest): Promise<RunResult> {
    const { info } = request;
    const { program, process } = this.processOf(info);
    const { options, entry, sdk } = program;
    if (sdk.name === '@cairn/sdk') refuseMissing(entry.path);
    const wrong = this.#options.checksOnRun === true ? await this.#typesOf(program, 'on-demand') : undefined;
    if (wrong !== undefined) return wrong;
    return this.#execute(request, process, programInstructions(sdk.name, { request, options, entry }));
  }

  /** Returns a program and the process that runs it. Throws a CairnError for one that cannot be started. */
  processOf(info: ProgramInfo): { readonly program: FoundProgram; readonly process: ProgramProcess } {
    const program = this.#find(info);
    const { options, entry, sdk } = program;
    const { environment, loader: module } = this.#options;
    const { name, runner } = sdk;
    const loader = loaderStart({
      ...{ module, environment },
      transpile: options.typescript,
      compiler: options.typescript ? programCompiler(info, options.tsconfig, sdk) : undefined,
      isModule: entry.isModule || name === '@cairn/sdk',
      sourceMapsFor: name === '@pulumi/pulumi' ? runner : undefined,
    });
    const start = programStart(sdk, options, loader);
    const preload = sdk.preload === undefined ? [] : [pathToFileURL(sdk.preload).href];
    const node = this.#node;
    const directory = info.programDirectory;
    return { program, process: { node, loader: module, directory, environment, start, runner, preload } };
  }

  #find(info: ProgramInfo): FoundProgram {
    const options = parseRuntimeOptions(info.options);
    const entry = findEntryPoint(info);
    const override = this.#options.environment['PULUMI_LANGUAGE_NODEJS_RUN_PATH'];
    return { info, options, entry, sdk: findProgramSdk(info.programDirectory, entry, override) };
  }

  /** Checks types. A program that does not exist has none; running it reports that. */
  async #typesOf(program: FoundProgram, cause: TypecheckCause): Promise<RunResult | undefined> {
    const { environment, loader } = this.#options;
    if (!existsSync(program.entry.path)) return undefined;
    const plan = planTypecheck(program, cause, environment);
    if (plan === undefined) return undefined;
    let started: ProcessGroup | undefined;
    try {
      return await typecheckProgram(program, plan, {
        node: this.#node,
        environment,
        loader,
        onProcess: (check) => {
          started = check;
          this.#programs.add(check);
          if (this.#cancelled) void check.stop(this.#graceMs);
        },
      });
    } catch (error) {
      if (this.#cancelled) return CANCELLED;
      throw error;
    } finally {
      if (started !== undefined) this.#programs.delete(started);
    }
  }

  async #execute(request: RunRequest, process: ProgramProcess, told: NodeCommand): Promise<RunResult> {
    if (this.#cancelled) return CANCELLED;
    let stderrTail = '';
    const onOutput: RunRequest['onOutput'] = (stream, text) => {
      if (stream === 'stderr') stderrTail = (stderrTail + text).slice(-STDERR_TAIL);
      request.onOutput(stream, text);
    };
    const debugging = request.attachDebugger === true ? await debuggedNode() : undefined;
    const waiting = debugging === undefined ? this.#options.waiting?.() : undefined;
    const fresh = {
      command: this.#node,
      args: [...(debugging?.args ?? []), ...process.start.args, process.runner, ...told.args],
      cwd: process.directory,
      env: { ...process.environment, ...process.start.env, ...told.env },
      onOutput,
    };
    const program = await (async () =>
      (await waiting?.run(process, told, onOutput)) ?? (await startProcess(fresh)))().catch(
      (error: unknown) => {
        throw cairnError(
          'CAIRN-PROGRAM-LOAD',
          `cannot start the program in ${request.info.programDirectory}`,
          { causes: [messageOf(error)], hint: `Check that ${this.#node} exists and is executable.` },
          error,
        );
      },
    );
    this.#programs.add(program);
    if (this.#cancelled) void program.stop(this.#graceMs);
    await debugging?.tell(request.engineAddress, program.pid, 'Pulumi: Program (nodejs)');
    const status = await program.exit;
    this.#programs.delete(program);
    return resultOfExit(status, stderrTail, this.#cancelled);
  }

  runPlugin(request: RunPluginRequest): RunningPlugin {
    const started = this.#startPlugin(request);
    const running: RunningPlugin = {
      exited: started
        .then((group) => group.exit)
        .then((status) => (status.kind === 'code' ? status.code : 1))
        .finally(() => this.#plugins.delete(running)),
      kill: async () => {
        await started.then(
          (group) => group.stop(this.#graceMs),
          () => undefined,
        );
      },
    };
    this.#plugins.add(running);
    return running;
  }

  async #startPlugin(request: RunPluginRequest): Promise<ProcessGroup> {
    const { pluginDirectory } = request;
    const common = {
      module: this.#options.loader,
      transpile: true,
      environment: this.#options.environment,
    };
    const command = pluginCommand(request, (runner, sdk) =>
      sdk === '@cairn/sdk'
        ? loaderStart({
            ...common,
            compiler: programCompiler(
              { programDirectory: pluginDirectory, rootDirectory: pluginDirectory },
              undefined,
              { name: sdk, runner },
            ),
            isModule: true,
            sourceMapsFor: undefined,
          })
        : loaderStart({
            ...common,
            compiler: pluginCompiler(runner),
            isModule: formatOf(join(pluginDirectory, 'index')) === 'module',
            exclusive: true,
            sourceMapsFor: runner,
          }),
    );
    const debugging = request.attachDebugger === true ? await debuggedNode() : undefined;
    const plugin = await startProcess({
      command: this.#node,
      args: [...(debugging?.args ?? []), ...command.args],
      cwd: command.cwd,
      env: { ...request.env, ...command.env },
      onOutput: request.onOutput,
    });
    const name = request.name ?? basename(pluginDirectory);
    await debugging?.tell(request.engineAddress, plugin.pid, `Pulumi: Plugin (${name})`);
    return plugin;
  }

  async cancel(): Promise<void> {
    this.#cancelled = true;
    await Promise.all([...this.#programs].map((program) => program.stop(this.#graceMs)));
  }

  async close(): Promise<void> {
    await this.cancel();
    await Promise.all([...this.#plugins].map((plugin) => plugin.kill()));
  }
}

/** Throws CAIRN-PROGRAM-LOAD when there is no such program. The other SDK does so itself. */
function refuseMissing(entry: string): void {
  if (existsSync(entry)) return;
  throw cairnError('CAIRN-PROGRAM-LOAD', `cannot run the program ${entry}: it does not exist`, {
    hint: 'Check `main` in the project file.',
  });
}
