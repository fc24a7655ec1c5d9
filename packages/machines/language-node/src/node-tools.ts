import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fail, messageOf } from '@cairn/diagnostics';
import type { LanguageHost, LanguageTools, ProgramInfo } from '@cairn/wire';
import { npmPackages } from './npm-packages.js';
import { ownVersion } from './package-manifest.js';
import { packageManagerOf, runTool } from './package-manager.js';

/** Returns the tools of commands for Node programs, through the package managers on the PATH of `environment`. */
export function createNodeTools(
  environment: Readonly<Record<string, string | undefined>>,
): LanguageTools & Pick<LanguageHost, 'getPluginInfo'> {
  const packages = npmPackages(environment);
  return {
    getPluginInfo: async () => ({ version: ownVersion() }),
    installDependencies: ({ info }, onOutput) =>
      packages.installDependencies(info, onOutput).catch((error: unknown) =>
        fail(
          'CAIRN-PROGRAM-LOAD',
          `cannot install the dependencies of ${info.programDirectory}`,
          {
            causes: messageOf(error).split('\n'),
            hint: 'Correct its package.json, then run the command again.',
          },
          error,
        ),
      ),
    getProgramDependencies: (info, transitive) => packages.getProgramDependencies(info, transitive),
    about: async (info) => ({
      ...{ executable: process.execPath, version: process.version },
      metadata: await toolsOf(info, environment),
    }),
    runtimeOptionsPrompts: async () => [],
    template: async () => {},
  };
}

/** Returns the tools that install and compile a program, as far as they are there. */
async function toolsOf(
  info: ProgramInfo,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string>>> {
  const packagemanager = packageManagerOf(info, environment);
  const version = await runTool(
    packagemanager,
    ['--version'],
    info.programDirectory,
    environment,
    () => undefined,
  ).catch(() => '');
  const typescript = typescriptVersion(info.programDirectory);
  return {
    packagemanager,
    ...(version.trim() === '' ? {} : { packagemanagerVersion: version.trim() }),
    ...(typescript === undefined ? {} : { typescriptVersion: typescript }),
  };
}

/** Returns the version of the compiler that the program would load. */
function typescriptVersion(directory: string): string | undefined {
  try {
    const load = createRequire(join(directory, 'noop.js'));
    return (load('typescript/package.json') as { readonly version?: string }).version;
  } catch {
    return undefined;
  }
}
