/**
 * Functions that translated programs take from a file beside them, since nothing that Node or the SDK has means quite
 * the same. The text of each is what the file gets.
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
  can: `/** Whether a value can be computed. */
export function can(value: () => unknown): boolean {
  try {
    value();
    return true;
  } catch {
    return false;
  }
}`,
  entries: `/** Keys and values of an object in the order of the keys, or of a list. */
export function entries(of: any): readonly { readonly key: any; readonly value: any }[] {
  return pairs(of).map(([key, value]) => ({ key, value }));
}`,
  graphemes: `/** How many characters a reader sees. */
export function graphemes(text: string): number {
  return [...new Intl.Segmenter().segment(text)].length;
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
  notImplemented: `/** Stands for what nobody has translated. */
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
  run: `/** Runs a command to its end; throws when it fails. */
export function run([command = '', ...args]: readonly string[]): void {
  execFileSync(command, args, { stdio: 'inherit' });
}`,
  singleOrNone: `/** The only item of a list, or nothing. */
export function singleOrNone<T>(list: readonly T[]): T | null {
  if (list.length > 1) throw new Error('singleOrNone expected input list to have a single element');
  return list[0] ?? null;
}`,
} as const;

export type SupportName = keyof typeof SUPPORT;

const NEEDS: Readonly<Partial<Record<SupportName, SupportName>>> = { entries: 'pairs' };

/** The file of the functions that a project uses; undefined: it uses none. */
export function supportFile(used: ReadonlySet<SupportName>): string | undefined {
  if (used.size === 0) return undefined;
  const all = new Set([...used].flatMap((name) => [name, NEEDS[name] ?? name]));
  const imports = all.has('run') ? ["import { execFileSync } from 'node:child_process';"] : [];
  const texts = [...all].sort().map((name) => SUPPORT[name]);
  return `${[...imports, ...texts].join('\n\n')}\n`;
}
