import type { Session as InspectorSession } from 'node:inspector';
import Module, { createRequire } from 'node:module';

/** Module of node's CommonJS loader that is about to be loaded. */
interface LoadedModule {
  readonly id: string;
  exports: object;
  require: (name: string) => unknown;
  _compile(code: string, path: string, format?: string): unknown;
}

const PLAIN = { configurable: true, enumerable: true, writable: true };

/** Treatment of a module of the SDK instead of compiling it immediately. `compile` compiles it. */
type Treatment = (module: LoadedModule, compile: () => void) => void;

/** Modules of `@pulumi/pulumi` that burden every program with features that few need, by path in the package. */
const TREATMENTS: Readonly<Record<string, Treatment>> = {
  'runtime/debuggable.js': withoutStacks,
  'runtime/closure/v8Hooks.js': inspectedOnUse,
  'runtime/closure/codePaths.js': requiringOnCall(['@npmcli/arborist', 'normalize-package-data']),
  'cmd/run/tracing.js': requiringOnCall([
    '@opentelemetry/exporter-zipkin',
    '@opentelemetry/instrumentation',
    '@opentelemetry/instrumentation-grpc',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-base',
    '@opentelemetry/sdk-trace-node',
  ]),
  'typescript-shim.js': loadedOnUse,
  'automation/index.js': loadedWhenRequired,
  'index.js': withAutomationOnUse,
};

/**
 * Makes programs on `@pulumi/pulumi` pay only for the features that they use. The files of the package stay as they
 * are, and a version that is made otherwise runs unchanged. No frame is added to the stack traces of a program: the
 * loader reads the `load` of a module just before it calls it, and the module is prepared then.
 */
export function tuneSdk(): void {
  const loader = Module.prototype as unknown as { load: (path: string) => void };
  let { load } = loader;
  Object.defineProperty(loader, 'load', {
    configurable: true,
    enumerable: true,
    get(this: LoadedModule) {
      const treatment = treatmentOf(this.id);
      if (treatment !== undefined) prepare(this, treatment);
      return load;
    },
    set(value: typeof load) {
      load = value;
    },
  });
}

function treatmentOf(path: unknown): Treatment | undefined {
  const inPackage = typeof path === 'string' ? IN_PACKAGE.exec(path)?.[1] : undefined;
  return inPackage === undefined ? undefined : TREATMENTS[inPackage.replaceAll('\\', '/')];
}

const IN_PACKAGE = /[\\/]@pulumi[\\/]pulumi[\\/]((?:[\w-]+[\\/]){0,2}[\w-]+\.js)$/;

/** Prepares a module. Its own `_compile` overrides that of all modules until the module is compiled. */
function prepare(module: LoadedModule, treatment: Treatment): void {
  if (Object.hasOwn(module, '_compile')) return;
  Object.defineProperty(module, '_compile', {
    configurable: true,
    value: (...args: Parameters<LoadedModule['_compile']>) => {
      Reflect.deleteProperty(module, '_compile');
      treatment(module, () => void module._compile(...args));
    },
  });
}

/**
 * Stops `debuggablePromise` from recording a stack in each promise. The stacks are only for the list that the SDK
 * prints if `PULUMI_DEBUG_PROMISE_LEAKS` is set. With the variable they are recorded.
 */
