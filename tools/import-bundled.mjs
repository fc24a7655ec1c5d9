import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Imports a TypeScript file of the repository, given as its path from the root. Leaves no files. `external`: packages
 * that are imported as they are built, and not bundled.
 */
export async function importBundled(file, external = []) {
  const directory = await mkdtemp(join(root, 'node_modules', '.bundled-'));
  try {
    const outfile = join(directory, 'module.mjs');
    await build({
      ...{ entryPoints: [join(root, file)], outfile, external },
      ...{ bundle: true, format: 'esm', platform: 'node', logLevel: 'warning' },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
