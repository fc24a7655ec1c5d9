import { unreachable } from '@cairn/diagnostics';
import type {
  GenerateProblem,
  LanguageHost,
  LanguagePackages,
  OnOutput,
  RunPluginRequest,
  RunResult,
} from '../contracts/language.js';
import { StatusError } from '../contracts/status.js';
import * as codegen from '../generated/pulumi/codegen/hcl.js';
import * as pb from '../generated/pulumi/language.js';
import { decodeMap } from '@cairn/protobuf';
import { MessageQueue } from '../rpc/message-queue.js';
import { service } from '../rpc/service.js';
import type { CallContext, Service } from '../rpc/service.js';
import { encodePrompt } from './option-prompts.js';
import { decodeProgramInfo, encodePackage } from './program-info.js';

const PLUGIN_KINDS: ReadonlySet<string> = new Set(['resource', 'analyzer', 'converter', 'tool']);

/** Options of a served language host. */
interface LanguageServiceOptions {
  /** Address of the engine that started the host; a handshake replaces it. */
  readonly engineAddress: string;
  /** Receives the program's output; usually the host's own standard streams. */
  readonly onOutput: OnOutput;
  /** Package requests of the host. If absent, such requests are answered as not implemented. */
  readonly packages?: LanguagePackages | undefined;
}

/** Serves a language host. */
export function languageService(host: LanguageHost, options: LanguageServiceOptions): Service {
  let { engineAddress } = options;
  const { packages, onOutput } = options;
  return service(pb.LanguageRuntimeDefinition, {
    handshake: async (wire) => {
      engineAddress = wire.engineAddress;
      return {};
    },
    getPluginInfo: () => host.getPluginInfo(),
    getRequiredPackages: async ({ info }) => ({
      packages: (await host.getRequiredPackages(decodeProgramInfo(info))).map(encodePackage),
      specs: [],
    }),
    run: async (wire) =>
      encodeResult(
        await host.run({
          info: decodeProgramInfo(wire.info),
          monitorAddress: wire.monitorAddress,
          engineAddress,
          loaderAddress: wire.loaderTarget || undefined,
          mapperAddress: wire.mapperTarget || undefined,
          project: wire.project,
          stack: wire.stack,
          organization: wire.organization,
          config: decodeMap(wire.config),
          configSecretKeys: wire.configSecretKeys,
          dryRun: wire.dryRun,
          parallel: wire.parallel,
          args: wire.args,
          attachDebugger: wire.attachDebugger,
          onOutput,
        }),
      ),
    installDependencies: packages && ((wire) => installed(packages, wire)),
    getProgramDependencies:
      packages &&
      (async ({ info, transitiveDependencies }) => {
        const found = await packages.getProgramDependencies(decodeProgramInfo(info), transitiveDependencies);
        return { dependencies: found.map(({ name, version }) => ({ name, version })) };
      }),
    runtimeOptionsPrompts:
      packages &&
      (async ({ info }) => ({
        prompts: ((await packages.runtimeOptionsPrompts?.(decodeProgramInfo(info))) ?? []).map(encodePrompt),
      })),
    template:
      packages &&
      (async ({ info, projectName }) => {
        await packages.template?.(decodeProgramInfo(info), projectName);
        return {};
      }),
    pack:
      packages &&
      (async (wire) => ({
        artifactPath: await packages.pack(wire.packageDirectory, wire.destinationDirectory, onOutput),
      })),
    link:
      packages &&
      (async (wire) => {
        const linked = wire.packages.map(({ package: of, path }) => ({
          name: of?.parameterization?.name ?? of?.name ?? '',
          path,
        }));
        return { importInstructions: await packages.link(decodeProgramInfo(wire.info), linked) };
      }),
    generatePackage:
      packages &&
      (async ({ directory, schema, extraFiles }) => ({
        diagnostics: (await packages.generatePackage({ directory, schema, extraFiles })).map(encodeProblem),
      })),
    generateProject:
      packages &&
      (async ({ sourceDirectory, targetDirectory, project, loaderTarget, localDependencies }) => ({
        diagnostics: (
          await packages.generateProject({
            ...{ sourceDirectory, targetDirectory, project, localDependencies },
            loaderAddress: loaderTarget,
          })
        ).map(encodeProblem),
      })),
    runPlugin: (wire, context) => runPlugin(host, wire, context),
    cancel: async () => {
      await host.cancel();
      return {};
    },
  });
}

function encodeResult(result: RunResult): pb.RunResponse {
  switch (result.t) {
    case 'ok':
      return { error: '', bail: false };
    case 'bail':
      return { error: '', bail: true };
    case 'failed':
      return { error: result.message, bail: false };
    default:
      return unreachable(result);
  }
}

/** Yields the output of the package manager as it arrives. */
async function* installed(
  packages: LanguagePackages,
  { info, directory }: pb.InstallDependenciesRequest,
): AsyncGenerator<pb.InstallDependenciesResponse> {
  const chunks = new MessageQueue<pb.InstallDependenciesResponse>();
  const none = new Uint8Array();
  const onOutput: OnOutput = (stream, text) =>
    chunks.push({ stdout: none, stderr: none, [stream]: Buffer.from(text) });
  const of = decodeProgramInfo(info);
  const wanted =
    of.programDirectory === '' ? { ...of, rootDirectory: directory, programDirectory: directory } : of;
  packages.installDependencies(wanted, onOutput).then(
    () => chunks.end(),
    (error: Error) => chunks.end(error),
  );
  yield* chunks;
}

function encodeProblem({ severity, summary, detail }: GenerateProblem): codegen.Diagnostic {
  const of = codegen.DiagnosticSeverity;
  const wire = severity === 'error' ? of.DIAG_ERROR : of.DIAG_WARNING;
  return { severity: wire, summary, detail, subject: undefined, context: undefined };
}

async function* runPlugin(
  host: LanguageHost,
  wire: pb.RunPluginRequest,
  context: CallContext,
): AsyncGenerator<pb.RunPluginResponse> {
  const chunks = new MessageQueue<pb.RunPluginResponse>();
  const kind = wire.kind === '' ? 'resource' : wire.kind;
  if (!PLUGIN_KINDS.has(kind))
    throw new StatusError('INVALID_ARGUMENT', `unknown kind of plugin ${JSON.stringify(kind)}`);
  const plugin = host.runPlugin({
    kind: kind as RunPluginRequest['kind'],
    name: wire.name,
    pluginDirectory: wire.info?.programDirectory ?? wire.program,
    options: decodeProgramInfo(wire.info).options,
    loaderAddress: wire.loaderTarget || undefined,
    workingDirectory: wire.pwd,
    args: wire.args,
    env: environment(wire.env),
    onOutput: (stream, text) => chunks.push({ output: { $case: stream, value: Buffer.from(text) } }),
  });
  const stop = (): void => void plugin.kill();
  context.signal.addEventListener('abort', stop, { once: true });
  plugin.exited.then(
    (code) => {
      chunks.push({ output: { $case: 'exitcode', value: code } });
      chunks.end();
    },
    (error: Error) => chunks.end(error),
  );
  yield* chunks;
}

function environment(entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=', 1);
      return at < 0 ? [entry, ''] : [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}
