import type { MapReader } from '@cairn/workspace';

/** Reads one of some words, and records any other. */
export function oneOf<Word extends string>(
  reader: MapReader,
  key: string,
  words: readonly Word[],
): Word | undefined {
  const text = reader.text(key);
  if (text === undefined || words.includes(text as Word)) return text as Word | undefined;
  return reader.problem(key, `must be one of ${words.join(', ')}, not ${JSON.stringify(text)}`);
}

/** Reads a list of some words, and records every other. */
export function someOf<Word extends string>(
  reader: MapReader,
  key: string,
  words: readonly Word[],
): readonly Word[] | undefined {
  const texts = reader.texts(key);
  const others = texts?.filter((text) => !words.includes(text as Word)) ?? [];
  for (const other of others)
    reader.problem(key, `must have words of ${words.join(', ')}, not ${JSON.stringify(other)}`);
  return texts as readonly Word[] | undefined;
}
