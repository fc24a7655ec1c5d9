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
  /** Project whose plugins are searched first, if there is one. */
  readonly project?: Project | undefined;
  readonly runtime: string;
  readonly info: ProgramInfo;
  /** Name of the package; `version` may be empty. */
  readonly name: string;
  readonly version: string;
  /** JSON. */
  readonly schema: string;
  /** The plugin that serves it, if it becomes this package by parameters. */
  readonly base?: { readonly name: string; readonly version: string; readonly value: Uint8Array } | undefined;
  /** Returns the schema of another package, as JSON; `version` may be empty. Rejects when it is not available. */
  readonly schemaOf: (name: string, version: string) => Promise<string>;
  /** Folder of the generated code; its contents are removed. */
  readonly folder: string;
  /** True if the code stays in the folder of one program, and is not published. */
  readonly local: boolean;
  readonly onMessage: (message: PluginMessage) => void;
}

/** A new dependency of a program, with code that the plugin of its language makes. */
interface LanguagePackage extends Omit<GeneratedPackage, 'local'> {
  readonly project: Project;
  /** Server to download the plugin from; may be empty. */
  readonly server: string;
  /** Receives output of tools. */
  readonly onOutput: OnOutput;
}

/** Result of an addition. */
interface AddedByLanguage {
  readonly warnings: readonly GenerateProblem[];
  /** Import instructions for the user; empty if none are needed. */
  readonly instructions: string;
}

/**
 * Lets the plugin of a language generate the code of a package. Returns the omissions. Fails with CAIRN-SCHEMA-INVALID
 * when no code can be generated, and like questions to a language.
 */
export function generateByLanguage(
  ports: LanguagePorts,
  made: GeneratedPackage,
): Promise<readonly GenerateProblem[]> {
  return withGenerated(ports, made, async (_language, problems) => problems);
}

/**
 * Lets the plugin of the program's language generate the code of a package, adds it to the program's dependencies and
 * installs them. Fails like {@link generateByLanguage}.
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

/** Generates code, then passes the plugin to `then` and ends it afterwards. */
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
  fail('CAIRN-SCHEMA-INVALID', `cannot generate ${runtime} code for the package ${name}`, {
    causes: errors.map(({ summary, detail }) => (detail === '' ? summary : `${summary}: ${detail}`)),
    hint: 'Report it to the authors of the package.',
  });
}

function serveSchemas(made: GeneratedPackage) {
  const guard = sameUserGuard({ takesUnknown: () => true });
  return startServer({ services: [loaderService(schemasOfPackage(made)), healthService()], guard });
}
