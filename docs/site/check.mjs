// Checks the built site: it asks no other host for anything, each anchor that is linked to is there, and the pages can
// be searched without a server.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf, pages as sources } from './pages.mjs';

const dist = path.join(path.dirname(fileURLToPath(import.meta.url)), 'dist');
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(dist, path.join(entry.parentPath, entry.name)));
const pages = new Map(
  files
    .filter((file) => file.endsWith('.html'))
    .map((file) => [`/${file}`, readFileSync(path.join(dist, file), 'utf8')]),
);
const problems = [...pages].flatMap(([page, html]) => [
  ...otherHosts(page, html),
  ...missingAnchors(page, html),
]);
for (const file of files.filter((name) => name.endsWith('.css')))
  if (/url\(["']?(?:https?:)?\/\//.test(readFileSync(path.join(dist, file), 'utf8')))
    problems.push(`${file} loads from elsewhere`);
if (!files.some((file) => /localSearchIndex/.test(file))) problems.push('there is no index to search in');
for (const source of sources())
  if (!pages.has(`/${addressOf(source).replace(/md$/, 'html')}`)) problems.push(`${source} is no page`);
if (pages.size !== sources().length + 1) problems.push(`there are ${pages.size} pages, 404.html with them`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${pages.size} pages, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function otherHosts(page, html) {
  return [
    ...html.matchAll(/<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="((?:https?:)?\/\/[^"]*)"/g),
  ].map(([, address]) => `${page} loads ${address}`);
}

function missingAnchors(page, html) {
  return [...html.matchAll(/<a\b[^>]*\bhref="([^"#]*)#([^"]+)"/g)].flatMap(([, target, anchor]) => {
    const other = target === '' ? page : target;
    if (/^[a-z]+:/.test(other)) return [];
    const there = pages.get(other.endsWith('/') ? `${other}index.html` : other);
    const id = decodeURIComponent(anchor);
    return there?.includes(`id="${id}"`) === true ? [] : [`${page} links to ${other}#${id}`];
  });
}
