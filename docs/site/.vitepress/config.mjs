import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { EXCLUDED, ROOT, rewrites, sidebar } from '../pages.mjs';
import { configureMarkdown, slugify } from '../markdown.mjs';

/** Pages are outside of this folder, and what they import is in it. */
const importsOfPages = {
  name: 'imports-of-pages',
  enforce: 'pre',
  resolveId(id, importer, options) {
    if (!/^vue(?:\/|$)/.test(id) || !importer?.endsWith('.md')) return null;
    return this.resolve(id, fileURLToPath(import.meta.url), { ...options, skipSelf: true });
  },
};

export default defineConfig({
  title: 'Cairn',
  description: 'Infrastructure as code, in TypeScript',
  lang: 'en-GB',
  srcDir: ROOT,
  srcExclude: EXCLUDED,
  outDir: 'dist',
  cacheDir: '.vitepress/cache',
  rewrites: rewrites(),
  cleanUrls: false,
  metaChunk: true,
  vite: { plugins: [importsOfPages] },
  markdown: { anchor: { slugify }, config: configureMarkdown },
  themeConfig: {
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    docFooter: { prev: false, next: false },
  },
});
