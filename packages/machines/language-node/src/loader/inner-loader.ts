import { createRequire, register } from 'node:module';
import type { LoadFnOutput, LoadHookContext, ResolveFnOutput } from 'node:module';
import type { Session } from 'node:inspector';
import process from 'node:process';

type Attributes = Readonly<Record<string, string>>;

/** Node's own loader of ES modules, as Node 20 has it in each thread. */
interface InnerLoader {
  setCustomizations(hooks: InnerHooks | undefined): void;
  defaultResolve(
    specifier: string,
    importer: string | undefined,
    attributes: Attributes | undefined,
  ): ResolveFnOutput;
  load(url: string, context: LoadHookContext): Promise<LoadFnOutput>;
  importMetaInitialize(meta: object, context: object, loader: InnerLoader): object;
  register(...request: readonly unknown[]): unknown;
}

/**
 * Hooks that node calls in place of its own rules. In Node 20, otherwise only the object that forwards to a thread of
 * hooks has this form.
 */
interface InnerHooks {
  readonly allowImportMetaResolve: boolean;
  readonly resolve: InnerLoader['defaultResolve'];
  readonly resolveSync: InnerLoader['defaultResolve'];
  readonly load: InnerLoader['load'];
  readonly importMetaInitialize: InnerLoader['importMetaInitialize'];
  readonly forceLoadHooks: () => void;
  readonly register: InnerLoader['register'];
}

/** Hooks for ES modules that return synchronously. */
interface HooksInThread {
  /** Resolves a name. `next` is node's own rule. */
  resolve(
    specifier: string,
    importer: string | undefined,
    next: (name: string) => ResolveFnOutput,
  ): ResolveFnOutput;
  /** Returns `undefined` for a module that node loads itself. */
  load(url: string): LoadFnOutput | undefined;
  /** Puts the same hooks into a thread. Called before other hooks are registered, which need one. */
  moveToThread(): void;
}

/** Versions whose loader is known: the last line without `module.registerHooks`. */
const KNOWN_VERSIONS = /^v20\.(19|20)\./;
const METHODS = ['setCustomizations', 'defaultResolve', 'load', 'importMetaInitialize', 'register'] as const;

/**
 * Lets node's loader in this thread call the hooks, which saves the thread that `module.register` starts. Returns
 * false, and changes nothing, if node's loader is not as expected or already calls other hooks.
 */
export function installInnerHooks(hooks: HooksInThread): boolean {
  const loader = KNOWN_VERSIONS.test(process.version) ? findInnerLoader() : undefined;
  if (loader === undefined) return false;
  /** Calls a method of the loader as if there were no hooks. The loader would otherwise look for them first. */
  const withoutHooks = <T>(call: () => T): T => {
    loader.setCustomizations(undefined);
    try {
      return call();
    } finally {
      loader.setCustomizations(inner);
    }
  };
  const resolve: InnerHooks['resolve'] = (specifier, importer, attributes) =>
    hooks.resolve(specifier, importer, (name) => loader.defaultResolve(name, importer, attributes));
  const inner: InnerHooks = {
    allowImportMetaResolve: true,
    resolve,
    resolveSync: resolve,
    load: async (url, context) => {
      const loaded = hooks.load(url);
      if (loaded === undefined) return withoutHooks(() => loader.load(url, context));
      return Object.assign(loaded, { responseURL: url });
    },
    importMetaInitialize: (meta, context) =>
      withoutHooks(() => loader.importMetaInitialize(meta, context, loader)),
    forceLoadHooks: () => undefined,
    register: (...request) => {
      loader.setCustomizations(undefined);
      hooks.moveToThread();
      return loader.register(...request);
    },
  };
  loader.setCustomizations(inner);
  return true;
}

/** Key under which the inspector finds and leaves objects of this thread. */
const HAND_OVER = Symbol.for('cairn.loader.inner');

/**
 * Finds node's loader among the variables of `module.register`, which only an inspector can see. Returns `undefined` if
 * it is not found or hooks are registered already.
 */
function findInnerLoader(): InnerLoader | undefined {
  const shared = globalThis as { [HAND_OVER]?: unknown };
  let inspector: Inspector | undefined;
  try {
    inspector = openInspector();
    shared[HAND_OVER] = register;
    const closure = inspector.idOf(`globalThis[Symbol.for('${HAND_OVER.description}')]`);
    const scopes = inspector.membersOf(closure).get('[[Scopes]]');
    for (const scope of inspector.membersOf(scopes).values()) {
      const getLoader = inspector.membersOf(scope).get('getOrInitializeCascadedLoader');
      if (getLoader === undefined) continue;
      inspector.call(
        getLoader,
        `function () { globalThis[Symbol.for('${HAND_OVER.description}')] = this(); }`,
      );
      const found = shared[HAND_OVER] as InnerLoader;
      const own = inspector.membersOf(inspector.idOf(`globalThis[Symbol.for('${HAND_OVER.description}')]`));
      const isKnown =
        own.has('#customizations') && METHODS.every((name) => typeof found[name] === 'function');
      return isKnown && own.get('#customizations') === undefined ? found : undefined;
    }
    return undefined;
  } catch {
    return undefined;
  } finally {
    Reflect.deleteProperty(shared, HAND_OVER);
    inspector?.close();
  }
}

/** Looks at objects of this thread. Objects have ids; other values have none. */
interface Inspector {
  idOf(expression: string): string | undefined;
  /** Returns ids of properties, including internal and private ones, by name. */
  membersOf(id: string | undefined): ReadonlyMap<string, string | undefined>;
  call(id: string, code: string): void;
  close(): void;
}

interface Member {
  readonly name: string;
  readonly value?: { readonly objectId?: string };
}

function openInspector(): Inspector {
  // Loaded here, because most programs need none.
  const { Session: New } = createRequire(import.meta.url)('node:inspector') as { Session: new () => Session };
  const session = new New();
  session.connect();
  const ask = (method: string, request: object): Record<string, unknown> => {
    let answer: Record<string, unknown> = {};
    session.post(method, request, (error: Error | null, result?: object) => {
      if (error !== null) throw error;
      answer = result as Record<string, unknown>;
    });
    return answer;
  };
  return {
    idOf: (expression) => (ask('Runtime.evaluate', { expression })['result'] as Member['value'])?.objectId,
    membersOf: (objectId) => {
      const found = ask('Runtime.getProperties', { objectId, ownProperties: true });
      const members = ['result', 'internalProperties', 'privateProperties'].flatMap(
        (kind) => (found[kind] ?? []) as readonly Member[],
      );
      return new Map(members.map(({ name, value }) => [name, value?.objectId]));
    },
    call: (objectId, functionDeclaration) =>
      void ask('Runtime.callFunctionOn', { objectId, functionDeclaration }),
    close: () => session.disconnect(),
  };
}
