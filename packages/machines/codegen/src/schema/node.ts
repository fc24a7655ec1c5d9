import type { Problems } from './problem.js';

/** Position in a schema: reads its content and reports invalid content. */
export class Node {
  constructor(
    readonly value: unknown,
    readonly pointer: string,
    readonly problems: Problems,
  ) {}

  get present(): boolean {
    return this.value !== undefined;
  }

  /**
   * Returns a member. It is absent if this is not an object, or if the member is null, which authors of schemas write
   * for absent.
   */
  at(key: string): Node {
    const own = isRecord(this.value) && Object.hasOwn(this.value, key) ? this.value[key] : undefined;
    return new Node(
      own ?? undefined,
      `${this.pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      this.problems,
    );
  }

  /** Returns members of an object by name, in the order of their names; none if it is absent. */
  members(): readonly (readonly [string, Node])[] {
    if (!this.#isA('an object', this.value === undefined || isRecord(this.value))) return [];
    return Object.keys((this.value as object | undefined) ?? {})
      .sort()
      .map((key) => [key, this.at(key)]);
  }

  /** Returns items of a list; none if it is absent. */
  items(): readonly Node[] {
    if (!this.#isA('a list', this.value === undefined || this.value === null || Array.isArray(this.value)))
      return [];
    return ((this.value ?? []) as readonly unknown[]).map(
      (item, index) => new Node(item, `${this.pointer}/${index}`, this.problems),
    );
  }

  /** Checks that it is an object; otherwise reports a problem. */
  isObject(): boolean {
    return this.#isA('an object', isRecord(this.value));
  }

  text(): string {
    return this.#isA('a string', this.value === undefined || typeof this.value === 'string')
      ? ((this.value as string | undefined) ?? '')
      : '';
  }

  flag(): boolean {
    return this.#isA('true or false', this.value === undefined || typeof this.value === 'boolean')
      ? this.value === true
      : false;
  }

  texts(): readonly string[] {
    return this.items().map((item) => item.text());
  }

  error(message: string, hint: string): void {
    this.problems.error(this.pointer, message, hint);
  }

  warning(message: string, hint: string): void {
    this.problems.warning(this.pointer, message, hint);
  }

  #isA(what: string, holds: boolean): boolean {
    if (!holds) this.error(`must be ${what}, not ${kindOf(this.value)}`, `Make it ${what}, or leave it out.`);
    return holds;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return (
    { string: 'a string', number: 'a number', boolean: 'a boolean' }[typeof value as 'string'] ?? typeof value
  );
}
