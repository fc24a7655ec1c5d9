import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Project } from '@cairn/workspace';
import { programInfo, runsNode } from '../access/program-info.js';
import { hasLanguagePlugin } from '../languages/languages.js';
import type { Ports } from '../ports.js';

/** Language whose plugin writes packages for programs on Pulumi's SDK for Node. */
const NODE = 'nodejs';

/**
 * Returns the language whose plugin writes the code of packages for a project's program. Returns `undefined` if we
 * write it, for our own SDK. Programs on Pulumi's SDK for Node get the code of that SDK's plugin, if it is present. So
 * do programs that name no SDK, if that is the usual one.
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

/**
 * Tells whether the nearest package.json depends on Pulumi's SDK, and not on ours. Returns `otherwise` if it names
 * neither.
 */
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
