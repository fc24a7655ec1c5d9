import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  isDefaultProviderName,
  isProviderType,
  parseProviderReference,
  urnName,
  urnType,
} from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { programCode, resourceClasses } from '@cairn/codegen';
import type { SdkDialect } from '@cairn/codegen';
import type { CommandContext } from '../command-context.js';
import { openState, runsNode } from '@cairn/operations';
import type { PlacedImport, Prepared } from '@cairn/operations';

/** Writes the code that declares the imported resources to the file `out` or to stdout. */
export async function generateCode(
  context: CommandContext,
  prepared: Prepared,
  placed: PlacedImport,
  { out, json }: { readonly out: string | undefined; readonly json: boolean },
): Promise<void> {
  if (out === undefined && json) return;
  if (!runsNode(prepared.project.runtime?.name)) {
    context.stderr.write('No code was generated: the project has no nodejs program.\n');
    return;
  }
  const { deployment } = await prepared.backend.read(prepared.id);
  const { resources } = deployment === undefined ? emptySnapshot : await openState(prepared, deployment);
  const imported = toDeclare(resources, placed);
  const { programDirectory } = prepared.program;
  const dependencies = dependenciesOf(programDirectory);
  const sdk = sdkOf(dependencies, prepared.project.location.file);
  const code = programCode({
    sdk,
    resources: imported,
    names: placed.names,
    variables: placed.variables,
    classes: resourceClasses(sdk, programDirectory, dependencies, new Set(imported.map(({ type }) => type))),
    versions: versionsOf(placed),
  });
  await write(context, out, code);
}

async function write(context: CommandContext, out: string | undefined, code: string): Promise<void> {
  if (out === undefined) {
    context.stderr.write(
      'Add this to the program, so that the next up does not delete what was imported:\n\n',
    );
    context.stdout.write(code);
    return;
  }
  await writeFile(path.resolve(context.cwd, out), code).catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot write ${out}`, { causes: [messageOf(error)] }, error);
  });
  context.stderr.write(`Wrote the code of what was imported to ${out}\n`);
}

/** Returns the imported resources, and the providers that came with the list. */
function toDeclare(resources: readonly ResourceEntry[], placed: PlacedImport): readonly ResourceEntry[] {
  const wanted = new Set<Urn>(placed.urns);
  const listed = resources.filter(({ urn, delete: gone }) => wanted.has(urn) && !gone);
  const providers = new Set<Urn>(placed.urns.filter((urn) => isProviderType(urnType(urn))));
  for (const { provider } of listed) {
    const urn = provider === undefined ? undefined : parseProviderReference(provider).urn;
    if (urn !== undefined && !isDefaultProviderName(urnName(urn)) && !placed.names.has(urn))
      providers.add(urn);
  }
  return [
    ...resources.filter(({ urn, delete: gone }) => providers.has(urn) && !gone),
    ...listed.filter(({ urn }) => !providers.has(urn)),
  ];
}

/** Returns the versions that the list requires. Without them, the program would get the provider of another version. */
function versionsOf({ items, urns }: PlacedImport): ReadonlyMap<Urn, string> {
  return new Map(items.map((item, index) => [urns[index] as Urn, item.package.version]));
}

/** Returns the names of the packages that the nearest package.json requires. */
function dependenciesOf(directory: string): readonly string[] {
  try {
    const text = readFileSync(path.join(directory, 'package.json'), 'utf8');
    const manifest = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((section) =>
      Object.keys((manifest[section] as object | undefined) ?? {}),
    );
  } catch {
    const parent = path.dirname(directory);
    return parent === directory ? [] : dependenciesOf(parent);
  }
}

/** Returns the SDK of the program. */
export function programSdk({ program, project }: Prepared): SdkDialect {
  return sdkOf(dependenciesOf(program.programDirectory), project.location.file);
}

/**
 * Returns the SDK that the program depends on. If that is unclear, it is the one that the project file is named after.
 */
function sdkOf(dependencies: readonly string[], projectFile: string): SdkDialect {
  const pulumi = dependencies.includes('@pulumi/pulumi');
  const own = dependencies.includes('@cairn/sdk');
  if (pulumi !== own) return pulumi ? 'pulumi' : 'cairn';
  return path.basename(projectFile).toLowerCase().startsWith('pulumi') ? 'pulumi' : 'cairn';
}
