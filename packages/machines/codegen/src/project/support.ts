/**
 * Functions in the support file of translated programs: nothing in Node or the SDK means quite the same. Each text is
 * copied into the file.
 */
export const SUPPORT = {
  attempt: `/** The first of these that can be computed. */
export function attempt(...values: readonly (() => any)[]): any {
  let error: unknown;
  for (const value of values) {
    try {
      return value();
    } catch (thrown) {
      error = thrown;
    }
  }
  throw error;
}`,
  can: `/** True if a value can be computed. */
export function can(value: () => unknown): boolean {
  try {
    value();
    return true;
  } catch {
    return false;
  }
}`,
  element: `/** The item at an index; one past either end of the list continues at the other. */
export function element<T>(list: readonly T[], index: number): T {
  if (list.length === 0) throw new Error('element: the list is empty');
  return list.at(Math.trunc(index) % list.length) as T;
}`,
  entries: `/** Keys and values of an object in the order of the keys, or of a list. */
export function entries(of: any): readonly { readonly key: any; readonly value: any }[] {
  return pairs(of).map(([key, value]) => ({ key, value }));
}`,
  graphemes: `/** How many characters a reader sees. */
export function graphemes(text: string): number {
  return [...new Intl.Segmenter().segment(text)].length;
}`,
  grouped: `/** An object of lists: the values of each key, in order. */
export function grouped(entries: readonly any[]): Record<string, readonly any[]> {
  const lists = new Map<string, any[]>();
  for (const [key, value] of entries) {
    const list = lists.get(keyText(key));
    if (list === undefined) lists.set(keyText(key), [value]);
    else list.push(value);
  }
  return Object.fromEntries(lists);
}`,
  keyText: `/** A key of an object as a text. */
export function keyText(key: unknown): string {
  if (typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean') return String(key);
  throw new Error('a text was expected as a key');
}`,
  keyed: `/** An object of keys and values; no key may be there twice. */
export function keyed(entries: readonly any[]): Record<string, any> {
  const values = new Map<string, any>();
  for (const [key, value] of entries) {
    if (values.has(keyText(key))) throw new Error(\`"for" makes the key "\${key}" twice\`);
    values.set(keyText(key), value);
  }
  return Object.fromEntries(values);
}`,
  length: `/** The length of a text in what a reader takes for characters, or how much is in a list or an object. */
export function length(of: any): number {
  if (typeof of === 'string') return [...new Intl.Segmenter().segment(of)].length;
  return Array.isArray(of) ? of.length : Object.keys(of).length;
}`,
  list: `/** A list as it is; anything else as a list of one, or of none. */
export function list(of: any): readonly any[] {
  if (Array.isArray(of)) return of;
  return of === undefined || of === null ? [] : [of];
}`,
  member: `/** A property that has to be there. */
export function member(of: any, key: string | number): any {
  if (typeof of === 'object' && of !== null && Object.hasOwn(of, key)) return of[key];
  throw new Error(\`there is no \${key}\`);
}`,
  notImplemented: `/** Marks code that could not be translated. */
export function notImplemented(what: string): never {
  throw new Error(\`not implemented: \${what}\`);
}`,
  pairs: `/** Keys and values of an object in the order of the keys, or of a list. */
export function pairs(of: any): readonly (readonly [any, any])[] {
  if (Array.isArray(of)) return of.map((value, index) => [index, value]);
  return Object.keys(of)
    .sort()
    .map((key) => [key, of[key]]);
}`,
  range: `/** The numbers before one, or from one to before another; without a step, downwards where that is less. */
export function range(fromOrTo: number, end?: number, by?: number): readonly number[] {
  const [from, to] = end === undefined ? [0, fromOrTo] : [fromOrTo, end];
  const step = by ?? (to < from ? -1 : 1);
  if (step === 0 || step * (to - from) < 0) throw new Error('range: the step never reaches the end');
  const length = Math.ceil((to - from) / step);
  if (length > 100_000) throw new Error('range: more than 100000 numbers');
  return Array.from({ length }, (_, index) => from + index * step);
}`,
  run: `/** Runs a command to its end; throws when it fails. */
export function run([command = '', ...args]: readonly string[]): void {
  execFileSync(command, args, { stdio: 'inherit' });
}`,
  same: `/** True if two values are equal, lists and objects by what is in them. */
export function same(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a ?? null, b ?? null);
}`,
  singleOrNone: `/** The only item of a list, or nothing. */
export function singleOrNone<T>(list: readonly T[]): T | null {
  if (list.length > 1) throw new Error('singleOrNone expected input list to have a single element');
  return list[0] ?? null;
}`,
  truth: `/** True or false, or the text of one of them. */
export function truth(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new Error('true or false was expected');
}`,
} as const;

export type SupportName = keyof typeof SUPPORT;

const NEEDS: Readonly<Partial<Record<SupportName, SupportName>>> = {
  entries: 'pairs',
  grouped: 'keyText',
  keyed: 'keyText',
};

/** Returns the file of the functions that a project uses, or undefined if it uses none. */
export function supportFile(used: ReadonlySet<SupportName>): string | undefined {
  if (used.size === 0) return undefined;
  const all = new Set([...used].flatMap((name) => [name, NEEDS[name] ?? name]));
  const imports = [
    ...(all.has('run') ? ["import { execFileSync } from 'node:child_process';"] : []),
    ...(all.has('same') ? ["import { isDeepStrictEqual } from 'node:util';"] : []),
  ];
  const texts = [...all].sort().map((name) => SUPPORT[name]);
  const head = imports.length === 0 ? [] : [imports.join('\n')];
  return `${[...head, ...texts].join('\n\n')}\n`;
}
