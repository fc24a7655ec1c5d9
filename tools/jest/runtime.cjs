/**
 * Jest's runtime with a memory for each worker. Every test file has a context and module instances of its own. The
 * memory keeps what does not depend on the file: the code of a module, compiled, and the file a specifier means.
 */
const { statSync } = require('node:fs');
const { dirname } = require('node:path');
const { Script } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

/** Compiled modules by file, each with the code that it was compiled from. */
const scripts = new Map();
/** Transformed modules by file, each with the time at which the file was written. */
const transformed = new Map();
/** Resolvers whose answers are remembered. Jest has one for each worker. */
const remembering = new WeakSet();

class Runtime extends JestRuntime {
  constructor(...args) {
    super(...args);
    const [, environment, resolver] = args;
    compileOnce(this.executor, environment);
    transformOnce(this.transformCache);
    resolveOnce(resolver);
  }
}

/** Compiles a module for the first context that loads it. Other contexts run the same compiled code. */
function compileOnce(executor, environment) {
  const head = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
  const compile = executor.compile.bind(executor);
  executor.compile = (code, filename) => {
    const context = environment.getVmContext();
    if (context === null) return null;
    let known = scripts.get(filename);
    if (known?.code !== code) {
      try {
        const script = new Script(`${head}${code}\n})`, { filename, columnOffset: -head.length });
        known = { code, script };
      } catch {
        // Jest explains code that does not compile.
        return compile(code, filename);
      }
      scripts.set(filename, known);
    }
    return known.script.runInContext(context);
  };
}

/** Transforms a file once, as long as nothing writes to it. */
function transformOnce(cache) {
  const transform = cache.transform.bind(cache);
  cache.transform = (filename, options) => {
    const key = options?.isInternalModule ? `internal ${filename}` : filename;
    const writtenAt = statSync(filename).mtimeMs;
    const known = transformed.get(key);
    if (known?.writtenAt === writtenAt) {
      if (known.result) cache.transforms.set(filename, known.result);
      if (known.map) cache.sourceMaps.set(filename, known.map);
      return known.code;
    }
    const code = transform(filename, options);
    const result = cache.transforms.get(filename);
    transformed.set(key, { writtenAt, code, result, map: cache.sourceMaps.get(filename) });
    return code;
  };
}

/** Remembers which file a specifier means in a folder. */
function resolveOnce(resolver) {
  if (remembering.has(resolver)) return;
  remembering.add(resolver);
  const resolve = resolver.resolveStubModuleName.bind(resolver);
  const answers = new Map();
  resolver.resolveStubModuleName = (from, name, options) => {
    const key = `${dirname(from)}\0${name}\0${options?.conditions}`;
    let answer = answers.get(key);
    if (answer === undefined) answers.set(key, (answer = resolve(from, name, options)));
    return answer;
  };
}

module.exports = { __esModule: true, default: Runtime };
