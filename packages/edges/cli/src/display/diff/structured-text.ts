import { parseAllDocuments } from 'yaml';
import type { PropertyValue } from '@cairn/values';

/** Two texts of one format as values. */
interface StructuredTexts {
  readonly format: 'JSON' | 'YAML';
  readonly old: PropertyValue;
  readonly new: PropertyValue;
}

/** Texts longer than this are compared by lines. */
const LONGEST = 200_000;

/**
 * Returns both texts as values, if both are JSON or YAML of more than a bare word. Comments are not values, so texts
 * with different comments are not compared this way.
 */
export function structuredTexts(old: string, news: string): StructuredTexts | undefined {
  if (old.length > LONGEST || news.length > LONGEST) return undefined;
  const json = both(old, news, fromJson);
  if (json !== undefined) return { format: 'JSON', old: json[0], new: json[1] };
  if (comments(old) !== comments(news)) return undefined;
  const yaml = both(old, news, fromYaml);
  return yaml && { format: 'YAML', old: yaml[0], new: yaml[1] };
}

function both(
  old: string,
  news: string,
  read: (text: string) => PropertyValue | undefined,
): readonly [PropertyValue, PropertyValue] | undefined {
  const a = read(old);
  if (a === undefined) return undefined;
  const b = read(news);
  return b === undefined ? undefined : [a, b];
}

function fromJson(text: string): PropertyValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as PropertyValue;
  } catch {
    return undefined;
  }
}

/** Matches the first line of a YAML document that is a map or a list. */
const BEGINS = /^(?:#.*\n|---.*\n|\s*\n)*(?:- |-\n|["']?[\w./-]+["']?:(?: |\n))/;

function fromYaml(text: string): PropertyValue | undefined {
  if (!text.includes('\n') || !BEGINS.test(text)) return undefined;
  try {
    const documents = parseAllDocuments(text);
    if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return undefined;
    const values = documents.map((document) => document.toJS() as PropertyValue);
    const value = values.length === 1 ? values[0] : values;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const comments = (text: string): string =>
  [...text.matchAll(/(?:^|\s)#.*$/gm)].map(([comment]) => comment.trim()).join('\n');
