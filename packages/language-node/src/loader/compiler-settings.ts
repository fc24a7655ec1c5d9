/** What a program's tsconfig decides about how its sources are made into JavaScript. Plain JSON: it travels to the loader. */
export interface CompilerSettings {
  /** Compiler options as esbuild knows them, with everything that is inherited; class fields are always decided. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Names that stand for files of the program; absent: none. */
  readonly paths?: PathSettings | undefined;
  /** Path of the compiler that writes the types of decorated members; absent: they are not asked for. */
  readonly metadataCompiler?: string | undefined;
}

/** `paths` and `baseUrl` of a tsconfig. */
export interface PathSettings {
  /** Absolute targets by pattern; a pattern and its targets have at most one `*`. */
  readonly patterns: Readonly<Record<string, readonly string[]>>;
  /** Directory in which other names are looked up. */
  readonly baseUrl?: string | undefined;
}

/**
 * The settings that compiler options stand for. Fields that are only declared are emitted, and so reset what a base class
 * has set, only when the options ask for it: by `useDefineForClassFields`, or by naming a target whose default that is.
 * Without a target it is not asked for, whatever the default target of a compiler's version.
 */
export function compilerSettings(options: Readonly<Record<string, unknown>>): CompilerSettings {
  const known = Object.fromEntries(KNOWN.flatMap((key) => (key in options ? [[key, options[key]]] : [])));
  return {
    options: {
      ...known,
      // Node cannot run what these two leave in place.
      ...(/^(?:preserve|react-native)$/i.test(String(options['jsx'])) ? { jsx: 'react' } : {}),
      useDefineForClassFields: definesFields(options),
    },
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
