import { capital } from '@cairn/addresses';
import { camelCase, numbering } from './property-names.js';

const DIGITS = ['Zero', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/**
 * Returns the common beginning of all resource types, up to their first underscore. Undefined if they differ, or if
 * there are none.
 */
export function commonPrefix(types: Iterable<string>): string | undefined {
  const prefixes = new Set([...types].map((type) => type.split('_', 1)[0] ?? ''));
  const [only] = prefixes;
  return prefixes.size === 1 && only !== '' ? only : undefined;
}

/** Converts `random_string` to `String`. A type that is only the prefix keeps it, and a leading digit starts a word. */
export function typeName(type: string, prefix: string | undefined): string {
  const start = `${prefix}_`;
  const own = prefix !== undefined && type.startsWith(start) && type.length > start.length;
  const name = camelCase(own ? type.slice(start.length) : type).replace(/^_+/, '');
  return capital(name.replace(/^\d/, (digit) => DIGITS[Number(digit)] ?? digit));
}

/** Returns a token such as `pkg:index/string:String`. */
export const resourceToken = (packageName: string, name: string): string =>
  `${packageName}:index/${lower(name)}:${name}`;

/** Returns a token such as `pkg:index/getFile:getFile`. */
export const functionToken = (packageName: string, name: string): string =>
  `${packageName}:index/${lower(name)}:${lower(name)}`;

const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/**
 * Names of one kind, no two of which differ only in capitals [TFN-4]. The one whose Terraform name sorts later gets a
 * number. Names from the mapping come first.
 */
export class TypeNames {
  readonly #taken: Set<string>;
  readonly #number = numbering('');

  constructor(given: Iterable<string> = []) {
    this.#taken = new Set([...given].map((each) => each.toLowerCase()));
  }

  /** Claims the name, with a number if it is taken. */
  claim(name: string): string {
    const isTaken = (each: string) => this.#taken.has(each.toLowerCase());
    const free = isTaken(name) ? this.#number(name, isTaken) : name;
    this.#taken.add(free.toLowerCase());
    return free;
  }
}
