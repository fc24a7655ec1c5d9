import { build } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** One entry of the testkit with the engine, as one module straight from the sources. Gives the file. */
export async function engineModule(entry, outfile) {
  await build({
    entryPoints: [join(root, 'packages/testing/testkit/src', entry)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    conditions: ['cairn-src'],
    external: ['fast-check'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return outfile;
}
