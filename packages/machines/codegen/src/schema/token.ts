/** Parts of a token, `package:module:Name`; a method's name is `Resource/method`. */
interface TokenParts {
  readonly package: string;
  readonly module: string;
  readonly name: string;
}

/**
 * Splits a token into its parts; undefined for a text that is not a token. A token of two parts belongs to the root
 * module.
 */
export function tokenParts(token: string): TokenParts | undefined {
  const parts = token.split(':');
  const [pkg, module, name] = parts.length === 2 ? [parts[0], '', parts[1]] : parts;
  if (parts.length > 3 || !pkg || module === undefined || !name) return undefined;
  return { package: pkg, module, name };
}

/** Extracts a folder from a module, as a schema's `meta.moduleFormat` defines it. */
export type ModulePathFormat = (module: string) => string | undefined;

const whole: ModulePathFormat = (module) => module;
const beforeLastSlash: ModulePathFormat = (module) => before(module, module.lastIndexOf('/'));
const beforeFirstSlash: ModulePathFormat = (module) => before(module, module.indexOf('/'));
const before = (module: string, slash: number) => (slash < 0 ? undefined : module.slice(0, slash));

/**
 * Formats that packages use, by the regular expression in their schemas. Text of a schema never becomes a regular
 * expression: such an expression can run practically forever.
 */
export const MODULE_FORMATS: ReadonlyMap<string, ModulePathFormat> = new Map([
  ['', whole],
  ['(.*)', whole],
  ['(.+)', whole],
  ['(.*)(?:/[^/]*)', beforeLastSlash],
  ['(.*)/[^/]*', beforeLastSlash],
  ['(.*)(?:/.*)', beforeLastSlash],
  ['(.*)/.*', beforeLastSlash],
  ['(.*?)(?:/.*)', beforeFirstSlash],
  ['(.*?)/.*', beforeFirstSlash],
  ['([^/]*)(?:/.*)', beforeFirstSlash],
  ['([^/]*)/.*', beforeFirstSlash],
]);

/** Rules for folders of tokens' modules. */
export interface FolderRules {
  /** Extracts the folder from a token's module; undefined if the module does not match the format. */
  readonly format: ModulePathFormat;
  /** Folders that the schema names itself. */
  readonly named: ReadonlyMap<string, string>;
}

/** Maximum length of a folder's name: file systems allow 255 bytes. */
const LONGEST_PART = 100;

/** Returns the folder of a token's module: parts between slashes that are valid in file systems; empty for the root. */
export function folderOf(module: string, { format, named }: FolderRules): string {
  const taken = format(module) ?? module;
  const folder = named.get(taken) ?? named.get(module) ?? taken;
  const parts = folder.split('/').map((part) => part.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST_PART));
  return parts.filter((part, index) => part !== '' && !(index === 0 && part === 'index')).join('/');
}
