import { setImmediate as turn } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import type { Urn } from '@cairn/addresses';
import type { LogRequest, ReadResourceRequest, RegisterResourceRequest } from '@cairn/wire';
import { RegisteredCallbacks } from '../runtime/callbacks.js';
import { inDeployment } from '../runtime/deployment.js';
import type { Deployment, DeploymentSettings } from '../runtime/deployment.js';
import { offeredModule } from '../runtime/offered-module.js';
import { makeDeployment, startProgram } from '../runtime/run-program.js';
import { findWaitCycle, stuckError } from '../runtime/stuck.js';
import { TestEngine } from './test-engine.js';
import type { MockedCall, Mocks, Seen } from './test-engine.js';

type Values = Readonly<Record<string, unknown>>;

/** Options of a test of a program. */
export interface TestOptions {
  /** Defaults to `project`. */
  readonly project?: string | undefined;
  /** Defaults to `stack`. */
  readonly stack?: string | undefined;
  /** Defaults to `organization`. */
  readonly organization?: string | undefined;
  /**
   * Configuration. A key without a colon belongs to the project. Values that are not texts are stored as JSON, as
   * `cairn config set` does.
   */
  readonly config?: Values | undefined;
  /** Keys of `config` whose values are secret. */
  readonly secretConfig?: readonly string[] | undefined;
  /** True to run it as a preview does: ids and values that only providers know are unknown. Defaults to false. */
  readonly preview?: boolean | undefined;
  readonly mocks?: Mocks | undefined;
  /** Milliseconds after which a program that still waits is an error. Defaults to 5000. */
  readonly timeout?: number | undefined;
}

/** A resource as the program has declared it. */
export interface TestedResource {
  readonly urn: Urn;
  readonly type: string;
  readonly name: string;
  /** `read` is an object that is only read. `remote` is a component that a provider creates. */
  readonly kind: 'custom' | 'component' | 'remote' | 'read';
  /** Undefined for components, and in a preview. */
  readonly id: string | undefined;
  /** Plain values, secrets bare. */
  readonly inputs: Values;
  readonly outputs: Values;
  /** Paths of secret inputs. */
  readonly secretInputs: readonly string[];
  /** Paths of secret outputs. */
  readonly secretOutputs: readonly string[];
  /** Options of the resource in the engine's form: resources as URNs, providers as references. */
  readonly options: Values;
  /** Resources declared below it, in the order of their registration. */
  readonly children: readonly TestedResource[];
}

/** Everything that a program has done. All of it is plain data, fit for snapshots. */
export interface TestedProgram {
  /** Resources in the order of their registration, without the stack. */
  readonly resources: readonly TestedResource[];
  /** Resources directly below the stack. */
  readonly roots: readonly TestedResource[];
  /** Stack outputs, secrets bare. */
  readonly outputs: Values;
  /** Paths of secret stack outputs. */
  readonly secretOutputs: readonly string[];
  readonly invokes: readonly MockedCall[];
  readonly calls: readonly MockedCall[];
  readonly logs: readonly Pick<LogRequest, 'severity' | 'message' | 'urn'>[];
  /** Returns the one resource with this name, or with this type and name. Throws if there is none, or several. */
  resource(name: string): TestedResource;
  resource(type: string, name: string): TestedResource;
  /** Returns the tree of types and names as text, a line each. */
  tree(): string;
}

/**
 * Runs a program without an engine, and returns its declarations. `program` is a function that declares resources; the
 * members of its result are the stack outputs. It can also be `() => import('./index.js')`. Resolves when it has ended
 * and all its registrations and invokes are answered. Rejects with the error that the program or a mock threw. Several
 * can run at once.
 */
export async function testProgram(program: () => unknown, options: TestOptions = {}): Promise<TestedProgram> {
  const engine = new TestEngine(settingsOf(options), options.mocks ?? {});
  const callbacks = new RegisteredCallbacks({ functions: engine.transforms, serve: async () => 'here' });
  const deployment = makeDeployment(
    { settings: settingsOf(options), monitor: engine.monitor, engine: engine.engine },
    callbacks,
  );
  await inDeployment(deployment, () => {
    const { isLoaded } = startProgram(deployment, () => offeredModule(program));
    return ended(deployment, isLoaded, options.timeout ?? 5000);
  });
  return tested(engine, deployment);
}

