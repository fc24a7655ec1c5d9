import path from 'node:path';
import type { PackageModel } from '@cairn/codegen';
import { programInfo } from '../access/program-info.js';
import { passedOn } from '../making.js';
import type { Ports } from '../ports.js';
import { generateByLanguage } from './add-by-language.js';
import { projectIfAny, schemaOfOther } from './obtain-schema.js';
import { languageSchema } from './language-schema.js';
import type { ObtainedPackage } from './obtain-schema.js';

/** Other names of languages that have a plugin. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ typescript: 'nodejs', javascript: 'nodejs', golang: 'go' },
  ...{ csharp: 'dotnet', fsharp: 'dotnet', visualbasic: 'dotnet' },
};

const ALL = ['dotnet', 'go', 'java', 'nodejs', 'python'];

/** Choice of SDKs of a package. */
interface SdkChoice {
  /** A language, or `all`. */
  readonly language: string;
  /** Parent folder of the folders by language, relative to the working directory or absolute. */
  readonly out: string;
  /** True for use from its folder, not for publishing. */
  readonly local: boolean;
}

/** Lets the plugin of each chosen language write a package, into a folder of that language. */
export async function generateSdks(
  ports: Ports,
  model: PackageModel,
  obtained: ObtainedPackage,
  { language, out, local }: SdkChoice,
): Promise<void> {
  const schema = local ? languageSchema(obtained.schema, model.name, model.version).schema : obtained.schema;
  const project = await projectIfAny(ports);
  const info = project === undefined ? infoHere(ports) : programInfo(project);
  const onMessage = passedOn(ports);
  const { making } = ports.interaction;
  for (const runtime of language === 'all' ? ALL : [NAMES[language] ?? language]) {
    const folder = path.resolve(ports.cwd, out, runtime);
    const warnings = await generateByLanguage(ports, {
      ...{ project, runtime, info, folder, schema, local },
      ...{ name: model.name, version: model.version },
      schemaOf: schemaOfOther(ports),
      base: model.base && { ...model.base, value: Buffer.from(model.base.value, 'base64') },
      onMessage: ({ severity, text }) => onMessage({ severity, text }),
    });
    for (const { summary, detail } of warnings) making?.({ t: 'warning', summary, detail });
    making?.({ t: 'sdk', name: model.name, folder });
  }
}

function infoHere({ cwd }: Ports) {
  return { rootDirectory: cwd, programDirectory: cwd, entryPoint: '.', options: {} };
}
