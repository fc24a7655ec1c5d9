import type {
  GeneratePackageRequest,
  GenerateProblem,
  InstallDependenciesRequest,
  LanguageAbout,
  LanguageHost,
  LanguageTools,
  OnOutput,
  ProgramDependency,
  ProgramInfo,
  RequiredPackage,
  RunPluginRequest,
  RunRequest,
  RunResult,
  RunningPlugin,
  RuntimeOptionPrompt,
} from '../contracts/language.js';
import { StatusError, isStatusError } from '../contracts/status.js';
import * as codegen from '../generated/pulumi/codegen/hcl.js';
import * as pb from '../generated/pulumi/language.js';
import { encodeMap } from '@cairn/protobuf';
import { callStream, orUndefined, serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';
import { decodePrompt } from './option-prompts.js';
import { decodePackage, encodeProgramInfo, encodePackage } from './program-info.js';

/** Package and folder that a project will depend on. */
interface LinkRequest {
  readonly info: ProgramInfo;
  readonly package: RequiredPackage;
  readonly path: string;
  /** Address of the schema loader. */
  readonly loaderAddress: string;
}

/** Options of {@link LanguageClient}. */
interface LanguageClientOptions {
  /**
   * Called once when the client is closed, after the connection is closed. It can, for example, end the host's process.
   */
  readonly onClose?: (() => Promise<void>) | undefined;
}

/**
 * Language host behind a connection. Such a host inherits its output from its own process, so `onOutput` of a run is
 * not called. The process received the engine's address when it was started.
 */
export class LanguageClient implements LanguageHost, LanguageTools {
  readonly #rpc: ServiceClient<typeof pb.LanguageRuntimeDefinition>;
  readonly #caller: Caller;
  readonly #options: LanguageClientOptions;

  constructor(caller: Caller, options: LanguageClientOptions = {}) {
    this.#caller = caller;
    this.#options = options;
    this.#rpc = serviceClient(pb.LanguageRuntimeDefinition, caller);
  }

  /** Sends the engine's address to a host that was not launched by the engine. */
  async handshake(engineAddress: string): Promise<void> {
    await this.#rpc.handshake({ engineAddress, rootDirectory: undefined, programDirectory: undefined });
  }

  async getPluginInfo(): Promise<{ readonly version: string }> {
    return this.#rpc.getPluginInfo({});
  }

  async getRequiredPackages(info: ProgramInfo): Promise<readonly RequiredPackage[]> {
    const wireInfo = encodeProgramInfo(info);
    const packages = await orUndefined(this.#rpc.getRequiredPackages({ info: wireInfo }));
    if (packages !== undefined) {
      if (packages.specs.length > 0) {
        const names = packages.specs.map(({ source, version }) =>
          version === '' ? source : `${source}@${version}`,
        );
        throw new StatusError(
          'FAILED_PRECONDITION',
          `the program needs packages that must be installed first: ${names.join(', ')}`,
        );
      }
      return packages.packages.filter(({ kind }) => kind === 'resource').map(decodePackage);
    }
    const { programDirectory: pwd, entryPoint: program } = info;
    const plugins = await orUndefined(
      this.#rpc.getRequiredPlugins({ project: 'deprecated', pwd, program, info: wireInfo }),
    );
    return plugins?.plugins.filter(({ kind }) => kind === 'resource').map(decodePackage) ?? [];
  }

  async run(request: RunRequest): Promise<RunResult> {
    const { info } = request;
    const wire = pb.RunRequest.fromPartial({
      project: request.project,
      stack: request.stack,
      organization: request.organization,
      pwd: info.programDirectory,
      program: info.entryPoint,
      args: [...request.args],
      config: encodeMap(request.config),
      configSecretKeys: [...request.configSecretKeys],
      dryRun: request.dryRun,
      parallel: request.parallel,
      monitorAddress: request.monitorAddress,
      loaderTarget: request.loaderAddress ?? '',
      mapperTarget: request.mapperAddress ?? '',
      attachDebugger: request.attachDebugger ?? false,
      info: encodeProgramInfo(info),
    });
    try {
      const { bail, error } = await this.#rpc.run(wire);
      if (bail) return { t: 'bail' };
      return error === '' ? { t: 'ok' } : { t: 'failed', message: error };
    } catch (error) {
      if (isStatusError(error)) return { t: 'failed', message: error.message };
      throw error;
    }
  }

  runPlugin(request: RunPluginRequest): RunningPlugin {
    const { runPlugin } = pb.LanguageRuntimeDefinition.methods;
    const { pluginDirectory: directory, onOutput } = request;
    const wire = pb.RunPluginRequest.fromPartial({
      pwd: request.workingDirectory,
      program: directory,
      args: [...request.args],
      env: Object.entries(request.env).map(([name, value]) => `${name}=${value}`),
      info: encodeProgramInfo({
        rootDirectory: directory,
        programDirectory: directory,
        entryPoint: '.',
        options: request.options ?? {},
      }),
      kind: request.kind,
      name: request.name ?? '',
      loaderTarget: request.loaderAddress ?? '',
      attachDebugger: request.attachDebugger ?? false,
    });
    const stop = new AbortController();
    const text = { stdout: new TextDecoder(), stderr: new TextDecoder() };
    const exited = (async (): Promise<number> => {
      const messages = callStream(this.#caller, pb.LanguageRuntimeDefinition, runPlugin, wire, {
        signal: stop.signal,
      });
      let code = 0;
      try {
        for await (const { output } of messages) {
          if (output?.$case === 'exitcode') code = output.value;
          else if (output !== undefined)
            onOutput(output.$case, text[output.$case].decode(output.value, { stream: true }));
        }
      } catch (error) {
        if (!stop.signal.aborted) throw error;
      }
      return code;
    })();
    return {
      exited,
      kill: async () => {
        stop.abort();
        await exited.catch(() => {});
      },
    };
  }

  async installDependencies(request: InstallDependenciesRequest, onOutput: OnOutput): Promise<void> {
    const { installDependencies } = pb.LanguageRuntimeDefinition.methods;
    const wire = pb.InstallDependenciesRequest.fromPartial({
      directory: request.info.programDirectory,
      info: encodeProgramInfo(request.info),
      isTerminal: request.isTerminal ?? false,
      isPlugin: request.isPlugin ?? false,
      useLanguageVersionTools: request.useLanguageVersionTools ?? false,
    });
    const text = { stdout: new TextDecoder(), stderr: new TextDecoder() };
    const messages = callStream(this.#caller, pb.LanguageRuntimeDefinition, installDependencies, wire);
    const relayed = (async (): Promise<void> => {
      for await (const message of messages) {
        for (const stream of ['stdout', 'stderr'] as const) {
          const chunk = text[stream].decode(message[stream], { stream: true });
          if (chunk !== '') onOutput(stream, chunk);
        }
      }
    })();
    await orUndefined(relayed);
  }

  async getProgramDependencies(
    info: ProgramInfo,
    transitive: boolean,
  ): Promise<readonly ProgramDependency[]> {
    const { programDirectory: pwd, entryPoint: program } = info;
    const found = await orUndefined(
      this.#rpc.getProgramDependencies({
        project: 'deprecated',
        pwd,
        program,
        transitiveDependencies: transitive,
        info: encodeProgramInfo(info),
      }),
    );
    return found?.dependencies ?? [];
  }

  async about(info: ProgramInfo): Promise<LanguageAbout | undefined> {
    const told = await orUndefined(this.#rpc.about({ info: encodeProgramInfo(info) }));
    if (told === undefined) return undefined;
    const { executable, version, metadata } = told;
    return { executable, version, metadata: Object.fromEntries(metadata) };
  }

  async runtimeOptionsPrompts(info: ProgramInfo): Promise<readonly RuntimeOptionPrompt[]> {
    const told = await orUndefined(this.#rpc.runtimeOptionsPrompts({ info: encodeProgramInfo(info) }));
    return (told?.prompts ?? []).map(decodePrompt);
  }

  async template(info: ProgramInfo, projectName: string): Promise<void> {
    await orUndefined(this.#rpc.template({ info: encodeProgramInfo(info), projectName }));
  }

  /** Writes the package of a schema into a folder, as {@link LanguageHost}s with generators do. */
  async generatePackage(
    request: GeneratePackageRequest & { readonly loaderAddress: string; readonly local: boolean },
  ): Promise<readonly GenerateProblem[]> {
    const { diagnostics } = await this.#rpc.generatePackage({
      directory: request.directory,
      schema: request.schema,
      extraFiles: new Map(request.extraFiles),
      loaderTarget: request.loaderAddress,
      localDependencies: new Map(),
      local: request.local,
    });
    return diagnostics.map(({ severity, summary, detail }) => ({
      severity: severity === codegen.DiagnosticSeverity.DIAG_WARNING ? 'warning' : 'error',
      summary,
      detail,
    }));
  }

  /** Makes a project depend on a package in a folder. Resolves with import instructions for the user. */
  async link(request: LinkRequest): Promise<string | undefined> {
    const told = await orUndefined(
      this.#rpc.link({
        info: encodeProgramInfo(request.info),
        loaderTarget: request.loaderAddress,
        // Versions have no leading `v` here.
        packages: [
          {
            package: { ...encodePackage(request.package), version: request.package.version },
            path: request.path,
          },
        ],
      }),
    );
    return told?.importInstructions;
  }

  async cancel(): Promise<void> {
    await orUndefined(this.#rpc.cancel({}));
  }

  async close(): Promise<void> {
    this.#caller.close();
    await this.#options.onClose?.().catch(() => {});
  }
}