function withoutStacks(module: LoadedModule, compile: () => void): void {
  compile();
  const exports = module.exports as { debuggablePromise?: unknown; debugPromiseLeaks?: unknown };
  const { debuggablePromise, debugPromiseLeaks } = exports;
  if (debugPromiseLeaks !== false || typeof debuggablePromise !== 'function') return;
  exports.debuggablePromise = function (this: unknown, ...args: unknown[]): unknown {
    const { stackTraceLimit } = Error;
    try {
      Error.stackTraceLimit = 0;
      return Reflect.apply(debuggablePromise, this, args);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  };
}

/**
 * Delays the inspector of the SDK, which watches scripts from the start to name files of functions that cannot be
 * stored. That slows down everything. The inspector starts when a function is stored, and then reports the scripts that
 * are there.
 */
function inspectedOnUse(module: LoadedModule, compile: () => void): void {
  compile();
  const exports = module.exports as Partial<ScriptHooks>;
  const { isInitializedAsync, getSessionAsync, getScriptUrl } = exports;
  if (isInitializedAsync === undefined || getSessionAsync === undefined || getScriptUrl === undefined) return;
  const urls = new Map<string, string>();
  let loadedBefore: ReadonlySet<string> = new Set();
  let session: Promise<unknown> | undefined;
  exports.isInitializedAsync = async () => {
    loadedBefore = new Set(Object.keys(createRequire(import.meta.url).cache));
  };
  exports.getSessionAsync = () => (session ??= (hearScripts(urls), getSessionAsync()));
  exports.getScriptUrl = (id) => {
    const url = urls.get(id);
    return getScriptUrl(id) ?? (url !== undefined && loadedBefore.has(url) ? undefined : url);
  };
}

interface ScriptHooks {
  isInitializedAsync(): Promise<void>;
  getSessionAsync(): Promise<unknown>;
  getScriptUrl(id: string): string | undefined;
}

/** Notes the scripts that the next session of an inspector reports while it starts. */
function hearScripts(urls: Map<string, string>): void {
  const { Session } = createRequire(import.meta.url)('node:inspector') as {
    Session: typeof InspectorSession;
  };
  const prototype = Session.prototype as unknown as {
    post(this: InspectorSession, ...args: unknown[]): void;
  };
  const { post } = prototype;
  prototype.post = function (...args) {
    if (args[0] === 'Debugger.enable') {
      prototype.post = post;
      this.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
    }
    post.apply(this, args);
  };
}

/**
 * Delays the compiler with which the SDK reads functions. Only its own modules have this object, so a stand-in is
 * enough.
 */
function loadedOnUse(module: LoadedModule, compile: () => void): void {
  const { exports } = module;
  let compiled: object | undefined;
  const standIn = new Proxy(
    {},
    {
      get(_, key) {
        if (compiled === undefined) {
          module.exports = exports;
          compile();
          compiled = module.exports;
          module.exports = standIn;
        }
        return Reflect.get(compiled, key) as unknown;
      },
    },
  );
  module.exports = standIn;
}

/**
 * Requires some packages only when the module calls a function or class that it imports from them. The module must use
 * nothing else of these packages.
 */
function requiringOnCall(names: readonly string[]): Treatment {
  return (module, compile) => {
    const { require } = module;
    Object.defineProperty(module, 'require', {
      ...PLAIN,
      value: (name: string): unknown =>
        names.includes(name) ? functionsOf(() => require.call(module, name)) : require.call(module, name),
    });
    compile();
  };
}

type Callable = (...args: unknown[]) => unknown;

/** Returns members of a module as an ES module has them: functions that load the module when they are called. */
function functionsOf(load: () => unknown): object {
  const member = (key: string | symbol): Callable => {
    const module = load() as Record<string | symbol, unknown>;
    return (key === 'default' && !module['__esModule'] ? module : module[key]) as Callable;
  };
  return new Proxy(
    {},
    {
      get: (_, key) =>
        key === '__esModule' ||
        new Proxy(() => undefined, {
          apply: (__, self, args: unknown[]) => Reflect.apply(member(key), self, args),
          construct: (__, args: unknown[]) =>
            Reflect.construct(member(key) as unknown as new () => object, args) as object,
          get: (__, name) => Reflect.get(member(key), name) as unknown,
        }),
    },
  );
}

/** Modules that `index.js` of the package does not need evaluated yet. Set while `index.js` is evaluated. */
let inIndex: Map<object, () => object> | undefined;

/** Evaluates the module when anything other than `index.js` of the package requires it. */
function loadedWhenRequired(module: LoadedModule, compile: () => void): void {
  if (inIndex === undefined) return compile();
  const { exports } = module;
  const evaluate = (): object => {
    if (isWaiting) {
      isWaiting = false;
      Object.defineProperty(module, 'exports', { ...PLAIN, value: exports });
      compile();
    }
    return module.exports;
  };
  let isWaiting = true;
  Object.defineProperty(exports, '__esModule', { value: true, configurable: true });
  Object.defineProperty(module, 'exports', {
    configurable: true,
    enumerable: true,
    get: () => (inIndex === undefined ? evaluate() : exports),
    set: (value: object) => Object.defineProperty(module, 'exports', { ...PLAIN, value }),
  });
  inIndex.set(exports, evaluate);
}

/** Evaluates the member `automation` of the package when a program reads it. */
function withAutomationOnUse(module: LoadedModule, compile: () => void): void {
  const waiting = (inIndex = new Map<object, () => object>());
  try {
    compile();
  } finally {
    inIndex = undefined;
  }
  const exports = module.exports as { automation?: object };
  const evaluate = exports.automation && waiting.get(exports.automation);
  if (evaluate === undefined) return;
  const set = (value: unknown): void =>
    void Object.defineProperty(exports, 'automation', { ...PLAIN, value });
  Object.defineProperty(exports, 'automation', {
    configurable: true,
    enumerable: true,
    get: () => {
      const value = evaluate();
      set(value);
      return value;
    },
    set,
  });
}
