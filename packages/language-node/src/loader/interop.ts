/**
 * Rewrites how transpiled CommonJS code imports modules, so that an imported module stays the object that `require`
 * returned wherever the language allows it. The Pulumi SDK needs that: it serialises functions of dynamic providers and
 * recognises captured modules by identity.
 *
 * - `import * as x` binds the module itself unless the code asks for `x.default`.
 * - A default import of a module that was compiled from ES syntax binds the module itself, which has its `default`.
 *
 * `code` is esbuild's output in the `cjs` format. Lines stay where they are, so that its source map stays right.
 */
export function keepModuleIdentity(code: string): string {
  let changed = false;
  const rewritten = code.replace(IMPORT_LINE, (_line, head: string, name: string, required: string) => {
    if (!name.startsWith('import_') && !new RegExp(`\\b${name}\\.default\\b`).test(code)) {
      return `${head}${required};`;
    }
    changed = true;
    return `${head}${INTEROP}(${required});`;
  });
  // A function declaration is hoisted above the imports that use it.
  return changed ? `${rewritten.trimEnd()}\n${DECLARATION}\n` : rewritten;
}

/** `var name = __toESM(require("x"));`. With a second argument the file asks for node's own rule, which stays. */
const IMPORT_LINE = /^((?:var|const|let) ([\w$]+) = )__toESM\((require\("(?:[^"\\]|\\.)*"\))\);$/gm;
const INTEROP = '__cairnImport';
const DECLARATION = `function ${INTEROP}(mod) { return mod && mod.__esModule ? mod : __toESM(mod); }`;
