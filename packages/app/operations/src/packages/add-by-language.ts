import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fail } from '@cairn/diagnostics';
import type { LanguagePlugin, PluginMessage } from '@cairn/plugin-host';
import type { GenerateProblem, OnOutput, PackageParameterization, ProgramInfo } from '@cairn/wire';
import { loaderService } from '@cairn/wire/schemas-server';
import { healthService, sameUserGuard, startServer } from '@cairn/wire/server';
import type { Project } from '@cairn/workspace';
import { languagePlugin } from '../languages/languages.js';
import type { LanguagePorts } from '../languages/languages.js';
import { schemasOfPackage } from './package-schemas.js';

/** A package whose code the plugin of a language writes. */
interface GeneratedPackage {
  /** Whose plugins are looked at first; absent: there is none. */
  readonly project?: Project | undefined;
  readonly runtime: string;
  readonly info: ProgramInfo;
  /** Of the package; `version` may be empty. */
  readonly name: string;
  readonly version: string;
  /** JSON. */
  readonly schema: string;
  /** The plugin that serves it, where parameters make it from that. */
  readonly base?: { readonly name: string; readonly version: string; readonly value: Uint8Array } | undefined;
  /** The schema of another package, as JSON; `version` may be empty. Rejects when it cannot be had. */
  readonly schemaOf: (name: string, version: string) => Promise<string>;
  /** Folder of the generated code; what is in it is removed. */
  readonly folder: string;
  /** The code stays in the folder of one program, and is not published. */
  readonly local: boolean;
  readonly onMessage: (message: PluginMessage) => void;
}

/** A package that a program comes to depend on, with code that the plugin of its language makes. */
interface LanguagePackage extends Omit<GeneratedPackage, 'local'> {
  readonly project: Project;
  /** Where the plugin is downloaded from; empty: not said. */
  readonly server: string;
  /** Told what tools write. */
  readonly onOutput: OnOutput;
}

/** What has come of it. */
interface AddedByLanguage {
  readonly warnings: readonly GenerateProblem[];
  /** How programs import it, for people; empty: they need not. */
  readonly instructions: string;
}

/**
 * Has the plugin of a language generate the code of a package. Answers what was left out. Fails with
 * CAIRN-SCHEMA-INVALID when no code can be generated, and as questions to a language do.
 */
export function generateByLanguage(
  ports: LanguagePorts,
  made: GeneratedPackage,
): Promise<readonly GenerateProblem[]> {
  return withGenerated(ports, made, async (_language, problems) => problems);
}

/**
 * Has the plugin of the program's language generate the code of a package, make the program depend on it and install
 * that. Fails as {@link generateByLanguage}.
 */
export function addByLanguage(ports: LanguagePorts, added: LanguagePackage): Promise<AddedByLanguage> {
  const { project, info, folder, onOutput } = added;
  return withGenerated(ports, { ...added, local: true }, async (language, problems, loaderAddress) => {
    const root = project.location.directory;
    const instructions = await language.link({
      info,
      package: { ...wanted(added), server: added.server },
      path: path.relative(root, folder),
      loaderAddress,
    });
    await language.installDependencies({ info }, onOutput);
    return { warnings: problems, instructions: instructions ?? '' };
  });
}

/** Generates, then hands over the plugin, which ends with what is done with it. */
async function withGenerated<T>(
  ports: LanguagePorts,
  made: GeneratedPackage,
  then: (language: LanguagePlugin, problems: readonly GenerateProblem[], loaderAddress: string) => Promise<T>,
): Promise<T> {
  const { folder: directory, schema, local } = made;
  const language = languagePlugin(ports, made);
  const loader = await serveSchemas(made);
  try {
    await rm(directory, { recursive: true, force: true });
    await mkdir(path.dirname(directory), { recursive: true });
    const problems = await language.generatePackage({
      ...{ directory, schema, extraFiles: new Map(), local },
      loaderAddress: loader.address,
    });
    refuseErrors(made, problems);
    return await then(language, problems, loader.address);
  } finally {
    await language.close();
    await loader.close();
  }
}

function wanted({ name, version, base }: Omit<GeneratedPackage, 'local'>): {
  readonly name: string;
  readonly version: string;
  readonly parameterization?: PackageParameterization;
} {
  if (base === undefined) return { name, version };
  const { value } = base;
  return { name: base.name, version: base.version, parameterization: { name, version, value } };
}

function refuseErrors({ name, runtime }: GeneratedPackage, problems: readonly GenerateProblem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  fail('CAIRN-SCHEMA-INVALID', `no ${runtime} code can be generated for the package ${name}`, {
    causes: errors.map(({ summary, detail }) => (detail === '' ? summary : `${summary}: ${detail}`)),
    hint: 'report it to the authors of the package',
  });
}

function serveSchemas(made: GeneratedPackage) {
  const guard = sameUserGuard({ takesUnknown: () => true });
  return startServer({ services: [loaderService(schemasOfPackage(made)), healthService()], guard });
}
