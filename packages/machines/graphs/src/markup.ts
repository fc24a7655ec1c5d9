import { visible } from '@cairn/diagnostics';

/** Text that is already HTML or XML. Only {@link markup} makes it, from templates of this package's callers. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | undefined | readonly (Markup | string)[];

/**
 * Tag of templates for HTML and SVG. Values are escaped for texts and quoted attributes, and shown without characters
 * that steer or hide text. Markup remains as it is, lists are joined, and `undefined` is nothing.
 */
export function markup(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = template[0] ?? '';
  for (const [index, part] of parts.entries()) text += partText(part) + (template[index + 1] ?? '');
  return new Markup(text);
}

function partText(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(partText).join('');
  return escapedText(String(part));
}

/** Characters that neither XML nor HTML allows in any notation: two non-characters, and lone surrogates. */
const NO_CHARACTERS =
  /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Texts that mean the same in every context. */
const PLAIN = /^[\w .:,/()-]*$/;

function escapedText(text: string): string {
  if (PLAIN.test(text)) return text;
  return visible(text)
    .replace(NO_CHARACTERS, '\ufffd')
    .replace(/[&<>"']/g, (found) => ENTITIES[found] ?? '');
}
