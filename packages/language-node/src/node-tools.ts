import { fail, messageOf } from '@cairn/diagnostics';
import type { LanguageTools } from '@cairn/wire';
import { npmPackages } from './npm-packages.js';

/** What commands ask of Node programs, through the `npm` on the PATH of `environment`. */
export function createNodeTools(environment: Readonly<Record<string, string | undefined>>): LanguageTools {
  const packages = npmPackages(environment);
  return {
    installDependencies: ({ info }, onOutput) =>
      packages.installDependencies(info.programDirectory, onOutput).catch((error: unknown) =>
        fail(
          'CAIRN-PROGRAM-LOAD',
          `cannot install what ${info.programDirectory} depends on`,
          {
            causes: messageOf(error).split('\n'),
            hint: 'correct its package.json, then run the command again',
          },
          error,
        ),
      ),
    getProgramDependencies: (info, transitive) => packages.getProgramDependencies(info, transitive),
    about: async () => ({ executable: process.execPath, version: process.version, metadata: {} }),
    runtimeOptionsPrompts: async () => [],
  };
}
