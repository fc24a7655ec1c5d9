import { capital } from '@cairn/addresses';
import { isUnderscore, runAtEnd, runAtStart } from './runs.js';

/** Candidate names for an attribute. */
export interface WantedName {
  readonly attribute: string;
  /** Names in order of preference. The last one gets a number if it is taken. */
  readonly names: readonly string[];
  /** True if it gives way to every other attribute. */
  readonly yields?: boolean;
}

/** Converts `min_upper` to `minUpper`. Underscores at both ends remain; a leading digit gets one before it [TFN-1]. */
export function camelCase(name: string): string {
  const start = runAtStart(name, isUnderscore);
  const end = runAtEnd(name, isUnderscore, start);
  const [first = '', ...words] = name.slice(start, end).split(/[_-]+/);
  const joined = first.charAt(0).toLowerCase() + first.slice(1) + words.map(capital).join('');
  return `${start === 0 && /^\d/.test(joined) ? '_' : name.slice(0, start)}${joined}${name.slice(end)}`;
}

/** Returns the text without underscores at both ends. */
export function trimmed(text: string): string {
  const start = runAtStart(text, isUnderscore);
  return text.slice(start, runAtEnd(text, isUnderscore, start));
}

/**
 * Returns a distinct property for each attribute of one object [TFN-3]. Names equal to their attribute come first, then
 * names in the order of attributes: the result depends on the names alone.
 */
export function distinct(
  wanted: readonly WantedName[],
  reserved: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const taken = new Set(reserved);
  const given = new Map<string, string>();
  const plain = new Map<string, string>();
  for (const { attribute, names } of wanted) plain.set(attribute, names.at(-1) ?? attribute);
  const wanting = new Map<string, number>();
  for (const name of plain.values()) wanting.set(name, (wanting.get(name) ?? 0) + 1);
  const number = numbering();
  const inOrder = [...wanted].sort((a, b) => rank(a) - rank(b) || (a.attribute < b.attribute ? -1 : 1));
  for (const { attribute, names } of inOrder) {
    const last = names.at(-1) ?? attribute;
    // Other attributes may want the name because they have no better one.
    const isWanted = (name: string) => (wanting.get(name) ?? 0) > (plain.get(attribute) === name ? 1 : 0);
    const free = names.find((name) => !taken.has(name) && (name === last || !isWanted(name)));
    const name = free ?? number(last, (each) => taken.has(each) || isWanted(each));
    taken.add(name);
    given.set(attribute, name);
  }
  return given;
}

const rank = ({ attribute, names, yields }: WantedName): number =>
  yields === true ? 2 : names.at(-1) === attribute ? 0 : 1;

/**
 * Returns a function that makes a name unique by appending the first free number. Numbers are never reused: it
 * continues from the last number of the name.
 */
export function numbering(separator = '_'): (name: string, taken: (name: string) => boolean) => string {
  const next = new Map<string, number>();
  return (name, taken) => {
    let at = next.get(name) ?? 2;
    while (taken(`${name}${separator}${at}`)) at += 1;
    next.set(name, at + 1);
    return `${name}${separator}${at}`;
  };
}
