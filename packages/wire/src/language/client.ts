import type {
  LanguageHost,
  ProgramInfo,
  RequiredPackage,
  RunPluginRequest,
  RunRequest,
  RunResult,
  RunningPlugin,
} from '../contracts/language.js';
import { StatusError, isStatusError } from '../contracts/status.js';
import * as pb from '../generated/pulumi/language.js';
import { encodeMap } from '@cairn/protobuf';
import { callStream, orUndefined, serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';
import { decodePackage, encodeInfo } from './program-info.js';

/** What a language host behind a connection is told besides the requests. */
export interface LanguageClientOptions {
  /** Called once when the client is closed, after the connection; e.g. to let the host's process end. */
  readonly onClose?: (() => Promise<void>) | undefined;
}

/**
 * A language host behind a connection. Such a host inherits its output from its own process, so `onOutput` of a run is
 * not called; the engine's address was given to the process when it was started.
 */
export class LanguageClient implements LanguageHost {
  private readonly rpc: ServiceClient<typeof pb.LanguageRuntimeDefinition>;

  constructor(
    private readonly caller: Caller,
    private readonly options: LanguageClientOptions = {},
  ) {
    this.rpc = serviceClient(pb.LanguageRuntimeDefinition, caller);
  }

  /** Tells a host that was not launched by the engine where the engine is. */
  async handshake(engineAddress: string): Promise<void> {
    await this.rpc.handshake({ engineAddress, rootDirectory: undefined, programDirectory: undefined });
  }

  async getPluginInfo(): Promise<{ readonly version: string }> {
    return this.rpc.getPluginInfo({});
  }

  async getRequiredPackages(info: ProgramInfo): Promise<readonly RequiredPackage[]> {
    const wireInfo = encodeInfo(info);
    const packages = await orUndefined(this.rpc.getRequiredPackages({ info: wireInfo }));
    if (packages !== undefined) {
      if (packages.specs.length > 0) {
        throw new StatusError(
          'FAILED_PRECONDITION',
          'the program needs packages that must be installed first',
        );
      }
      return packages.packages.filter(({ kind }) => kind === 'resource').map(decodePackage);
    }
    const { programDirectory: pwd, entryPoint: program } = info;
    const plugins = await orUndefined(
      this.rpc.getRequiredPlugins({ project: 'deprecated', pwd, program, info: wireInfo }),
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
      info: encodeInfo(info),
    });
    try {
      const { bail, error } = await this.rpc.run(wire);
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
      info: { rootDirectory: directory, programDirectory: directory, entryPoint: '.' },
      kind: request.kind,
    });
    const stop = new AbortController();
    const text = { stdout: new TextDecoder(), stderr: new TextDecoder() };
    const exited = (async (): Promise<number> => {
      const messages = callStream(this.caller, pb.LanguageRuntimeDefinition, runPlugin, wire, {
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

  async cancel(): Promise<void> {
    await orUndefined(this.rpc.cancel({}));
  }

  async close(): Promise<void> {
    this.caller.close();
    await this.options.onClose?.().catch(() => {});
  }
}
