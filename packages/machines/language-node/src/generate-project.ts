import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { generatePackage, npmNameOf, projectFiles, readSchema, readSources } from '@cairn/codegen';
import type { PackageDeclaration } from '@cairn/codegen';
import { messageOf } from '@cairn/diagnostics';
import type { GenerateProjectRequest, GenerateProblem } from '@cairn/wire';
import { Http2Caller } from '@cairn/wire/caller';
import { LoaderClient } from '@cairn/wire/schemas-client';
import { ownVersion } from './package-manifest.js';

type Models = Parameters<typeof projectFiles>[0]['models'];

/**
 * Writes a program in PCL into a folder as a project on our SDK. Packages that do not exist yet are generated into its
 * folder `sdks`. Mistakes in the program are problems, and nothing is written then.
 */
export async function generateProject(request: GenerateProjectRequest): Promise<readonly GenerateProblem[]> {
  const sources = await pclFiles(request.sourceDirectory);
  try {
    const program = readSources(sources);
    const models = await modelsOf(program.packages, request.loaderAddress);
    const main = (JSON.parse(request.project) as { readonly main?: string }).main ?? '';
    const programDirectory = join(request.targetDirectory, main);
    const { dependencies, files } = dependenciesOf(models, request);
    const made = projectFiles({ program, project: request.project, models, dependencies });
    for (const [path, text] of made) await put(join(request.targetDirectory, path), text);
    for (const [path, text] of files) await put(join(programDirectory, path), text);
    return [];
  } catch (error) {
    return [{ severity: 'error', summary: messageOf(error), detail: '' }];
  }
}

/** Reads the `.pp` files below a folder, by path from it with slashes. */
async function pclFiles(directory: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.pp'));
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }): Promise<[string, string]> => {
        const file = join(parentPath, name);
        return [relative(directory, file).split(sep).join('/'), await readFile(file, 'utf8')];
      }),
    ),
  );
}

/** Returns the models of the packages, from their schemas in the engine. */
async function modelsOf(packages: readonly PackageDeclaration[], address: string): Promise<Models> {
  if (packages.length === 0) return new Map();
  const caller = new Http2Caller(address);
  try {
    const loader = new LoaderClient(caller);
    const models = packages.map(async ({ name, version, downloadUrl, base }) => {
      const schema = await loader.getSchema({
        package: base?.name ?? name,
        version: base?.version ?? version,
        downloadUrl,
        parameterization: base && { name, version, value: base.value },
      });
      const { model, problems } = readSchema(schema);
      if (model !== undefined) return [name, model] as const;
      throw new Error(`the schema of ${name} is wrong: ${problems[0]?.message ?? ''}`);
    });
    return new Map(await Promise.all(models));
  } finally {
    caller.close();
  }
}

/** Returns the place of the SDK and of each package for npm, with the files of those that are nowhere yet. */
function dependenciesOf(
  models: Models,
  { localDependencies, targetDirectory }: GenerateProjectRequest,
): { readonly dependencies: ReadonlyMap<string, string>; readonly files: ReadonlyMap<string, string> } {
  const local = (name: string): string | undefined => {
    const path = localDependencies.get(name);
    return path === undefined ? undefined : `file:${resolve(targetDirectory, path)}`;
  };
  const dependencies = new Map([['@cairn/sdk', local('pulumi') ?? `^${ownVersion()}`]]);
  const files = new Map<string, string>();
  for (const [name, model] of models) {
    const found = local(name);
    const folder = join('sdks', name.toLowerCase());
    dependencies.set(npmNameOf(name), found ?? `file:${folder}`);
    if (found !== undefined) continue;
    for (const [path, text] of generatePackage(model, { sdkVersion: ownVersion() }))
      files.set(join(folder, path), text);
  }
  return { dependencies, files };
}

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
