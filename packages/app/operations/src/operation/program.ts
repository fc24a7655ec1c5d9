import { organizationOf } from '@cairn/backends';
import type { EngineEvent, Program } from '@cairn/engine';
import type { NodeLanguageHost, TypecheckCause } from '@cairn/language-node';
import type { PluginMessage } from '@cairn/plugin-host';
import type { LanguageHost, RequiredPackage, RunRequest, RunResult } from '@cairn/wire';
import type { Env } from '@cairn/workspace';
import { builtInLanguage, languagePlugin } from '../languages/languages.js';
import { observed } from '../ports.js';
import type { Prepared } from './prepared.js';
import type { OwnProgram, RunningProgram } from '../ports.js';

/** The program of a stack, ready to be run by an operation. */
interface StackProgram {
  /** Host that runs it; absent for a function of this process. */
  readonly host?: LanguageHost;
  readonly program: Program;
  readonly packages: readonly RequiredPackage[];
}

/** Settings of one run. */
interface ProgramOptions {
  /** Reason why types may have to be checked first; `undefined` if that is settled. */
  readonly typecheck: TypecheckCause | undefined;
  readonly parallel: number;
  readonly emit: (event: EngineEvent) => void;
  /** True if another pass follows that runs the program too. */
  readonly isFollowed: boolean;
  /** Receives output of the program language's plugin while the program does not run. */
  readonly onMessage: (message: PluginMessage) => void;
}

/**
 * Returns the program of the project, or `undefined` if the project declares no runtime, which acts like an empty
 * program.
 */
export async function stackProgram(
  prepared: Prepared,
  options: ProgramOptions,
): Promise<StackProgram | undefined> {
  const { client } = prepared;
  if (client !== undefined) return servedProgram(prepared, client, options);
  if (prepared.ports.program !== undefined)
    return { program: ownProgram(prepared, prepared.ports.program, options.parallel), packages: [] };
  const { runtime } = prepared.project;
  if (runtime === undefined) return undefined;
  const { ports, project } = prepared;
  const builtIn = builtInLanguage(programEnvironment(prepared), runtime.name, () => ports.early?.take());
  const host =
    builtIn ??
    languagePlugin(ports, {
      ...{ runtime: runtime.name, info: prepared.program, project, mask: prepared.mask.mask },
      onMessage: options.onMessage,
    });
  const checked = typesOf(builtIn, prepared.program, options.typecheck);
  const packages = await host.getRequiredPackages(prepared.program).catch(async (error: unknown) => {
    await host.close();
    throw error;
  });
  const program: Program = {
    check: () => checked,
    ending: () => builtIn?.ending(prepared.program),
    run: ({ dryRun, onPort, ...shared }) => {
      // Languages that are plugins may not support socket files.
      const { monitor, engine, loader, mapper } = builtIn === undefined ? onPort() : shared;
      const running = host.run({
        ...runRequest(prepared, options),
        monitorAddress: monitor,
        engineAddress: engine,
        loaderAddress: loader,
        mapperAddress: mapper,
        dryRun,
        args: [],
      });
      return options.isFollowed ? running.finally(() => ports.early?.again()) : running;
    },
    cancel: () => host.cancel(),
  };
  return { host, program, packages };
}

/** Begins to check types in the background. Resolves with `undefined` if there are no errors. */
function typesOf(
  host: NodeLanguageHost | undefined,
  info: Prepared['program'],
  cause: TypecheckCause | undefined,
): Promise<RunResult | undefined> {
  const checking =
    host === undefined || cause === undefined ? Promise.resolve(undefined) : host.checkTypes(info, cause);
  // The code that awaits it meets the failure.
  checking.catch(() => undefined);
  return checking;
}

/** Returns the program that another process serves for this operation, whatever runtime the project names. */
async function servedProgram(
  prepared: Prepared,
  address: string,
  options: ProgramOptions,
): Promise<StackProgram> {
  const { askForPackages, connectLanguageHost, programOfClient } = await import('./program-client.js');
  const host = connectLanguageHost(address, observed(prepared.ports, prepared.mask.mask)?.calls);
  const packages = await askForPackages(host, address, prepared.program);
  return { host, program: programOfClient(host, () => runRequest(prepared, options)), packages };
}

/** Returns our environment, with the variables that an observer of the run adds. */
function programEnvironment({ ports, mask }: Prepared): Env {
  return { ...ports.env, ...observed(ports, mask.mask)?.variables };
}

/** Returns the request to run a program, for any host. */
function runRequest(prepared: Prepared, { parallel, emit }: ProgramOptions) {
  const { values, secretKeys } = prepared.config.program;
  return {
    info: prepared.program,
    project: prepared.project.name,
    stack: prepared.id.stack,
    organization: organizationOf(prepared.id),
    config: Object.fromEntries(values),
    configSecretKeys: secretKeys,
    parallel,
    attachDebugger: prepared.ports.observer?.debugged?.program === true,
    onOutput: (stream, text) => emit({ t: 'program-output', stream, text }),
  } satisfies Partial<RunRequest>;
}

/**
 * Returns a program that is a function of this process, run by an operation. `parallel` is the number of steps at a
 * time.
 */
function ownProgram({ project, id, config, program }: Prepared, own: OwnProgram, parallel: number): Program {
  let running: RunningProgram | undefined;
  return {
    inProcess: true,
    ending: () => own.ending,
    run: ({ services, dryRun }) => {
      running = own.start({
        ...services,
        project: project.name,
        stack: id.stack,
        organization: organizationOf(id),
        rootDirectory: program.rootDirectory,
        dryRun,
        parallel,
        config: Object.fromEntries(config.program.values),
        configSecretKeys: config.program.secretKeys,
      });
      return running.finished;
    },
    cancel: async () => running?.stop(),
  };
}
