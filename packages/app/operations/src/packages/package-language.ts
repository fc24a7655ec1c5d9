import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Project } from '@cairn/workspace';
import { programInfo, runsNode } from '../access/program-info.js';
import { hasLanguagePlugin } from '../languages/languages.js';
import type { Ports } from '../ports.js';

/** Language whose plugin writes packages for programs on Pulumi's SDK for Node. */
const NODE = 'nodejs';

/**
 * The language whose plugin writes the code of packages for the program of a project; undefined: we write it, for our
 * own SDK. Programs on Pulumi's SDK for Node get what the plugin of that SDK writes, where that is; so do those that
 * name no SDK, where that is the usual one.
 */
export async function packageLanguage(ports: Ports, project: Project): Promise<string | undefined> {
  const runtime = project.runtime?.name;
  if (runtime === undefined) return undefined;
  if (!runsNode(runtime)) return runtime;
  const info = programInfo(project);
  if (!isOnPulumi(info.programDirectory, ports.usualSdk === 'pulumi')) return undefined;
  const use = { runtime: NODE, info, project, onMessage: () => undefined };
  if (await hasLanguagePlugin(ports, use)) return NODE;
  ports.interaction.making?.({ t: 'package-for-own-sdk' });
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
