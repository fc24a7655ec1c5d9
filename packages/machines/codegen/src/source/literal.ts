/**
 * Converts texts to TypeScript source. Whatever the text contains, the source is one token on one line and means
 * exactly the text.
 */

/** Returns a string literal, in single quotes if they need no escape. */
export function stringLiteral(text: string): string {
  const quoted = escapeLines(JSON.stringify(text));
  if (text.includes("'") || text.includes('"') === false) {
    return text.includes("'") ? quoted : `'${quoted.slice(1, -1)}'`;
  }
  return `'${quoted.slice(1, -1).replace(/\\(.)/gu, (escape, char: string) => (char === '"' ? '"' : escape))}'`;
}

/** Part of a template literal: a text, or code whose value is inserted. */
type TemplatePart = string | { readonly code: string };

/**
 * Returns a template literal. Adjacent texts are escaped as one: the end of one and the start of the next may form
 * `${`.
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

/** Returns a number literal; numbers without a literal are named. */
export function numberLiteral(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Returns the key of a property in an object literal. `__proto__` would set the prototype, so it is computed. */
export function propertyKey(key: string): string {
  if (key === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : stringLiteral(key);
}

/** Returns a text for a line comment: one line, whatever it contains. */
export function commentText(text: string): string {
  return escapeLines(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"');
}

/** Escapes U+2028 and U+2029, which end lines in source, and which JSON leaves unchanged. */
function escapeLines(json: string): string {
  return json.replace(/[\u2028\u2029\u0085\u007f]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
