/**
 * Returns texts of JSON as one value, which `string_to_array(value, E'\\x01')` takes apart again: JSON has no such
 * character. A list of texts would be escaped here and parsed there.
 */
export function joinedTexts(texts: readonly string[]): string {
  return texts.join('\u0001');
}
