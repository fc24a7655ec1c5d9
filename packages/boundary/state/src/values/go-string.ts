/** Characters that a JSON string may not contain unescaped, or that the format always escapes. */
const NEEDS_ESCAPE = /[\u0000-\u001f"\\\u2028\u2029\ud800-\udfff]/;
const HTML = /[<>&]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

const SEPARATORS: Readonly<Record<string, string>> = { '\u2028': '\\u2028', '\u2029': '\\u2029' };
const HTML_ESCAPES: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** Returns a JSON string as Go's encoder writes it; see `goJson` for the form. */
export function quote(text: string, html: boolean): string {
  const quoted = needsEscape(text) ? escape(text) : `"${text}"`;
  return html && HTML.test(quoted) ? escapeHtmlIn(quoted) : quoted;
}

/** Tells whether a text has characters that a JSON string contains only escaped. */
export function needsEscape(text: string): boolean {
  return NEEDS_ESCAPE.test(text);
}

/** Escapes the characters of a JSON text that matter to HTML, and U+2028 and U+2029 from texts passed through. */
export function escapeHtmlIn(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => (HTML_ESCAPES[char] ?? SEPARATORS[char]) as string);
}

function escape(text: string): string {
  const wellFormed = text.split(LONE_SURROGATE).map((part) => JSON.stringify(part).slice(1, -1));
  return `"${wellFormed.join('\\ufffd').replace(/[\u2028\u2029]/g, (char) => SEPARATORS[char] as string)}"`;
}
