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
  const [, before = '', middle = '', after = ''] = /^(_*)(.*?)(_*)$/s.exec(name) ?? [];
  const [first = '', ...words] = middle.split(/[_-]+/);
  const joined = first.charAt(0).toLowerCase() + first.slice(1) + words.map(capital).join('');
  return `${before === '' && /^\d/.test(joined) ? '_' : before}${joined}${after}`;
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
  const inOrder = [...wanted].sort((a, b) => rank(a) - rank(b) || (a.attribute < b.attribute ? -1 : 1));
  for (const { attribute, names } of inOrder) {
    const others = new Set([...plain].filter(([other]) => other !== attribute).map(([, name]) => name));
    const last = names.at(-1) ?? attribute;
    const free = names.find((name) => !taken.has(name) && (name === last || !others.has(name)));
    const name = free ?? numbered(last, (each) => taken.has(each) || others.has(each));
    taken.add(name);
    given.set(attribute, name);
  }
  return given;
}

const rank = ({ attribute, names, yields }: WantedName): number =>
  yields === true ? 2 : names.at(-1) === attribute ? 0 : 1;

/** The name with the first number behind it that makes it free. */
export function numbered(name: string, taken: (name: string) => boolean): string {
  for (let at = 2; ; at += 1) if (!taken(`${name}_${at}`)) return `${name}_${at}`;
}
