/**
 * Rewrites how transpiled CommonJS code imports modules, so that an imported module stays the object that `require`
 * returned wherever the language allows it. The Pulumi SDK needs that: it serialises functions of dynamic providers and
 * recognises captured modules by identity.
 *
 * - `import * as x` binds the module itself unless the code asks for `x.default`.
 * - A default import binds the module itself when it was compiled from ES syntax and so has a `default`; otherwise an
 *   object that holds the module as its `default`, and nothing else unless the code asks for more.
 *
 * `code` is esbuild's output in the `cjs` format. Lines stay where they are, so that its source map stays right.
 */
export function keepModuleIdentity(code: string): string {
  const used = new Set<Interop>();
  const rewritten = code.replace(IMPORT_LINE, (_line, head: string, name: string, required: string) => {
    const interop = interopOf(name, code);
    used.add(interop);
    return `${head}${interop === 'module' ? required : `__cairn_${interop}(${required})`};`;
  });
  // Function declarations are hoisted above the imports that use them.
  const declarations = [...used].map((interop) => DECLARATIONS[interop]).filter((line) => line !== '');
  return [rewritten.trimEnd(), ...declarations, ''].join('\n');
}

/**
 * Matches `var name = __toESM(require("x"));`. With a second argument the file asks for node's own rule, which stays.
 */
const IMPORT_LINE = /^((?:var|const|let) ([\w$]+) = )__toESM\((require\("(?:[^"\\]|\\.)*"\))\);$/gm;

/** Binding of an import: the module, an object with it as `default`, or a namespace with all its members. */
type Interop = 'module' | 'default' | 'namespace';

const DECLARATIONS = {
  module: '',
  default: 'function __cairn_default(mod) { return mod && mod.__esModule ? mod : { default: mod }; }',
  namespace: 'function __cairn_namespace(mod) { return mod && mod.__esModule ? mod : __toESM(mod); }',
} as const satisfies Record<Interop, string>;

/**
 * Returns the binding of an import. esbuild names an import `import_…` unless the source itself binds the whole
 * namespace.
 */
function interopOf(name: string, code: string): Interop {
  const uses =
    code.match(
      new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])(?:\\.default(?![\\w$]))?`, 'g'),
    ) ?? [];
  const ofDefault = uses.filter((use) => use.endsWith('.default')).length;
  if (!name.startsWith('import_')) return ofDefault === 0 ? 'module' : 'namespace';
  // One use is the declaration.
  return ofDefault === uses.length - 1 ? 'default' : 'namespace';
}
