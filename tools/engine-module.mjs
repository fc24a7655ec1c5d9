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

/** The number that an option gives; undefined when it is not there. */
export function wholeNumber(name, text) {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new Error(`--${name} needs a whole number, not ${text}`);
  return Number(text);
}
