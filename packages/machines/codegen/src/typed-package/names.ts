import { capital } from '@cairn/addresses';

/** Words that cannot name an export of strict code, and globals that declarations need. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private protected public return ' +
    'static super switch this throw true try typeof undefined var void while with yield async ' +
    'any bigint boolean never number object string symbol type unknown globalThis Promise'
  ).split(' '),
);

/** Names of one scope, each assigned once. A name that is taken or reserved gets a trailing underscore. */
export class NameScope {
  readonly #given: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#given = new Set(taken);
  }

  claim(wanted: string): string {
    let name = wanted;
    while (this.#given.has(name) || RESERVED.has(name)) name += '_';
    this.#given.add(name);
    return name;
  }
}

/** Maximum length of a file's name. File systems allow 255 bytes, including the extension. */
const LONGEST_FILE = 100;

/** {@link NameScope} for files, because file systems may not distinguish upper and lower case. */
export class FileScope {
  readonly #given: Set<string>;

  constructor(taken: Iterable<string>) {
    this.#given = new Set(taken);
  }

  claim(wanted: string): string {
    let name = wanted.slice(0, LONGEST_FILE);
    while (this.#given.has(name.toLowerCase())) name += '_';
    this.#given.add(name.toLowerCase());
    return name;
  }
}

/** Converts a text to a name: an invalid character begins a new word. */
export function identifier(text: string): string {
  const words = text.split(/[^A-Za-z0-9_$]+/).filter((word) => word !== '');
  const joined = words.map((word, index) => (index === 0 ? word : capital(word))).join('');
  return /^[A-Za-z_$]/.test(joined) ? joined : `_${joined}`;
}

export function className(text: string): string {
  return capital(identifier(text));
}

export function functionName(text: string): string {
  const name = identifier(text);
  return name.charAt(0).toLowerCase() + name.slice(1);
}
