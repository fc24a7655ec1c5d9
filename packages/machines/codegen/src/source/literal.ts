/**
 * Texts as TypeScript source. Whatever the text holds, the source is one token on one line and means exactly the text.
 */

/** A string literal, in single quotes where that needs no escape. */
export function stringLiteral(text: string): string {
  const quoted = escapeLines(JSON.stringify(text));
  if (text.includes("'") || text.includes('"') === false) {
    return text.includes("'") ? quoted : `'${quoted.slice(1, -1)}'`;
  }
  return `'${quoted.slice(1, -1).replace(/\\(.)/gu, (escape, char: string) => (char === '"' ? '"' : escape))}'`;
}

/** A part of a template literal: a text, or code whose value is put in. */
type TemplatePart = string | { readonly code: string };

/**
 * A template literal. Texts side by side are escaped as one: the end of one and the start of the next may be `${`
 * together.
 */
export function templateLiteral(parts: readonly TemplatePart[]): string {
  let literal = '';
  let text = '';
  for (const part of [...parts, { code: undefined }]) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    literal += templateText(text) + (part.code === undefined ? '' : `\${${part.code}}`);
    text = '';
  }
  return `\`${literal}\``;
}

function templateText(text: string): string {
  return escapeLines(JSON.stringify(text))
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replace(/`|\$\{/g, (found) => `\\${found}`);
}

/** A number literal; the ones that have none are named. */
export function numberLiteral(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The key of a property in an object literal. `__proto__` would set the prototype, so it is computed. */
export function propertyKey(key: string): string {
  if (key === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : stringLiteral(key);
}

/** A text inside a line comment: one line, whatever it holds. */
export function commentText(text: string): string {
  return escapeLines(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"');
}

/** U+2028 and U+2029 end lines in source, and JSON leaves them as they are. */
function escapeLines(json: string): string {
  return json.replace(/[\u2028\u2029\u0085\u007f]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