function settingsOf(options: TestOptions): DeploymentSettings {
  const project = options.project ?? 'project';
  const keyOf = (key: string): string => (key.includes(':') ? key : `${project}:${key}`);
  const texts = Object.entries(options.config ?? {}).map(([key, value]) => [
    keyOf(key),
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return {
    project,
    stack: options.stack ?? 'stack',
    organization: options.organization ?? 'organization',
    rootDirectory: process.cwd(),
    dryRun: options.preview ?? false,
    parallel: 0,
    config: Object.fromEntries(texts) as Record<string, string>,
    configSecretKeys: (options.secretConfig ?? []).map(keyOf),
  };
}

/** Quiet turns of the event loop after which nothing more is expected. */
const QUIET_TURNS = 5;

async function ended(
  { pending, failures }: Deployment,
  isLoaded: () => boolean,
  timeout: number,
): Promise<void> {
  const until = performance.now() + timeout;
  let failed: { readonly error: unknown } | undefined;
  void failures.ended.then((failure) => {
    failed = { error: failure.t === 'loud' ? failure.error : new Error('the program has failed') };
  });
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    await turn();
    if (failed !== undefined) throw failed.error;
    if (isLoaded() && pending.size === 0) continue;
    if (performance.now() > until) {
      const waits = pending.list();
      throw stuckError(waits, await findWaitCycle(pending));
    }
    quiet = 0;
  }
}

function tested(engine: TestEngine, { settings }: Deployment): TestedProgram {
  const children = new Map<string, TestedResource[]>();
  const resources = [...engine.seen.values()].map((seen) => {
    const below: TestedResource[] = [];
    children.set(seen.urn, below);
    const resource = resourceOf(seen, below);
    children.get(seen.request.parent)?.push(resource);
    return resource;
  });
  const roots = resources.filter(({ urn }) => !children.has(engine.seen.get(urn)?.request.parent ?? ''));
  return {
    resources,
    roots,
    outputs: engine.stackOutputs.values,
    secretOutputs: engine.stackOutputs.secrets,
    invokes: engine.invokes,
    calls: engine.calls,
    logs: engine.logs.map(({ severity, message, urn }) => ({ severity, message, urn })),
    resource: (first: string, second?: string) => found(resources, first, second),
    tree: () => [`${settings.project}-${settings.stack}`, ...lines(roots, '')].join('\n'),
  };
}

function resourceOf({ urn, request, id, inputs, outputs }: Seen, children: TestedResource[]): TestedResource {
  const { type, name } = request;
  return {
    ...{ urn, type, name, kind: kindOf(request), id },
    ...{ inputs: inputs.values, outputs: outputs.values },
    ...{ secretInputs: inputs.secrets, secretOutputs: outputs.secrets },
    options: givenOptions(request),
    children,
  };
}

function kindOf(request: Seen['request']): TestedResource['kind'] {
  if (!('custom' in request)) return 'read';
  return request.custom ? 'custom' : request.remote ? 'remote' : 'component';
}

/** Members of a request that are not options of the resource. */
const NOT_OPTIONS: ReadonlySet<string> = new Set([
  ...['type', 'name', 'parent', 'custom', 'remote', 'inputs', 'properties', 'id', 'propertyDependencies'],
  ...['sourcePosition', 'stackTrace', 'accepts', 'aliasSpecs', 'transforms', 'package'],
]);

function givenOptions(request: RegisterResourceRequest | ReadResourceRequest): Values {
  return Object.fromEntries(
    Object.entries(request)
      .filter(([key, value]) => !NOT_OPTIONS.has(key) && !isEmpty(value))
      .map(([key, value]) => [key === 'dependencies' ? 'dependsOn' : key, value as unknown]),
  );
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every(isEmpty);
}

function found(
  resources: readonly TestedResource[],
  first: string,
  second: string | undefined,
): TestedResource {
  const fits = resources.filter(({ type, name }) =>
    second === undefined ? name === first : type === first && name === second,
  );
  const [one] = fits;
  if (one !== undefined && fits.length === 1) return one;
  const wanted = second === undefined ? first : `${first} ${second}`;
  const all = resources.map(({ type, name }) => `${type} ${name}`).join(', ');
  throw new Error(
    one === undefined
      ? `the program declares no ${wanted}; it declares ${all || 'nothing'}`
      : `the program declares several ${wanted}: ${fits.map(({ type }) => type).join(', ')}; pass the type, too`,
  );
}

function lines(resources: readonly TestedResource[], before: string): readonly string[] {
  return resources.flatMap(({ type, name, children }, index) => {
    const last = index === resources.length - 1;
    return [
      `${before}${last ? '└─ ' : '├─ '}${type} ${name}`,
      ...lines(children, `${before}${last ? '   ' : '│  '}`),
    ];
  });
}
