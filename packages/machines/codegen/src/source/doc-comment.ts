/** Content of a comment. */
interface DocText {
  readonly description: string;
  readonly deprecated?: string | undefined;
  /** Further lines, such as the default. */
  readonly notes?: readonly string[] | undefined;
}

/** Returns a doc comment with its line end; empty if there is no content. */
export function docComment({ description, deprecated = '', notes = [] }: DocText, indent = ''): string {
  const body = withoutExamples(description);
  const warning = withoutExamples(deprecated);
  const blocks = [body, ...notes, warning === '' ? '' : `@deprecated ${warning}`];
  const lines = blocks
    .filter((block) => block !== '')
    .join('\n\n')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trimEnd().replaceAll('*/', '*\\/'));
  if (lines.length === 1 && lines[0] === '') return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`;
}

/**
 * Removes examples from a description: they are programs in several languages that import other packages. Marks that
 * only a web site understands are removed, too.
 */
function withoutExamples(description: string): string {
  const shortcodes = withoutParts(description, '{{% examples %}}', '{{% /examples %}}');
  return withoutParts(shortcodes, '<!--Start PulumiCodeChooser -->', '<!--End PulumiCodeChooser -->')
    .replace(/\{\{%[^%]*%\}\}/g, '')
    .replace(/^#+ Example Usage\s*(?=^#|$(?![\s\S]))/gm, '')
    .replace(/<span pulumi-lang-nodejs="([^"<]*)"[^<>]*>[^<]*<\/span>/g, '$1')
    .replaceAll('<break>', '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Removes everything from each opening mark to the next closing one. */
function withoutParts(text: string, open: string, close: string): string {
  let kept = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf(open, at);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return kept + text.slice(at);
    kept += text.slice(at, start);
    at = end + close.length;
  }
}
