import { fail } from '@cairn/diagnostics';

/** `runtime.options` of a project file, checked [PRG-3]. */
export interface RuntimeOptions {
  readonly typescript: boolean;
  readonly typecheck: boolean | undefined;
  readonly tsconfig: string | undefined;
  /** Arguments for node itself. */
  readonly nodeargs: readonly string[];
  readonly packagemanager: (typeof PACKAGE_MANAGERS)[number];
  readonly production: boolean;
}

const PACKAGE_MANAGERS = ['auto', 'npm', 'yarn', 'pnpm', 'bun'] as const;

/**
 * Reads the options. A value of the wrong type is the user's error. Names that this host does not know are ignored:
 * others use them.
 */
export function parseRuntimeOptions(options: Readonly<Record<string, unknown>>): RuntimeOptions {
  return {
    typescript: boolean(options, 'typescript') ?? true,
    typecheck: boolean(options, 'typecheck'),
    tsconfig: text(options, 'tsconfig'),
    nodeargs: splitShellWords(text(options, 'nodeargs') ?? ''),
    packagemanager: packageManager(options),
    production: boolean(options, 'production') ?? false,
  };
}

function boolean(options: Readonly<Record<string, unknown>>, name: string): boolean | undefined {
  const value = options[name];
  if (value === undefined || typeof value === 'boolean') return value;
  return wrong(name, 'true or false');
}

function text(options: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = options[name];
  if (value === undefined || typeof value === 'string') return value;
  return wrong(name, 'a string');
}

function packageManager(options: Readonly<Record<string, unknown>>): RuntimeOptions['packagemanager'] {
  const value = text(options, 'packagemanager') ?? 'auto';
  const known = PACKAGE_MANAGERS.find((name) => name === value);
  return known ?? wrong('packagemanager', `one of ${PACKAGE_MANAGERS.join(', ')}`);
}

function wrong(name: string, expected: string): never {
  return fail('CAIRN-PROJECT-INVALID', `the runtime option "${name}" must be ${expected}`, {
    hint: `Correct runtime.options.${name} in the project file.`,
  });
}

/**
 * Splits a line as a shell does: blanks separate, quotes keep together, a backslash takes the next character as it is.
 */
export function splitShellWords(line: string): readonly string[] {
  const found: string[] = [];
  const pattern = /\s*((?:\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|[^\s'"\\])+)/gy;
  let end = 0;
  for (let match = pattern.exec(line); match !== null; match = pattern.exec(line)) {
    end = pattern.lastIndex;
    found.push(unquote(match[1] as string));
  }
  if (line.slice(end).trim() !== '') wrong('nodeargs', 'arguments with matching quotes');
  return found;
}

function unquote(word: string): string {
  return word.replace(
    /\\([^])|'([^']*)'|"((?:\\[^]|[^"\\])*)"/g,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? (double ?? '').replace(/\\(["\\$`])/g, '$1'),
  );
}
