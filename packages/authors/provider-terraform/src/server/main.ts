import process from 'node:process';
import {
  HOST_VARIABLES,
  answeredVersion,
  printHandshakeLine,
  printReattach,
  readHostOffer,
} from '@cairn/tfplugin';
import type { HostOffer } from '@cairn/tfplugin';
import { startServer, whenParentEnds } from '@cairn/wire/server';
import type { RunningServer, Service } from '@cairn/wire/server';
import type { ProviderDefinition } from '@cairn/provider-sdk/protocols';
import type { Protocol } from '../fields.js';
import { TerraformProvider } from '../index.js';
import { CallResponder } from './call-messages.js';
import { pluginLog } from './log.js';
import type { PluginLog } from './log.js';
import { OutputTap } from './output-tap.js';
import { listenFor, listenAddress } from './place.js';
import { terraformService } from './provider-service.js';
import { supportServices } from './support-services.js';

/** Options for serving a provider to Terraform and OpenTofu. */
export interface TerraformMainOptions {
  /**
   * Source address of the provider, for `-debug`, for example `acme/boxes`. Defaults to `cairn/` and the package's
   * name.
   */
  readonly source?: string | undefined;
}

/** Supported protocols. */
const OWN_VERSIONS: readonly Protocol[] = [5, 6];

/**
 * Serves a provider as a plugin process of Terraform and OpenTofu. Relative paths are relative to the folder in which
 * it was started: that of the program. With `-debug` it is started by hand and serves one host after the other.
 */
// [TFP-9] [TFP-10]
export async function serveTerraform(
  definition: ProviderDefinition,
  options: TerraformMainOptions = {},
): Promise<void> {
  const [, , flag, source = options.source ?? `cairn/${definition.name}`] = process.argv;
  const isDebug = flag === '-debug' || flag === '--debug';
  const offer = readHostOffer(process.env);
  if (isDebug) return attachable(definition, source);
  if (offer === undefined) {
    process.stderr.write(startedByHand(definition.name, source));
    process.exitCode = 1;
    return;
  }
  await plugin(definition, offer);
}

/** Runs as a child of a host, which reads the address and ends the process. */
async function plugin(definition: ProviderDefinition, offer: HostOffer): Promise<void> {
  const parent = process.ppid;
  // Processes started by handlers are not plugins of that host.
  for (const name of HOST_VARIABLES) delete process.env[name];
  const protocol = answeredVersion(OWN_VERSIONS, offer.versions) as Protocol;
  const own = offer.clientCertificate === undefined ? undefined : await certificateFor();
  const tls = own && {
    clientCertificate: offer.clientCertificate as string,
    certificate: own.certificate,
    key: own.key,
  };
  const running = await serve(definition, protocol, (services) =>
    listenFor(offer, (address) => startServer({ services, address, tls })),
  );
  // The terminal sends it to the whole group; the host decides how to react.
  process.on('SIGINT', () => {});
  process.once('SIGTERM', running.stop);
  whenParentEnds(parent, running.stop);
  const said = { protocolVersion: protocol, ...listenAddress(running.address), certificate: own?.der };
  process.stdout.write(printHandshakeLine(said));
  running.output.take(process.stdout);
}

/** Runs as a process started by a person. Hosts read its address from a variable and never end it. */
async function attachable(definition: ProviderDefinition, source: string): Promise<void> {
  const protocol = 6;
  const running = await serve(definition, protocol, (services) =>
    listenFor({ socketDirectory: undefined, ports: undefined }, (address) =>
      startServer({ services, address }),
    ),
  );
  process.once('SIGINT', running.stop);
  process.once('SIGTERM', running.stop);
  const { pid } = process;
  const said = { protocolVersion: protocol, ...listenAddress(running.address), pid, test: true };
  process.stdout.write(`TF_REATTACH_PROVIDERS='${printReattach(source, said)}'\n`);
}

/** Returns the provider service of a definition, for a server of the caller. It starts nothing and ends nothing. */
export function terraformProviderService(definition: ProviderDefinition, protocol: Protocol = 6): Service {
  const calls = new CallResponder({ write: () => {} });
  return terraformService(new TerraformProvider(definition, { protocol, onMessage: calls.hear }), calls);
}

interface Running {
  readonly address: string;
  readonly output: OutputTap;
  readonly stop: () => void;
}

async function serve(
  definition: ProviderDefinition,
  protocol: Protocol,
  listen: (services: readonly Service[]) => Promise<RunningServer>,
): Promise<Running> {
  const log = pluginLog(`provider.terraform-provider-${definition.name}`, process.env, (line) => {
    process.stderr.write(line);
  });
  reportCrashes(log);
  const calls = new CallResponder(log);
  const provider = new TerraformProvider(definition, { protocol, onMessage: calls.hear });
  const output = new OutputTap();
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    output.close();
    void provider
      .stop()
      .then(() => server.close(GRACE_MS))
      .then(() => provider.close())
      .finally(() => process.exit(0));
  };
  const services = [terraformService(provider, calls), ...supportServices(output, stop)];
  const server = await listen(services);
  log.write('debug', 'listening', { address: server.address, protocol });
  return { address: server.address, output, stop };
}

/** Loads the code for certificates, when a host asks for encryption. */
async function certificateFor() {
  const { makeCertificate } = await import('@cairn/tfplugin/tls');
  return makeCertificate();
}

/** Reports crashes. Hosts show the text after a line that begins like this. */
function reportCrashes(log: PluginLog): void {
  process.on('uncaughtException', (error) => {
    log.write('error', 'the provider has crashed');
    process.stderr.write(
      `panic: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(2);
  });
}

/** Time limit for running calls to stop. A host kills the process after two seconds. */
const GRACE_MS = 1500;

/** Returns the text shown to a person who starts a provider by hand. */
function startedByHand(name: string, source: string): string {
  return [
    `This is the provider ${name} for Terraform and OpenTofu, which start it themselves.`,
    'To have them find it, name its folder under dev_overrides in the file that TF_CLI_CONFIG_FILE names:',
    `  provider_installation { dev_overrides { "${source}" = "FOLDER" } direct {} }`,
    'or start it with -debug and set the variable that it then prints.',
    '',
  ].join('\n');
}
