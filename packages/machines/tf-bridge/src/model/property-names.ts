import { isUnderscore, runAtEnd, runAtStart } from './runs.js';

/** A name that is wanted for an attribute. */
export interface WantedName {
  readonly attribute: string;
  /** In order of preference; the last is made free with a number. */
  readonly names: readonly string[];
  /** It gives way to every other attribute. */
  readonly yields?: boolean;
}

/** `min_upper` as `minUpper`. Underscores at both ends stay; a digit at the beginning gets one before it [TFN-1]. */
export function camelCase(name: string): string {
  const start = runAtStart(name, isUnderscore);
  const end = runAtEnd(name, isUnderscore, start);
  const [first = '', ...words] = name.slice(start, end).split(/[_-]+/);
  const joined = first.charAt(0).toLowerCase() + first.slice(1) + words.map(capital).join('');
  return `${start === 0 && /^\d/.test(joined) ? '_' : name.slice(0, start)}${joined}${name.slice(end)}`;
}

/** The text without underscores at both ends. */
export function trimmed(text: string): string {
  const start = runAtStart(text, isUnderscore);
  return text.slice(start, runAtEnd(text, isUnderscore, start));
}

/** The text with a capital at its beginning. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * A property for each attribute of one object, each another [TFN-3]. Names that are those of their attribute come
 * first, and then by attribute: the result depends on the names alone.
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
    // How many others want a name for want of a better one.
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
 * Makes a function that gives a name with the first number behind it that makes it free. What was not free for it once
 * must not be later: it goes on from the last number of the name.
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
