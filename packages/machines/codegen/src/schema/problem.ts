/** Problem of a schema. */
export interface SchemaProblem {
  /** An error prevents code generation. After a warning the part is left out or generalised. */
  readonly severity: 'error' | 'warning';
  /** JSON pointer (RFC 6901) of the place in the schema. */
  readonly pointer: string;
  readonly message: string;
  /** Instruction that solves the problem. */
  readonly hint: string;
}

/** Problems in the order in which they are found, without duplicates. */
export class Problems {
  readonly list: SchemaProblem[] = [];
  readonly #seen = new Set<string>();

  /** `dangling` is the severity of a reference to a missing definition. */
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
