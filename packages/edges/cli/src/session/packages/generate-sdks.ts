import path from 'node:path';
import type { PackageModel } from '@cairn/codegen';
import { EXIT } from '@cairn/diagnostics';
import { generateByLanguage, programInfo } from '@cairn/operations';
import type { Flags } from '../../command-spec.js';
import type { World } from '../../world.js';
import { portsOf } from '../ports.js';
import { projectHere, schemaOfOther } from './obtain-schema.js';
import { languageSchema } from './language-schema.js';
import type { ObtainedPackage } from './obtain-schema.js';

/** Other names of languages that have a plugin. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ typescript: 'nodejs', javascript: 'nodejs', golang: 'go' },
  ...{ csharp: 'dotnet', fsharp: 'dotnet', visualbasic: 'dotnet' },
};

const ALL = ['dotnet', 'go', 'java', 'nodejs', 'python'];

/** Has the plugin of each language that is asked for write a package, into a folder of that language. */
export async function generateSdks(
  world: World,
  flags: Flags,
  model: PackageModel,
  obtained: ObtainedPackage,
): Promise<number> {
  const local = flags.on('local');
  const schema = local ? languageSchema(obtained.schema, model.name, model.version).schema : obtained.schema;
  const named = flags.text('language') ?? 'all';
  const project = await projectHere(world);
  const info = project === undefined ? infoHere(world) : programInfo(project);
  for (const runtime of named === 'all' ? ALL : [NAMES[named] ?? named]) {
    const folder = path.resolve(world.cwd, flags.text('out') ?? 'sdk', runtime);
    const warnings = await generateByLanguage(portsOf(world, flags), {
      ...{ project, runtime, info, folder, schema, local },
      ...{ name: model.name, version: model.version },
      schemaOf: schemaOfOther(world, flags),
      base: model.base && { ...model.base, value: Buffer.from(model.base.value, 'base64') },
      onMessage: ({ severity, text }) => {
        if (severity !== 'debug' || world.terminal.debug) world.stderr.write(`${text}\n`);
      },
    });
    for (const { summary, detail } of warnings)
      world.stderr.write(`warning: ${detail === '' ? summary : `${summary}: ${detail}`}\n`);
    world.stderr.write(`SDK of ${model.name} written to ${path.relative(world.cwd, folder)}\n`);
  }
  return EXIT.ok;
}

function infoHere({ cwd }: World) {
  return { rootDirectory: cwd, programDirectory: cwd, entryPoint: '.', options: {} };
}
