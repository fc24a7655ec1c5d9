import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hasLanguagePlugin, programInfo, runsNode } from '@cairn/operations';
import type { Project } from '@cairn/workspace';
import type { Flags } from '../../command-spec.js';
import type { World } from '../../world.js';
import { isAlias } from '../../terminal/called-as.js';
import { portsOf } from '../ports.js';

/** Language whose plugin writes packages for programs on Pulumi's SDK for Node. */
const NODE = 'nodejs';

/**
 * The language whose plugin writes the code of packages for the program of a project; undefined: we write it, for our
 * own SDK. Programs on Pulumi's SDK for Node get what the plugin of that SDK writes, where that is; so do those that
 * name no SDK, for who types `pulumi`.
 */
export async function packageLanguage(
  world: World,
  flags: Flags,
  project: Project,
): Promise<string | undefined> {
  const runtime = project.runtime?.name;
  if (runtime === undefined) return undefined;
  if (!runsNode(runtime)) return runtime;
  const info = programInfo(project);
  if (!isOnPulumi(info.programDirectory, isAlias(world))) return undefined;
  const use = { runtime: NODE, info, project, onMessage: () => undefined };
  if (await hasLanguagePlugin(portsOf(world, flags), use)) return NODE;
  world.stderr.write(
    'warning: the package is made for @cairn/sdk, which a program on @pulumi/pulumi cannot use: for that, put ' +
      "pulumi-language-nodejs, which comes with Pulumi's command line, on the PATH\n",
  );
  return undefined;
}

/** Whether the nearest package.json asks for Pulumi's SDK, and not for ours; `otherwise`: it asks for neither. */
function isOnPulumi(directory: string, otherwise: boolean): boolean {
  let text: string;
  try {
    text = readFileSync(path.join(directory, 'package.json'), 'utf8');
  } catch {
    const parent = path.dirname(directory);
    return parent === directory ? otherwise : isOnPulumi(parent, otherwise);
  }
  const names = namesIn(text);
  if (names.includes('@cairn/sdk')) return false;
  return otherwise || names.includes('@pulumi/pulumi');
}

function namesIn(manifest: string): readonly string[] {
  try {
    const data = JSON.parse(manifest) as Readonly<Record<string, object | undefined>>;
    return ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((section) =>
      Object.keys(data[section] ?? {}),
    );
  } catch {
    return [];
  }
}
