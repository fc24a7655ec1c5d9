/** Words that cannot name a variable in strict code, and globals that generated code or its reader needs. */
const TAKEN = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private protected public return ' +
    'static super switch this throw true try type typeof undefined var void while with yield async of get set ' +
    'Array Buffer Infinity NaN Object Promise String Uint8Array console exports global globalThis module process require'
  ).split(' '),
);

/** Joins the parts of a path to one name in camel case. */
export const camelIdentifier = (path: readonly (string | number)[]): string => camelCase(path.join('.'));

function camelCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word, index) => (index === 0 ? lower(word) : upper(word))).join('');
}

/** Names for variables of a program: readable, valid, each assigned once. */
export class Identifiers {
  readonly #given = new Set<string>(TAKEN);

  /** `reserved` are names that the program uses otherwise. */
  constructor(reserved: readonly string[] = []) {
    for (const name of reserved) this.#given.add(name);
  }

  /** Returns a name like the text, in camel case; numbered if another text has it. */
  claim(text: string): string {
    const name = camelCase(text);
    return this.#free(/^[A-Za-z]/.test(name) ? name : `resource${upper(name)}`);
  }

  /** Returns true if a name is assigned, or cannot be used. */
  has(name: string): boolean {
    return this.#given.has(name);
  }

  /** {@link claim} for a class. */
  claimClass(text: string): string {
    const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const pascal = words.map(upper).join('');
    return this.#free(/^[A-Za-z]/.test(pascal) ? pascal : `Resource${pascal}`);
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#given.has(name); count += 1) name = `${wanted}${count}`;
    this.#given.add(name);
    return name;
  }
}

function lower(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}

function upper(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
