// The pages of the site: which files of the repository they are, and the sidebar, which is read from the index of the
// documentation so that a page is listed in one place.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the repository. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Files of Markdown in the repository that are no pages ({@link pages}). */
export const EXCLUDED = [
  'README.md',
  '{e2e,examples,proto,tools}/**',
  'packages/*/*/{src,templates,test}/**',
];

/** Paths of all pages: the documentation, and the references and READMEs of packages. */
export function pages() {
  return [
    ...below('docs'),
    ...below('packages').filter((page) => /^packages\/[^/]+\/[^/]+\/(?:README|docs\/[\w-]+)\.md$/.test(page)),
    ...['CONTRIBUTING.md', 'CODE_OF_CONDUCT.md', 'GOVERNANCE.md', 'SECURITY.md'],
  ];
}

/**
 * Path of a page on the site. `docs/` is the root, and a README the page of its folder; how to report a vulnerability
 * has another name than the page about security.
 */
export function addressOf(page) {
  if (page === 'SECURITY.md') return 'reporting.md';
  return page.replace(/^docs\//, '').replace(/README\.md$/, 'index.md');
}

export function rewrites() {
  return Object.fromEntries(pages().map((page) => [page, addressOf(page)]));
}

/** A group for each table of the index; the rules have a table of their own. */
export function sidebar() {
  const groups = [...groupsOf('docs/README.md'), ...groupsOf('docs/rules/README.md')];
  return groups.map((group, index) => ({ ...group, collapsed: index > 2 }));
}

function groupsOf(index) {
  const parts = readFileSync(path.join(ROOT, index), 'utf8').split(/^#{1,2} /m);
  return parts.flatMap((part) => {
    const rows = [...part.matchAll(/^\| \[(.*?)\]\(([^)#]+\.md)\)/gm)];
    const items = rows.map(([, title, target]) => ({
      text: title.replaceAll('`', ''),
      link: `/${addressOf(path.posix.join(path.posix.dirname(index), target))}`,
    }));
    return items.length === 0 ? [] : [{ text: part.slice(0, part.indexOf('\n')), items }];
  });
}

function below(folder) {
  return readdirSync(path.join(ROOT, folder)).flatMap((name) => {
    const entry = `${folder}/${name}`;
    if (/^\.|^(?:node_modules|dist|src|test|templates|testdata)$/.test(name)) return [];
    if (statSync(path.join(ROOT, entry)).isDirectory()) return below(entry);
    return name.endsWith('.md') ? [entry] : [];
  });
}
