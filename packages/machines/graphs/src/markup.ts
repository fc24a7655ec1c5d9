import { visible } from '@cairn/diagnostics';

/** Text that is HTML or XML already. Only {@link markup} makes it, from templates of this package's callers. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | undefined | readonly (Markup | string)[];

/**
 * Tag of templates for HTML and SVG: what stands in a place is escaped for texts and quoted attributes, and shown
 * without characters that steer or hide text. Markup stays as it is, lists are joined, `undefined` is nothing.
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

/** Neither XML nor HTML has these, whatever stands for them: two characters that are none, and halves of others. */
const NO_CHARACTERS =
  /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Texts that mean the same in every place. */
const PLAIN = /^[\w .:,/()-]*$/;

function escapedText(text: string): string {
  if (PLAIN.test(text)) return text;
  return visible(text)
    .replace(NO_CHARACTERS, '\ufffd')
    .replace(/[&<>"']/g, (found) => ENTITIES[found] ?? '');
}
