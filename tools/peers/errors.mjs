// Returns the sort of an error, and the resources it is about: what two tools can agree in, whatever words each has for
// it. Pure.

/**
 * Sorts of errors: their names, our codes for them, and words of the other tool. The first that fits counts. Texts of a
 * provider or a program begin with `said: `.
 */
const SORTS = [
  ['usage', ['CAIRN-USAGE'], /^unknown (shorthand )?flag|cannot be used together|^requires at least/],
  ['configuration', ['CAIRN-CONFIG-INVALID'], /^invalid config(uration)? key/],
  ['others depend on it', ['CAIRN-STATE-RESOURCE'], /can't be safely deleted/],
  ['changes where none were expected', ['CAIRN-UNEXPECTED-CHANGES'], /^no changes were expected/],
  ['the whole operation', [], /^(preview|update|refresh|destroy|import) failed/],
  ['protected', ['CAIRN-RESOURCE-PROTECTED'], /marked for protection|because it is protected/],
  ['not there', ['CAIRN-RESOURCE-MISSING'], /^resource '[^']*' does not exist/],
  ['inputs refused', ['CAIRN-RESOURCE-CHECK'], /has a problem: /],
  ['asset', ['CAIRN-RESOURCE-ASSET'], /failed to compute (asset|archive) hash/],
  ['no id', ['CAIRN-RESOURCE-OPTION'], /^Expected an ID for /],
  ['half done', ['CAIRN-RESOURCE-INIT-FAILED'], /^\d+ errors? occurred:\s+\* said: /],
  ['program', ['CAIRN-PROGRAM-FAILED', 'CAIRN-PROGRAM-LOG'], /^(Running program |Error: |Undefined value )/],
];

/**
 * Returns the sort of an error or a warning: ours by its code, the other tool's by its words. A message that begins
 * with `said: ` is a provider's if it is about a resource, and the program's otherwise. One that is in no row is of a
 * sort of its own.
 */
export function sortOf(text, code, urn) {
  const words = text.replace(HEAD, '');
  const row = SORTS.find(([, codes, pattern]) =>
    code === undefined ? pattern.test(words) : codes.includes(code),
  );
  if (row !== undefined) return row[0];
  if (code === 'CAIRN-RESOURCE-FAILED') return 'provider';
  if (code === undefined && words.startsWith('said: ')) return urn === undefined ? 'program' : 'provider';
  return `not known: ${code ?? words.split('\n')[0]}`;
}

const HEAD = /^(error|warning)(\[[\w-]+\])?: /;

/** Returns the resources that an error is about: its own one, and those that its text names, as `type::name`. */
export function aboutOf(text, urn) {
  const named = [...text.matchAll(URN)].map(([, type, name]) => `${type}::${name}`);
  const quoted = [...text.matchAll(/\b([\w-]+:\w+:[\w/]+) (?:resource )?["']([^"']+)["']/g)].map(
    ([, type, name]) => `${type}::${name}`,
  );
  const all = [...(urn === undefined ? [] : aboutOf(urn)), ...named, ...quoted];
  return [...new Set(all)].sort();
}

const URN = /urn:pulumi:[\w-]+::[\w-]+::(?:[^\s:"'$]+:[^\s"'$]*\$)*([^\s"'$]+?)::([^\s"',;:()]+)/g;

/** The errors that a command has printed for people, each as `{ sort, about }`. */
export function printedErrors(text) {
  const starts = /^error(?:\[([\w-]+)\])?: .*(?:\n(?!\S).*)*/gm;
  return [...text.matchAll(starts)].map(([whole, code]) => ({
    sort: sortOf(whole, code),
    about: aboutOf(whole),
  }));
}
