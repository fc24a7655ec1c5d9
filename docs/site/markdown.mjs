// How Markdown becomes a page. Vue would read `<…>` and `{{ … }}` as parts of a template; here they are text, as they
// are for everybody who reads the files. A link to a file of the repository that is no page of the site is text, too.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT, addressOf, pages } from './pages.mjs';

const all = new Set(pages());

export function configureMarkdown(md) {
  const html = (tokens, index) => {
    const { content } = tokens[index];
    return /^\s*<!--[^]*-->\s*$/.test(content) ? '' : asText(md, content);
  };
  Object.assign(md.renderer.rules, {
    html_block: html,
    html_inline: html,
    text: (tokens, index) => asText(md, tokens[index].content),
    code_inline: (tokens, index) => `<code v-pre>${md.utils.escapeHtml(tokens[index].content)}</code>`,
  });
  md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
    for (const { children } of tokens) if (children !== null) follow(children, sourceOf(env));
  });
}

/** Name of the anchor of a heading, as hosts of repositories make it. */
export function slugify(heading) {
  const kept = heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return kept.replace(/\s/g, '-');
}

/** Path of the file in the repository from which a page is made. */
function sourceOf({ realPath, path: rewritten }) {
  const file = realPath ?? rewritten;
  return path.relative(ROOT, file).split(path.sep).join('/');
}

function follow(tokens, source) {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'link_open') continue;
    const [, target, anchor = ''] = /^([^#]*)(#.*)?$/.exec(token.attrGet('href'));
    if (target === '' || /^[a-z]+:/.test(target)) continue;
    const file = path.posix.join(path.posix.dirname(source), target);
    if (all.has(file)) token.attrSet('href', `/${addressOf(file)}${anchor}`);
    else if (existsSync(path.join(ROOT, file))) unlink(tokens, index);
  }
}

/** Leaves the text of a link. What is linked to is there, and the site does not have it. */
function unlink(tokens, index) {
  const end = tokens.findIndex(({ type }, at) => at > index && type === 'link_close');
  for (const at of [index, end])
    Object.assign(tokens[at], { type: 'text', content: '', tag: '', attrs: null, nesting: 0 });
}

function asText(md, content) {
  return md.utils.escapeHtml(content).replaceAll('{{', '&#123;&#123;');
}
