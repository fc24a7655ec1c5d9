import { createHash } from 'node:crypto';
import { Markup, markup } from '../markup.js';
import type { EdgeColours } from '../svg.js';
import { PAGE_SCRIPT } from './script.js';
import { pageStyle } from './style.js';

/** Contents of a page. */
interface Page {
  readonly title: string;
  readonly body: readonly Markup[];
  readonly colours?: EdgeColours | undefined;
}

/**
 * Writes a page in one file. It loads nothing, sends nothing, and runs only its own script. Its policy names the
 * digests of its style and script and refuses everything else.
 */
export function htmlPage({ title, body, colours }: Page): string {
  const style = pageStyle(colours);
  const policy = [
    `default-src 'none'`,
    `style-src '${digestOf(style)}'`,
    `script-src '${digestOf(PAGE_SCRIPT)}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  // Both are ours, and contain no end tag.
  const [styleElement, scriptElement] = [
    new Markup(`<style>${style}</style>`),
    new Markup(`<script>${PAGE_SCRIPT}</script>`),
  ];
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${styleElement}
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
${scriptElement}
</body>
</html>
`.text;
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
