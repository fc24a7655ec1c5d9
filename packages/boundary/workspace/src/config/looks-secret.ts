const SECRET_NAME = /passwd|pass|password|pwd|secret|token/i;
const MIN_LENGTH = 8;
const MIN_BITS = 24;
const MIN_BITS_PER_CHARACTER = 2.5;

/**
 * Tells whether a value set in plain text is probably meant to be secret. Its key's name suggests it, and the text is
 * not a plain word [CFG-8]. Entropy is Shannon's over the characters of the text.
 */
export function looksLikeSecret(key: string, value: string): boolean {
  const name = key.slice(key.indexOf(':') + 1);
  if (!SECRET_NAME.test(name) || value.length < MIN_LENGTH) return false;
  const perCharacter = shannonBits(value);
  return perCharacter >= MIN_BITS_PER_CHARACTER && perCharacter * value.length >= MIN_BITS;
}

function shannonBits(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  const length = [...text].length;
  return -[...counts.values()].reduce((sum, count) => sum + (count / length) * Math.log2(count / length), 0);
}
