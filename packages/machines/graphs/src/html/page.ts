import { createHash } from 'node:crypto';
import { Markup, markup } from '../markup.js';
import type { EdgeColours } from '../svg.js';
import { PAGE_SCRIPT } from './script.js';
import { SVG_STYLE, paletteStyle } from '../svg.js';

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

/** Returns the style of a page, for light and dark grounds, narrow and wide windows, and paper. */
function pageStyle(colours: EdgeColours = {}): string {
  return `${paletteStyle(colours)}${SVG_STYLE}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main{max-width:1400px;margin:0 auto;padding:1rem 1.25rem 4rem}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--rule);padding-bottom:.25rem}
a{color:var(--link)}:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.facts{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:.5rem 0;padding:0;list-style:none;color:var(--faint)}
.facts b{color:var(--text)}
.drawing{overflow:auto;border:1px solid var(--rule);border-radius:8px;max-height:85vh}
.fitted .graph{width:100%;height:auto}
.graph a{text-decoration:none}.graph .fold{cursor:pointer;font-size:16px;font-weight:700}
.graph.walking .edge{stroke-opacity:.12}.graph.walking .edge.near{stroke-opacity:1;stroke-width:2.2}
.graph .faint{opacity:.2}.graph [hidden]{display:none}
.graph a:focus-visible{outline:none}.graph a:focus-visible rect:last-of-type{stroke:var(--link);stroke-width:3}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;margin:.5rem 0;list-style:none;font-size:.85rem}
.chip{border:1.4px solid var(--line);background:var(--area);border-radius:4px;padding:0 .4rem;white-space:nowrap}
.tools{display:flex;gap:.5rem;margin:.5rem 0;flex-wrap:wrap}.tools[hidden]{display:none}
input,button{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--rule);border-radius:6px;padding:.2rem .6rem}
ul.tree,ul.tree ul{list-style:none;margin:0;padding-left:1.1rem}ul.tree{padding-left:0}
summary{cursor:pointer}.type{color:var(--faint);font-size:.85em}li>details{margin:.1rem 0}
:target>details>summary,li:target>.leaf{background:var(--update-area)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.25rem 0 .5rem 1.1rem;font-size:.9rem}
dt{color:var(--faint)}dd{margin:0;overflow-wrap:anywhere}
pre{margin:.25rem 0 .75rem 1.1rem;padding:.5rem .75rem;border:1px solid var(--rule);border-radius:6px;overflow:auto;font:12.5px/1.45 ui-monospace,monospace}
pre span{display:block}.added{color:var(--create-line)}.removed{color:var(--delete-line)}.changed{color:var(--update-line)}
.problem{border-left:4px solid var(--line);padding:.1rem .75rem;margin:.5rem 0;background:var(--area)}
.problem pre{border:0;padding:0;margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--rule);vertical-align:top;overflow-wrap:anywhere}
.timeline text{font-size:12px;fill:var(--text)}.timeline rect{fill:var(--line)}.timeline .grid{stroke:var(--rule)}
@media print{.drawing{max-height:none;overflow:visible}.tools{display:none}}
`;
}
