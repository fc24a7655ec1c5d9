import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPluginHost } from '@cairn/plugin-host';
import type { PluginHost } from '@cairn/plugin-host';
import { spawnProcess } from '@cairn/processes';
import { getProperty } from '@cairn/values';
import { StatusError } from '@cairn/wire';
import type { EngineService, Provider } from '@cairn/wire';
import { engineService } from '@cairn/wire/engine-server';
import { healthService, startServer } from '@cairn/wire/server';
import { builtInLanguage, languagePlaces } from '@cairn/operations';
import type { Ports } from '@cairn/operations/stacks';
import type { Instance, TestObject } from './bench.js';
import { linkPackage, placeOf } from './provider-place.js';

/** Instances of one provider, in a folder of their own. */
interface Workshop {
  /** Name of the package. */
  readonly name: string;
  start(): Promise<Instance>;
  runCommand(command: string, object: TestObject): Promise<void>;
  /** Ends everything that was started and deletes the folder. */
  close(): Promise<void>;
}

/**
 * Finds a provider by a package's name, a plugin's command or a path (see {@link placeOf}), and makes instances of it.
 * They are processes of their own if the provider can run as one. Relative paths of inputs count from an empty folder
 * that is deleted in the end. `onMessage` receives the provider's messages to the user.
 */
export async function openWorkshop(
  given: string,
  ports: Pick<Ports, 'env' | 'cwd' | 'packageRoots'>,
  onMessage: (text: string) => void,
): Promise<Workshop> {
  const place = await placeOf(given, ports.cwd);
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-provider-test-'));
  if (place.npm !== undefined) await linkPackage(folder, place.npm);
  const engine = await startServer({ services: [engineService(listener(onMessage)), healthService()] });
  const hosts = new Set<PluginHost>();
  const { name, directory } = place;
  const plugins = (): PluginHost =>
    createPluginHost({
      rootDirectory: folder,
      programDirectory: folder,
      project: 'provider-test',
      engineAddress: engine.address,
      config: {},
      runtimeOptions: {},
      projectPlugins: directory === undefined ? [] : [{ name, path: directory, version: undefined }],
      projectPackages: {},
      packageRoots: [ports.cwd, ...ports.packageRoots],
      bundledDirectories: [],
      environment: { ...ports.env, CAIRN_PROVIDERS_OUT_OF_PROCESS: '1' },
      languageHost: (runtime) => builtInLanguage(ports.env, runtime),
      languages: languagePlaces(ports, undefined),
      onMessage: ({ severity, text }) => {
        if (severity !== 'debug') onMessage(text);
      },
    });
  return {
    name,
    start: async () => {
      const host = plugins();
      hosts.add(host);
      const provider = await load(host, name);
      const over = () => void hosts.delete(host);
      return {
        provider,
        close: () => host.close().finally(over),
        kill: host.processes === 0 ? undefined : () => host.kill().finally(over),
      };
    },
    runCommand: (command, object) => runShell(command, object, folder, ports.env),
    close: async () => {
      await Promise.all([...hosts].map((host) => host.close()));
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function load(host: PluginHost, name: string): Promise<Provider> {
  return host.load({
    package: name,
    version: undefined,
    downloadUrl: undefined,
    checksums: {},
    parameterization: undefined,
    envVarMappings: {},
    neededBy: undefined,
  });
}

/** Returns an engine service for a provider outside of operations. */
function listener(onMessage: (text: string) => void): EngineService {
  const nothing = () =>
    Promise.reject(new StatusError('UNIMPLEMENTED', 'no program runs: a provider is tested'));
  return {
    log: async ({ severity, message }) => {
      if (severity !== 'debug') onMessage(message);
    },
    getRootResource: async () => '',
    setRootResource: async () => undefined,
    startDebugging: nothing,
    requirePulumiVersion: async () => undefined,
  };
}

/** Runs a command of the plan in the folder that the provider works in. Its error contains the output. */
async function runShell(command: string, object: TestObject, cwd: string, env: Ports['env']): Promise<void> {
  const outputs = Object.keys(object.outputs).flatMap((key) => {
    const value = getProperty(object.outputs, key);
    return ['string', 'number', 'boolean'].includes(typeof value)
      ? [[`CAIRN_OUTPUT_${key}`, String(value)]]
      : [];
  });
  let said = '';
  const child = await spawnProcess(
    command,
    [],
    {
      cwd,
      shell: true,
      env: {
        ...env,
        CAIRN_ID: object.id,
        ...(Object.fromEntries(outputs) as Record<string, string>),
      } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
    ({ stdout, stderr }) => {
      for (const stream of [stdout, stderr])
        stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    },
  );
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the command of the file ended with ${code}: ${said.trim()}`);
}
