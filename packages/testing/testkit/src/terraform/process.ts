import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { GRPCControllerDefinition, GRPCStdioDefinition } from '@cairn/tfplugin/plugin';
import { makeCertificate } from '@cairn/tfplugin/tls';
import { startServer } from '@cairn/wire/server';
import type { Service } from '@cairn/wire/server';
import { DirectoryStore } from './object-store.js';
import { ScriptedTerraformProvider } from './scripted-provider.js';
import type { Crash, ScriptedProviderOptions } from './scripted-provider.js';

/** Faults of a provider's process at its start. Without any it starts correctly. */
interface StartScript {
  /** Text written instead of the handshake, for so many starts. The process then remains. */
  readonly line?: string;
  readonly times?: number;
  /** True if it never announces its address. */
  readonly silent?: boolean;
  /** True if it accepts no cookie. */
  readonly refusesCookie?: boolean;
  /** Text written to stderr before anything else. */
  readonly stderr?: string;
  /** Exit status with which it ends before the handshake. */
  readonly exit?: number;
  /** Version that it announces. */
  readonly version?: number;
  /** Certificate that it shows: another one, or none. */
  readonly certificate?: 'other' | 'none';
  readonly tcp?: boolean;
  /** Reaction to a request to shut down. By default it ends. */
  readonly shutdown?: 'hang' | 'refuse';
}

/** Settings of a scripted provider's process, from the file in `TERRAFORM_SCRIPT`: JSON. */
export interface ProcessScript extends Omit<
  ScriptedProviderOptions,
  'code' | 'store' | 'onCall' | 'onAnswer'
> {
  /** Folder of its objects. Without it they exist as long as the process. */
  readonly directory?: string;
  /** File that receives a line for each call, and one for each answer about objects. */
  readonly calls?: string;
  readonly start?: StartScript;
}

const COOKIE = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';

/** Returns the script of this process. Empty if no file is named. */
export function processScript(env: NodeJS.ProcessEnv = process.env): ProcessScript {
  const file = env['TERRAFORM_SCRIPT'];
  return file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as ProcessScript);
}

/** Serves a provider as a plugin of Terraform until a host asks it to shut down [TFP-2]. */
export async function serveProvider(
  script: ProcessScript,
  make = (options: ScriptedProviderOptions, crash: Crash) => new ScriptedTerraformProvider(options, crash),
): Promise<void> {
  const { start = {}, calls, directory, ...definition } = script;
  const { env } = process;
  if (start.stderr !== undefined) writeSync(2, start.stderr);
  if (env['TF_PLUGIN_MAGIC_COOKIE'] !== COOKIE || start.refusesCookie === true) {
    writeSync(2, 'This program is a provider of infrastructure and is started by other programs.\n');
    process.exit(1);
  }
  if (start.exit !== undefined) process.exit(start.exit);
  process.on('SIGINT', () => {});
  if (start.line !== undefined) writeSync(1, start.line.repeat(start.times ?? 1));
  if (start.line !== undefined || start.silent === true) return void setInterval(() => {}, 60_000);
  const offered = (env['PLUGIN_PROTOCOL_VERSIONS'] ?? '').split(',');
  const protocol = definition.protocol ?? (offered.includes('6') ? 6 : 5);
  const provider = make(
    {
      ...definition,
      protocol,
      ...(directory !== undefined && { store: new DirectoryStore(directory) }),
      ...(calls !== undefined && {
        onCall: (call) => writeLine(calls, call),
        onAnswer: (answer) => writeLine(calls, answer),
      }),
    },
    crashed,
  );
  const { address, shown } = await listen([provider.service(), controller(start), stdio], start);
  const [network, place] = address.startsWith('unix:') ? ['unix', address.slice(5)] : ['tcp', address];
  writeSync(1, `1|${start.version ?? protocol}|${network}|${place}|grpc|${shown}\n`);
}

async function listen(services: readonly Service[], start: StartScript) {
  const client = process.env['PLUGIN_CLIENT_CERT'];
  const address =
    start.tcp === true
      ? '127.0.0.1:0'
      : `unix:${path.join(tmpdir(), `plugin${randomBytes(6).toString('hex')}`)}`;
  if (client === undefined || start.certificate === 'none') {
    const server = await startServer({ services, address });
    return { address: server.address, shown: '' };
  }
  const own = await makeCertificate();
  const { der } = start.certificate === 'other' ? await makeCertificate() : own;
  const tls = { certificate: own.certificate, key: own.key, clientCertificate: client };
  const server = await startServer({ services, address, tls });
  return { address: server.address, shown: Buffer.from(der).toString('base64').replace(/=+$/, '') };
}

function controller({ shutdown }: StartScript): Service {
  const { fullName, methods } = GRPCControllerDefinition;
  const handler = async (): Promise<Uint8Array> => {
    if (shutdown === 'hang') return new Promise<never>(() => {});
    if (shutdown === undefined) setImmediate(() => process.exit(0));
    return new Uint8Array();
  };
  return {
    name: fullName,
    unary: new Map([[`/${fullName}/${methods.shutdown.name}`, handler]]),
    streams: new Map(),
  };
}

function writeLine(file: string, line: object): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** The stream of a serving plugin's output. It stays open without data. */
const stdio: Service = {
  name: GRPCStdioDefinition.fullName,
  unary: new Map(),
  streams: new Map([
    [
      `/${GRPCStdioDefinition.fullName}/${GRPCStdioDefinition.methods.streamStdio.name}`,
      async function* (_body, { signal }) {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        yield* [];
      },
    ],
  ]),
};

async function crashed(text: string): Promise<never> {
  writeSync(2, `panic: ${text}\n\ngoroutine 1 [running]:\nmain.scripted()\n`);
  process.exit(2);
}
