import { languageService } from '@cairn/wire/language-server';
import { healthService, startServer } from '@cairn/wire/server';
import type { Service } from '@cairn/wire/server';
import { stepsHost, stepsPackages } from './steps-host.js';

/** Misbehaviour of `pulumi-language-steps`, from the variable STEPS_HOST. */
type Misbehaviour =
  /** Ends before it prints its port. */
  | 'dies'
  /** Never prints its port. */
  | 'silent'
  /** Writes another text in place of its port. */
  | 'garbage'
  /** Prints a port without a server. */
  | 'nobody'
  /** Prints the port of a server that does not speak gRPC. */
  | 'stranger'
  /** Receives the first call and never answers it. */
  | 'deaf'
  /** Supports only the calls of early hosts. */
  | 'old';

/** Calls that early hosts do not support. */
const NEWER: readonly string[] = [
  'GetRequiredPackages',
  'GetPluginInfo',
  'RunPlugin',
  'InstallDependencies',
  'GetProgramDependencies',
  'Cancel',
];

/** Runs the language plugin of the language `steps` [PLUG-4]. */
export async function main(): Promise<void> {
  const host = stepsHost();
  const engineAddress = process.argv.at(-1) ?? '';
  const languages = languageService(host, {
    engineAddress,
    onOutput: (stream, text) => void process[stream].write(text),
    packages: stepsPackages,
  });
  const leave = (): void => void host.close().then(() => process.exit(0));
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  process.stderr.write('steps: starting\n');
  const how = process.env['STEPS_HOST'] as Misbehaviour | undefined;
  if (how === 'dies') process.exit(7);
  if (how === 'garbage') process.stdout.write('Welcome to steps!\n');
  if (how === 'nobody') process.stdout.write('1\n');
  if (how === 'stranger') process.stdout.write(`${await strangersPort()}\n`);
  if (how === 'silent' || how === 'nobody' || how === 'garbage' || how === 'stranger') {
    setInterval(() => undefined, 60_000);
    return;
  }
  const services = [
    how === 'old' ? old(languages) : how === 'deaf' ? deaf(languages) : languages,
    healthService(),
  ];
  const server = await startServer({ services });
  process.stdout.write(`${server.port}\n`);
}

async function strangersPort(): Promise<number> {
  const { createServer } = await import('node:http');
  const server = createServer((_, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { readonly port: number }).port;
}

function old({ name, unary, streams }: Service): Service {
  const known = <T>(methods: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...methods].filter(([path]) => !NEWER.some((method) => path.endsWith(`/${method}`))));
  return { name, unary: known(unary), streams: known(streams) };
}

function deaf({ name, unary, streams }: Service): Service {
  return {
    name,
    unary: new Map([...unary.keys()].map((path) => [path, () => new Promise(() => {})])),
    streams,
  };
}
