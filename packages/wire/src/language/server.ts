import { unreachable } from '@cairn/diagnostics';
import type { LanguageHost, RunPluginRequest, RunResult } from '../contracts/language.js';
import { StatusError } from '../contracts/status.js';
import * as pb from '../generated/pulumi/language.js';
import { decodeMap } from '../protobuf/maps.js';
import { MessageQueue } from '../rpc/message-queue.js';
import { service } from '../rpc/service.js';
import type { CallContext, Service } from '../rpc/service.js';
import { decodeInfo, encodePackage } from './program-info.js';

const PLUGIN_KINDS: ReadonlySet<string> = new Set(['resource', 'analyzer', 'converter', 'tool']);

/** What a served language host is told besides the requests. */
export interface LanguageServiceOptions {
  /** Address of the engine that started the host; a handshake replaces it. */
  readonly engineAddress: string;
  /** Where the program's output goes; a host's own standard streams, usually. */
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** Serves a language host. */
export function languageService(host: LanguageHost, options: LanguageServiceOptions): Service {
  let { engineAddress } = options;
  return service(pb.LanguageRuntimeDefinition, {
    handshake: async (wire) => {
      engineAddress = wire.engineAddress;
      return {};
    },
    getPluginInfo: () => host.getPluginInfo(),
    getRequiredPackages: async ({ info }) => ({
      packages: (await host.getRequiredPackages(decodeInfo(info))).map(encodePackage),
      specs: [],
    }),
    run: async (wire) =>
      encodeResult(
        await host.run({
          info: decodeInfo(wire.info),
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
          onOutput: options.onOutput,
        }),
      ),
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
    pluginDirectory: wire.info?.programDirectory ?? wire.program,
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
