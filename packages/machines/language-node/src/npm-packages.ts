import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { generatePackage, npmNameOf, readSchema } from '@cairn/codegen';
import type {
  GeneratePackageRequest,
  GenerateProblem,
  LanguagePackages,
  LinkedPackage,
  OnOutput,
  ProgramDependency,
  ProgramInfo,
} from '@cairn/wire';
import { applyEdits, modify } from 'jsonc-parser';
import { generateProject } from './generate-project.js';
import { ToolFailed, installPackages, runTool } from './package-manager.js';
import { ownVersion } from './package-manifest.js';

/** Name that other engines have for the SDK of a language. */
const SDK = { theirs: 'pulumi', npm: '@cairn/sdk' } as const;

/**
 * Returns the packages of Node programs, through the package managers on the PATH of `environment`. The project's own
 * one installs; everything else uses `npm`.
 */
export function npmPackages(environment: Readonly<Record<string, string | undefined>>): LanguagePackages {
  const npm = (cwd: string, args: readonly string[], onOutput: OnOutput) =>
    runTool('npm', args, cwd, environment, onOutput);
  return {
    installDependencies: (info, onOutput) => installPackages(info, environment, onOutput),
    getProgramDependencies: async (info, transitive) => {
      const depth = transitive ? ['--all'] : ['--depth=0'];
      const shown = await npm(info.programDirectory, ['ls', '--json', ...depth], silent).catch(asShown);
      return dependenciesIn(JSON.parse(shown) as NpmTree);
    },
    pack: async (directory, destination, onOutput) => {
      await mkdir(destination, { recursive: true });
      const words = ['pack', '--json', '--pack-destination', destination];
      const shown = await npm(
        directory,
        words,
        (stream, text) => void (stream === 'stderr' && onOutput(stream, text)),
      );
      const [made] = JSON.parse(shown.slice(shown.indexOf('['))) as readonly { readonly filename: string }[];
      return join(destination, basename(made?.filename ?? ''));
    },
    link,
    generatePackage: generate,
    generateProject,
  };
}

const silent: OnOutput = () => undefined;

/**
 * Returns the output of a failed `npm ls`. It fails when something is missing or unexpected, and lists all the same.
 */
function asShown(thrown: unknown): string {
  if (thrown instanceof ToolFailed && thrown.stdout.trimStart().startsWith('{')) return thrown.stdout;
  throw thrown;
}

interface NpmTree {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, NpmTree>>;
}

/** Returns each package once, in the order of the list. */
function dependenciesIn(tree: NpmTree): readonly ProgramDependency[] {
  const found = new Map<string, ProgramDependency>();
  const visit = ({ dependencies = {} }: NpmTree): void => {
    for (const [name, below] of Object.entries(dependencies)) {
      const { version = '' } = below;
      if (version !== '') found.set(`${name}@${version}`, { name, version });
      visit(below);
    }
  };
  visit(tree);
  return [...found.values()];
}

/** Adds dependencies to the package.json. The rest of it stays as it is written. */
async function link(info: ProgramInfo, packages: readonly LinkedPackage[]): Promise<string> {
  const file = join(info.programDirectory, 'package.json');
  let text = await readFile(file, 'utf8').catch(() => '{}\n');
  const names: string[] = [];
  for (const { name, path } of packages) {
    const npm = name === SDK.theirs ? SDK.npm : npmNameOf(name);
    names.push(npm);
    const edits = modify(text, ['dependencies', npm], `file:${path}`, {
      formattingOptions: { insertSpaces: true, tabSize: 2 },
    });
    text = applyEdits(text, edits);
  }
  await writeFile(file, text);
  return names.map((npm) => `import * as ${localName(npm)} from '${npm}';`).join('\n');
}

function localName(npm: string): string {
  return npm
    .slice(npm.lastIndexOf('/') + 1)
    .replace(/[^\p{ID_Continue}$]+(.)?/gu, (_, next: string | undefined) => (next ?? '').toUpperCase());
}

async function generate({
  directory,
  schema,
  extraFiles,
}: GeneratePackageRequest): Promise<readonly GenerateProblem[]> {
  const { model, problems } = readSchema(schema);
  if (model !== undefined) {
    const made = [...generatePackage(model, { sdkVersion: ownVersion() })];
    for (const [path, content] of [...made, ...extraFiles]) await put(join(directory, path), content);
  }
  return problems.map(({ severity, message, pointer, hint }) => ({
    severity,
    summary: message,
    detail: `at ${pointer === '' ? 'the root of the schema' : pointer}\n${hint}`,
  }));
}

async function put(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
