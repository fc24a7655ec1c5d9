import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { StatusError } from '@cairn/wire';
import type {
  LanguageHost,
  LanguagePackages,
  ProgramInfo,
  RequiredPackage,
  RunningPlugin,
  RuntimeOptionPrompt,
  RunPluginRequest,
} from '@cairn/wire';
import { runSteps } from './steps.js';

/**
 * Returns the language host of the language `steps`. A program needs the packages that `packages.json` lists. With an
 * option `environment`, nothing works before `InstallDependencies` has made a folder of that name, as with a virtual
 * environment. A plugin is a folder with a `components.json`.
 */
export function stepsHost(): LanguageHost {
  const plugins = new Set<RunningPlugin>();
  return {
    getPluginInfo: async () => ({ version: '1.2.3' }),
    getRequiredPackages: async (info) => {
      requireEnvironment(info);
      return requiredPackages(info);
    },
    run: async (request) => {
      requireEnvironment(request.info);
      return runSteps(request);
    },
    runPlugin: (request) => {
      const running = runComponents(request);
      plugins.add(running);
      return running;
    },
    cancel: async () => {},
    close: async () => {
      await Promise.all([...plugins].map((plugin) => plugin.kill()));
    },
  };
}

/** Dependencies of programs in `steps`. */
export const stepsPackages: LanguagePackages = {
  installDependencies: async ({ programDirectory }, onOutput) => {
    onOutput('stdout', 'making environments\n');
    onOutput('stderr', 'environments made\n');
    await mkdir(path.join(programDirectory, 'environment'), { recursive: true });
  },
  getProgramDependencies: async (info, transitive) => [
    ...requiredPackages(info).map(({ name, version }) => ({ name, version })),
    ...(transitive ? [{ name: 'below', version: '0.1.0' }] : []),
  ],
  runtimeOptionsPrompts: async ({ options }) => prompts(options),
  template: async ({ rootDirectory, options }, projectName) =>
    writeFile(path.join(rootDirectory, 'adapted.json'), JSON.stringify({ projectName, options })),
  pack: () => none('pack'),
  link: async ({ rootDirectory }, packages) => {
    const linked = Object.fromEntries(packages.map(({ name, path: at }) => [name, at]));
    await writeFile(path.join(rootDirectory, 'linked.json'), JSON.stringify(linked));
    return `say ${Object.keys(linked).join(', ')}\n`;
  },
  generatePackage: async ({ directory, schema }) => {
    const { resources } = JSON.parse(schema) as { readonly resources: object };
    await mkdir(directory, { recursive: true });
    await writeFile(path.join(directory, 'words.json'), JSON.stringify(Object.keys(resources)));
    return [{ severity: 'warning', summary: 'steps has few words', detail: '' }];
  },
  generateProject: () => none('projects'),
};

/** Returns the prompts of a program: its `pace`, and for a walk its `shoes`, of which there is one kind. */
function prompts(options: ProgramInfo['options']): readonly RuntimeOptionPrompt[] {
  const choice = (value: string) => ({ value, label: value });
  const ask = (key: string, ...values: string[]): RuntimeOptionPrompt => ({
    ...{ key, description: `The ${key}`, type: 'string' },
    choices: values.map(choice),
    default: choice(values[0] ?? ''),
  });
  if (options['pace'] === undefined) return [ask('pace', 'walk', 'run')];
  return options['pace'] === 'walk' && options['shoes'] === undefined ? [ask('shoes', 'boots')] : [];
}

const none = (what: string): Promise<never> =>
  Promise.reject(new StatusError('UNIMPLEMENTED', `the language steps has no ${what}`));

function requireEnvironment({ programDirectory, options }: ProgramInfo): void {
  const { environment } = options;
  if (typeof environment !== 'string' || existsSync(path.join(programDirectory, environment))) return;
  throw new StatusError('UNKNOWN', `the environment ${environment} is not there\nit must be installed first`);
}

function requiredPackages({ programDirectory }: ProgramInfo): readonly RequiredPackage[] {
  const file = path.join(programDirectory, 'packages.json');
  if (!existsSync(file)) return [];
  const listed = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return Object.entries(listed).map(([name, version]) => ({ name, version, server: '' }));
}

/** Runs a plugin in a process of its own, as languages with an interpreter do. */
function runComponents(request: RunPluginRequest): RunningPlugin {
  requireEnvironment({
    ...{ rootDirectory: request.pluginDirectory, programDirectory: request.pluginDirectory, entryPoint: '.' },
    options: request.options ?? {},
  });
  const script = fileURLToPath(new URL('../../bin/steps-components.js', import.meta.url));
  const child = spawn(process.execPath, [script, request.pluginDirectory, ...request.args], {
    cwd: request.workingDirectory,
    env: request.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk: Buffer) => request.onOutput(stream, chunk.toString()));
  return {
    exited: new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1))),
    kill: async () => void child.kill('SIGKILL'),
  };
}
