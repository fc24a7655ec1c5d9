/**
 * What a program's tsconfig decides about how its sources are made into JavaScript. Plain JSON: it travels to the
 * loader.
 */
export interface CompilerSettings {
  /** Compiler options as esbuild knows them, with everything that is inherited; class fields are always decided. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Names that stand for files of the program; absent: none. */
  readonly paths?: PathSettings | undefined;
  /** A TypeScript compiler that takes sources instead of esbuild; absent: none. */
  readonly typescript?: TypeScriptCompiler | undefined;
}

/**
 * A compiler that is installed, and the sources that it is for. `all`: those of programs whose SDK writes the text of
 * functions into state, so that it is the text that the SDK's own loader would give. `decorators`: those that may have
 * some, since it writes the types of decorated members.
 */
export interface TypeScriptCompiler {
  readonly path: string;
  readonly version: string;
  /** Compiler options as a tsconfig has them; class fields and JSX are decided. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly sources: 'all' | 'decorators';
}

/** `paths` and `baseUrl` of a tsconfig. */
export interface PathSettings {
  /** Absolute targets by pattern; a pattern and its targets have at most one `*`. */
  readonly patterns: Readonly<Record<string, readonly string[]>>;
  /** Directory in which other names are looked up. */
  readonly baseUrl?: string | undefined;
}

/**
 * The settings that compiler options stand for. Fields that are only declared are emitted, and so reset what a base
 * class has set, only when the options ask for it: by `useDefineForClassFields`, or by naming a target whose default
 * that is. Without a target it is not asked for, whatever the default target of a compiler's version.
 */
export function compilerSettings(options: Readonly<Record<string, unknown>>): CompilerSettings {
  const decided = decidedOptions(options);
  return {
    options: Object.fromEntries(KNOWN.flatMap((key) => (key in decided ? [[key, decided[key]]] : []))),
  };
}

/**
 * The options with what is different here: class fields are decided, and JSX is never left in place, where node cannot
 * run it.
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

/** Options that change what is emitted for one file. */
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
