import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fail } from '@cairn/diagnostics';
import type { PluginMessage } from '@cairn/plugin-host';
import type { GenerateProblem, OnOutput, PackageParameterization, ProgramInfo } from '@cairn/wire';
import { StatusError } from '@cairn/wire';
import { loaderService } from '@cairn/wire/schemas-server';
import { healthService, sameUserGuard, startServer } from '@cairn/wire/server';
import type { Project } from '@cairn/workspace';
import { languagePlugin } from '../languages/languages.js';
import type { LanguagePorts } from '../languages/languages.js';

/** A package that a program in another language than Node's comes to depend on. */
export interface LanguagePackage {
  readonly project: Project;
  readonly runtime: string;
  readonly info: ProgramInfo;
  /** Of the package; `version` may be empty. */
  readonly name: string;
  readonly version: string;
  /** JSON. */
  readonly schema: string;
  /** The plugin that serves it, where parameters make it from that. */
  readonly base?: { readonly name: string; readonly version: string; readonly value: Uint8Array } | undefined;
  /** Folder of the generated code. */
  readonly folder: string;
  /** Told what tools write. */
  readonly onOutput: OnOutput;
  readonly onMessage: (message: PluginMessage) => void;
}

/** What has come of it. */
export interface AddedByLanguage {
  readonly warnings: readonly GenerateProblem[];
  /** How programs import it, for people; empty: they need not. */
  readonly instructions: string;
}

/**
 * Has the plugin of the program's language generate the code of a package, make the program depend on it and install
 * that. Fails with CAIRN-SCHEMA-INVALID when no code can be generated, and as questions to a language do.
 */
export async function addByLanguage(ports: LanguagePorts, added: LanguagePackage): Promise<AddedByLanguage> {
  const { project, runtime, info, folder, schema } = added;
  const language = languagePlugin(ports, { runtime, info, project, onMessage: added.onMessage });
  const loader = await serveSchema(added);
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(path.dirname(folder), { recursive: true });
    const problems = await language.generatePackage({
      ...{ directory: folder, schema, extraFiles: new Map(), local: true },
      loaderAddress: loader.address,
    });
    refuseErrors(added, problems);
    const root = project.location.directory;
    const instructions = await language.link({
      info,
      package: { ...wanted(added), server: '' },
      path: path.relative(root, folder),
      loaderAddress: loader.address,
    });
    await language.installDependencies({ info }, added.onOutput);
    return { warnings: problems, instructions: instructions ?? '' };
  } finally {
    await language.close();
    await loader.close();
  }
}

function wanted({ name, version, base }: LanguagePackage): {
  readonly name: string;
  readonly version: string;
  readonly parameterization?: PackageParameterization;
} {
  if (base === undefined) return { name, version };
  const { value } = base;
  return { name: base.name, version: base.version, parameterization: { name, version, value } };
}

function refuseErrors({ name, runtime }: LanguagePackage, problems: readonly GenerateProblem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  fail('CAIRN-SCHEMA-INVALID', `no ${runtime} code can be generated for the package ${name}`, {
    causes: errors.map(({ summary, detail }) => (detail === '' ? summary : `${summary}: ${detail}`)),
    hint: 'report it to the authors of the package',
  });
}

/** Generators ask for the schema of what they generate; of other packages nothing is known here. */
function serveSchema({ name, schema, base }: LanguagePackage) {
  const loader = loaderService({
    getSchema: async ({ package: asked }) => {
      if (asked === name || asked === base?.name) return schema;
      throw new StatusError('NOT_FOUND', `no schema of ${asked}`);
    },
  });
  const guard = sameUserGuard({ takesUnknown: () => true });
  return startServer({ services: [loader, healthService()], guard });
}
