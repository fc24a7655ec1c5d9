import type { Problems } from './problem.js';

/** A place in a schema: reads what is there and notes what is not as it must be. */
export class Node {
  constructor(
    readonly value: unknown,
    readonly pointer: string,
    readonly problems: Problems,
  ) {}

  get present(): boolean {
    return this.value !== undefined;
  }

  /** A member; an absent one where this is no object, or where it is null, as writers of schemas mean it. */
  at(key: string): Node {
    const own = isRecord(this.value) && Object.hasOwn(this.value, key) ? this.value[key] : undefined;
    return new Node(
      own ?? undefined,
      `${this.pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      this.problems,
    );
  }

  /** Members of an object by name, in the order of their names; none where it is absent. */
  members(): readonly (readonly [string, Node])[] {
    if (!this.#isA('an object', this.value === undefined || isRecord(this.value))) return [];
    return Object.keys((this.value as object | undefined) ?? {})
      .sort()
      .map((key) => [key, this.at(key)]);
  }

  /** Items of a list; none where it is absent. */
  items(): readonly Node[] {
    if (!this.#isA('a list', this.value === undefined || this.value === null || Array.isArray(this.value)))
      return [];
    return ((this.value ?? []) as readonly unknown[]).map(
      (item, index) => new Node(item, `${this.pointer}/${index}`, this.problems),
    );
  }

  /** Whether it is an object; notes that it is none. */
  isObject(): boolean {
    return this.#isA('an object', isRecord(this.value));
  }

  text(): string {
    return this.#isA('a text', this.value === undefined || typeof this.value === 'string')
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
    { string: 'a text', number: 'a number', boolean: 'a boolean' }[typeof value as 'string'] ?? typeof value
  );
}
