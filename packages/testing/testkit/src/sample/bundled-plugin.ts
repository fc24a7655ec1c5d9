import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';

/** A plugin's script that node runs without further steps. */
export interface BundledPlugin {
  readonly script: string;
  remove(): void;
}

/** Bundles the source of a plugin, whose imports are relative to a folder. */
export function bundlePlugin(source: string, folder: string): BundledPlugin {
  const directory = mkdtempSync(path.join(tmpdir(), 'cairn-plugin-'));
  const script = path.join(directory, 'plugin.mjs');
  buildSync({
    stdin: { contents: source, resolveDir: folder, loader: 'ts' },
    outfile: script,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['cairn-src'],
    logLevel: 'silent',
    banner: {
      js: "import { createRequire as ownRequire } from 'node:module'; const require = ownRequire(import.meta.url);",
    },
  });
  return { script, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
