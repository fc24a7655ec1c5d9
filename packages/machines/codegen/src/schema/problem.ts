/** Something that is wrong with a schema. */
export interface SchemaProblem {
  /** Errors keep code from being generated; what a warning is about is left out or taken for something general. */
  readonly severity: 'error' | 'warning';
  /** JSON pointer (RFC 6901) of the place in the schema. */
  readonly pointer: string;
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** Problems as they are found, without repeating any. */
export class Problems {
  readonly list: SchemaProblem[] = [];
  readonly #seen = new Set<string>();

  /** `dangling`: how grave a reference is to what the schema has not. */
  constructor(readonly dangling: SchemaProblem['severity'] = 'error') {}

  error(pointer: string, message: string, hint: string): void {
    this.#add({ severity: 'error', pointer, message, hint });
  }

  warning(pointer: string, message: string, hint: string): void {
    this.#add({ severity: 'warning', pointer, message, hint });
  }

  #add(problem: SchemaProblem): void {
    const key = `${problem.pointer}\n${problem.message}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.list.push(problem);
  }
}
