import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fail } from '@cairn/diagnostics';
import { parse, printParseErrorCode } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';

type Options = Readonly<Record<string, unknown>>;

/** Compiler options with everything inherited. Relative paths among them are made absolute. */
export interface Tsconfig {
  readonly path: string;
  readonly options: Options;
  /** Settings of ts-node, with everything inherited. */
  readonly tsNode: Options;
}

/** Settings of a tsconfig and those that it extends. */
type Said = Pick<Tsconfig, 'options' | 'tsNode'>;

/**
 * Reads a tsconfig file with those that it extends. Throws CAIRN-PROGRAM-LOAD when one of them is missing or is not
 * JSON (comments and trailing commas are allowed).
 */
export function readTsconfig(path: string): Tsconfig {
  const { options, tsNode } = inherited(path, [], '');
  return { path, options: withConfigDirectory(options, dirname(path)), tsNode };
}

function inherited(path: string, seen: readonly string[], neededBy: string): Said {
  if (seen.includes(path)) return unusable(path, `it extends itself: ${[...seen, path].join(' → ')}`);
  const { extends: parents, compilerOptions, 'ts-node': tsNode } = contentOf(path, neededBy);
  const names = (Array.isArray(parents) ? parents : [parents]).filter((name) => typeof name === 'string');
  const bases = names.map((name) => inherited(extended(path, name), [...seen, path], path));
  const merged = (key: keyof Said, own: Options): Options =>
    Object.assign({}, ...bases.map((base) => base[key]), own) as Options;
  return {
    options: merged('options', absolute(compilerOptions ?? {}, dirname(path))),
    tsNode: merged('tsNode', tsNode ?? {}),
  };
}

interface Content {
  readonly extends?: unknown;
  readonly compilerOptions?: Options;
  readonly 'ts-node'?: Options;
}

function contentOf(path: string, neededBy: string): Content {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    return fail(
      'CAIRN-PROGRAM-LOAD',
      `cannot read the tsconfig file ${path}${neededBy === '' ? '' : `, which ${neededBy} extends`}`,
      { causes: [(cause as Error).message], hint: 'Correct its path, or create the file.' },
      cause,
    );
  }
  const errors: ParseError[] = [];
  const content: unknown = parse(text.replace(/^\uFEFF/, ''), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    return unusable(path, `line ${line}: ${printParseErrorCode(first.error)}`);
  }
  if (content === undefined || content === null) return {};
  if (typeof content !== 'object' || Array.isArray(content)) return unusable(path, 'it is not an object');
  return content;
}

/** Returns the path of a file that is extended: beside the file that names it, or in an installed package. */
function extended(from: string, name: string): string {
  const candidates = [name, `${name}.json`];
  if (name.startsWith('.') || isAbsolute(name)) {
    const paths = candidates.map((candidate) => resolve(dirname(from), candidate));
    return paths.find(isReadable) ?? (paths[0] as string);
  }
  const require = createRequire(from);
  for (const candidate of [...candidates, `${name}/tsconfig.json`]) {
    try {
      const found = require.resolve(candidate);
      if (found.endsWith('.json')) return found;
    } catch {
      continue;
    }
  }
  return unusable(from, `it extends "${name}", which is not installed`);
}

function isReadable(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Makes options absolute whose relative paths refer to the directory of their own file. */
function absolute(options: Options, directory: string): Options {
  const { baseUrl, paths } = options;
  return {
    ...options,
    ...(typeof baseUrl === 'string' ? { baseUrl: located(directory, baseUrl) } : {}),
    ...(typeof paths === 'object' && paths !== null ? { pathsBase: directory } : {}),
  };
}

const CONFIG_DIRECTORY = '${configDir}';

const located = (directory: string, path: string): string =>
  path.startsWith(CONFIG_DIRECTORY) ? path : resolve(directory, path);

/** Replaces `${configDir}` by the directory of the file that is read, also in those that it extends. */
function withConfigDirectory(options: Options, directory: string): Options {
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.startsWith(CONFIG_DIRECTORY)
        ? join(directory, value.slice(CONFIG_DIRECTORY.length))
        : value;
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replace(member)]));
  };
  return replace(options) as Options;
}

function unusable(path: string, cause: string): never {
  return fail('CAIRN-PROGRAM-LOAD', `cannot use the tsconfig file ${path}`, {
    causes: [cause],
    hint: 'Correct the file.',
  });
}
