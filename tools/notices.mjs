// The notices that belong to code of others inside a published package: name, version, licence and its text.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

/** File with the notices, in the folder of a bundle. */
const NOTICES = 'THIRD-PARTY-NOTICES';

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
/** Modules that plugins of a bundle have made: `NAMESPACE:NAME`. */
const MADE_HERE = /^[a-z-]{2,}:/;
const LICENCE_FILE = /^(licen[cs]e|copying)/i;
const NOTICE_FILE = /^notice/i;
const LICENCE_SECTION = /^#*\s*licen[cs]e\s*\n[-=]*\n?([\s\S]*?permission[\s\S]*?)(?=^#|^\[|$(?![\s\S]))/im;

/**
 * Writes the notices of the packages inside a bundle into its folder; `metafiles` are esbuild's accounts of its
 * contents, with paths relative to `from`. Writes no file if there are none. Fails for a package without the text of
 * its licence.
 */
export function writeNotices(outdir, metafiles, from = process.cwd()) {
  const folders = new Set(metafiles.flatMap(bundledFolders).map((folder) => path.resolve(from, folder)));
  if (folders.size === 0) return;
  const byText = new Map();
  for (const { title, text } of [...folders].map(noticeOf)) {
    const key = text.replace(/\s+/g, ' ');
    byText.set(key, { text, titles: [...(byText.get(key)?.titles ?? []), title] });
  }
  const notices = [...byText.values()].map(
    ({ text, titles }) => `${[...new Set(titles)].sort().join('\n')}\n\n${text}\n`,
  );
  const head = 'Code of these packages is inside this one.\n';
  writeFileSync(path.join(outdir, NOTICES), [head, ...notices.sort()].join(`\n${'-'.repeat(80)}\n\n`));
}

/** Folders of the packages of which code is in the outputs. */
function bundledFolders({ outputs }) {
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => (MADE_HERE.test(file) ? undefined : PACKAGE.exec(file)?.[0]))
    .filter((folder) => folder !== undefined);
}

function noticeOf(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest;
  const text = licenceText(folder, manifest);
  if (typeof license !== 'string' || text === undefined)
    throw new Error(`cannot bundle ${name} ${version}: it has no text of a licence`);
  return { title: `${name} ${version} (${license})`, text: text.trim() };
}

/** Returns the text of a package's own files; a licence that only its manifest names is completed with its text. */
function licenceText(folder, { license, author }) {
  const files = readdirSync(folder).sort();
  const read = (pattern) =>
    files.filter((file) => pattern.test(file)).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const own = [...read(LICENCE_FILE), ...read(NOTICE_FILE)];
  if (own.length > 0) return own.map((text) => text.trim()).join('\n\n');
  const inReadme = read(/^readme/i).map((text) => LICENCE_SECTION.exec(text)?.[1])[0];
  if (inReadme !== undefined) return inReadme;
  if (license === 'Apache-2.0') return readFileSync(path.join(root, 'LICENSE'), 'utf8');
  const holder = typeof author === 'string' ? author : author?.name;
  return license === 'MIT' && holder !== undefined ? mit(holder) : undefined;
}

function mit(holder) {
  return `Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
