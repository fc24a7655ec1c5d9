/** Settings of a program's tsconfig for compiling its sources to JavaScript. Plain JSON: they travel to the loader. */
export interface CompilerSettings {
  /** Compiler options as esbuild knows them, including inherited ones. Class fields are always set. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Names that represent files of the program. Defaults to none. */
  readonly paths?: PathSettings | undefined;
  /** TypeScript compiler that takes sources instead of esbuild. Defaults to none. */
  readonly typescript?: TypeScriptCompiler | undefined;
}

/**
 * Installed compiler, and the sources that it compiles. `all`: those of programs whose SDK writes the text of functions
 * into state, so that it is the text that the SDK's own loader would give. `decorators`: those that may have some,
 * because it writes the types of decorated members.
 */
export interface TypeScriptCompiler {
  readonly path: string;
  readonly version: string;
  /** Compiler options as a tsconfig has them. Class fields and JSX are set. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly sources: 'all' | 'decorators';
}

/** `paths` and `baseUrl` of a tsconfig. */
export interface PathSettings {
  /** Absolute targets by pattern. A pattern and its targets have at most one `*`. */
  readonly patterns: Readonly<Record<string, readonly string[]>>;
  /** Directory in which other names are looked up. */
  readonly baseUrl?: string | undefined;
}

/**
 * Returns the settings for compiler options. Emitted declarations of fields reset values that a base class has set.
 * They are only emitted when the options ask for it: by `useDefineForClassFields`, or by a target that has this
 * default. Without a target they are not, whatever the default target of a compiler's version.
 */
export function compilerSettings(options: Readonly<Record<string, unknown>>): CompilerSettings {
  const decided = decidedOptions(options);
  return {
    options: Object.fromEntries(KNOWN.flatMap((key) => (key in decided ? [[key, decided[key]]] : []))),
  };
}

/**
 * Returns the options with our differences: class fields are set, and JSX is always compiled, because Node cannot run
 * it.
 */
export function decidedOptions(
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return {
    ...options,
    ...(/^(?:preserve|react-native)$/i.test(String(options['jsx'])) ? { jsx: 'react' } : {}),
    useDefineForClassFields: definesFields(options),
  };
}

/** Options that change the emitted code of one file. */
const KNOWN = [
  'alwaysStrict',
  'experimentalDecorators',
  'importsNotUsedAsValues',
  'jsx',
  'jsxFactory',
  'jsxFragmentFactory',
  'jsxImportSource',
  'preserveValueImports',
  'strict',
  'useDefineForClassFields',
  'verbatimModuleSyntax',
] as const;

function definesFields({
  useDefineForClassFields: asked,
  target,
}: Readonly<Record<string, unknown>>): boolean {
  if (typeof asked === 'boolean') return asked;
  const named = /^es(next|\d+)$/i.exec(String(target));
  return named !== null && (named[1]?.toLowerCase() === 'next' || Number(named[1]) >= 2022);
}
