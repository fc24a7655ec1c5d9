import path from 'node:path';
import { fail } from '@cairn/diagnostics';
import { readPluginManifest } from '@cairn/plugin-host/install';
import type { Project } from '@cairn/workspace';
import { isPath } from '../plugins/project-plugins.js';

/**
 * Refuses plugins in folders that need one another in a circle, by the `packages` of the project file and of their
 * manifests: none of them could be made first. Fails with CAIRN-PLUGIN-INSTALL, which names the folders.
 */
export async function refusePackageCycles({ packages, location }: Project): Promise<void> {
  const sources = [...packages.values()].map(({ source }) => source);
  await visit(location.directory, sources, [], (folders) => {
    const way = folders.map((folder) => path.relative(location.directory, folder) || '.').join(' -> ');
    return fail(
      'CAIRN-PLUGIN-INSTALL',
      `installing \`packages\` from ${path.basename(location.file)}: cycle found: ${way}`,
      { hint: 'Remove one of them from the `packages` of another.' },
    );
  });
}

/** Visits the sources in a folder. `way` is the chain of folders that leads to it. */
async function visit(
  from: string,
  sources: readonly string[],
  way: readonly string[],
  refuse: (cycle: readonly string[]) => never,
): Promise<void> {
  for (const source of sources.filter(isPath)) {
    const folder = path.resolve(from, source);
    const known = way.indexOf(folder);
    if (known !== -1) return refuse([...way.slice(known), folder]);
    const manifest = await readPluginManifest(folder);
    const needed = Object.values(manifest?.packages ?? {}).map(sourceIn);
    await visit(folder, needed, [...way, folder], refuse);
  }
}

/** Returns the source of a package as a manifest names it: a text, maybe followed by a version, or an object. */
function sourceIn(named: unknown): string {
  const text = typeof named === 'string' ? named : (named as { readonly source?: unknown } | null)?.source;
  return typeof text === 'string' ? text.replace(/@[^/\\]*$/, '') : '';
}
