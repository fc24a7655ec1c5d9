// Gives a bundle the result of `import()` of a CommonJS package: the names that Node returns, where esbuild has only
// `default`.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const NAMESPACE = 'imports-on-use';
/** Marks a request that a plugin has made itself, as all plugins here do. */
const FOUND = 'found on use';
const IN_NPM = `${path.sep}node_modules${path.sep}`;

/** Plugin of bundles with npm packages inside. `isOutside` is true for packages that stay dependencies. */
export function importsOnUse(isOutside) {
  return {
    name: NAMESPACE,
    setup({ onLoad, onResolve, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ importer, kind, path: name, pluginData, resolveDir }) => {
        if (kind !== 'dynamic-import' || pluginData !== undefined || isBuiltin(name) || isOutside(name))
          return undefined;
        if (name.startsWith('@cairn/') || importer.includes(IN_NPM)) return undefined;
        const { path: file } = await resolve(name, { kind, resolveDir, pluginData: FOUND });
        if (file === '' || /^(import|export)\b/m.test(readFileSync(file, 'utf8'))) return undefined;
        return { path: file, namespace: NAMESPACE };
      });
      onLoad({ filter: /./, namespace: NAMESPACE }, async ({ path: file }) => {
        const names = Object.keys(await import(pathToFileURL(file).href)).filter((each) =>
          /^[\w$]+$/.test(each),
        );
        const contents = `export { ${names.join(', ')} } from ${JSON.stringify(file)};`;
        return { contents, resolveDir: path.dirname(file) };
      });
    },
  };
}
