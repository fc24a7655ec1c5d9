/** The parts of a token, `package:module:Name`; a method's name is `Resource/method`. */
interface TokenParts {
  readonly package: string;
  readonly module: string;
  readonly name: string;
}

/** The parts of a token; undefined for a text that is none. A token of two parts is of the root module. */
export function tokenParts(token: string): TokenParts | undefined {
  const parts = token.split(':');
  const [pkg, module, name] = parts.length === 2 ? [parts[0], '', parts[1]] : parts;
  if (parts.length > 3 || !pkg || module === undefined || !name) return undefined;
  return { package: pkg, module, name };
}

/** How a schema's `meta.moduleFormat` takes a folder out of a module. */
export type ModuleFormat = (module: string) => string | undefined;

const whole: ModuleFormat = (module) => module;
const beforeLastSlash: ModuleFormat = (module) => before(module, module.lastIndexOf('/'));
const beforeFirstSlash: ModuleFormat = (module) => before(module, module.indexOf('/'));
const before = (module: string, slash: number) => (slash < 0 ? undefined : module.slice(0, slash));

/**
 * The formats that packages use, by the regular expression that a schema writes for them. Text of a schema never
 * becomes one: such an expression can take longer than anybody waits.
 */
export const MODULE_FORMATS: ReadonlyMap<string, ModuleFormat> = new Map([
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

/** How tokens' modules become folders. */
export interface FolderRules {
  /** Takes the folder out of a token's module; undefined: the module is not of the format. */
  readonly format: ModuleFormat;
  /** Folders that the schema names itself. */
  readonly named: ReadonlyMap<string, string>;
}

/** Longest name of a folder: file systems take 255 bytes. */
const LONGEST_PART = 100;

/** The folder of a token's module: texts between slashes that are fit for file systems; empty for the root. */
export function folderOf(module: string, { format, named }: FolderRules): string {
  const taken = format(module) ?? module;
  const folder = named.get(taken) ?? named.get(module) ?? taken;
  const parts = folder.split('/').map((part) => part.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST_PART));
  return parts.filter((part, index) => part !== '' && !(index === 0 && part === 'index')).join('/');
}
