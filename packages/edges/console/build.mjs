// Builds the few modules that the service runs, and the page of the browser into `dist/web`, with packed
// copies. Fails if the first page has more bytes than its limits.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { removeCode, writeModules } from '../../../tools/dist.mjs';
import { writeNotices } from '../../../tools/notices.mjs';
import { root } from '../../../tools/setup.mjs';

/** Bytes of the first page over the wire, by the ending of the file. */
const LIMITS = { js: 60_000, css: 12_000 };

const here = import.meta.dirname;
const web = path.join(here, 'dist', 'web');
removeCode(path.join(here, 'dist'));
const server = await build({
  entryPoints: ['index.ts', 'server/pages.ts'].map((name) => path.join(here, 'src', name)),
  outbase: path.join(here, 'src'),
  outdir: path.join(here, 'dist'),
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  sourcesContent: false,
  write: false,
  logLevel: 'warning',
});
writeModules(server.outputFiles);
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: { app: path.join(here, 'web', 'main.ts'), style: path.join(here, 'web', 'style.css') },
  outdir: web,
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
  conditions: ['cairn-src'],
  minify: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
});
rmSync(web, { recursive: true, force: true });
mkdirSync(web, { recursive: true });
const names = new Map();
for (const { path: file, contents } of outputFiles) {
  const name = path.basename(file);
  put(name, contents);
  const [, kind, ending] = /^(app|style)-\w+\.(\w+)$/.exec(name) ?? [];
  if (kind === undefined) continue;
  names.set(kind, name);
  const bytes = gzipSync(contents, { level: 9 }).length;
  if (bytes > LIMITS[ending])
    throw new Error(`${name}: ${bytes} bytes over the wire, at most ${LIMITS[ending]}`);
}
put('icon.svg', readFileSync(path.join(here, 'web', 'icon.svg')));
const page = readFileSync(path.join(here, 'web', 'index.html'), 'utf8');
put(
  'index.html',
  page.replace(/\{(app|style)\}/g, (_whole, name) => names.get(name)),
);
writeNotices(path.join(here, 'dist'), [metafile], root);

function put(name, contents) {
  writeFileSync(path.join(web, name), contents);
  writeFileSync(path.join(web, `${name}.gz`), gzipSync(contents, { level: 9 }));
}
