import type { Urn } from '@cairn/addresses';
import { tokenPackage } from '@cairn/addresses';
import { cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import { instancesOf, lift, pclError } from '@cairn/pcl';
import type { Scope } from '@cairn/pcl';
import type { ResourceEntry } from '@cairn/state';
import { UNKNOWN, containsSecret, emptyMap, isMap, propertyMap, secret } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { isStatusError } from '@cairn/wire';
import type { Monitor, PackageSelector, RunResult } from '@cairn/wire';
import type { PostRegistration } from '../model/registration.js';
import type { OperationRequest } from '../model/request.js';
import type { BoundSnippet } from './bind-snippets.js';
import { KnownResources, knownEntry } from './known-resources.js';
import type { KnownResource } from './known-resources.js';
import { plainText, registrationRequest } from './registration-request.js';

/** Parts that snippets run with. */
interface SnippetSourcesParts {
  readonly bound: readonly BoundSnippet[];
  readonly request: Pick<OperationRequest, 'identity' | 'directories' | 'preview'>;
  /**
   * Looks up resources that were registered before this run, for snippets that run alone. If undefined, they run
   * alongside the program.
   */
  readonly others: ((urn: Urn) => ResourceEntry | undefined) | undefined;
}

/** Snippets as sources of registrations next to the program [SNIP-1]. For one run. */
export class SnippetSources {
  readonly #known = new KnownResources();
  readonly #parts: SnippetSourcesParts;

  constructor(parts: SnippetSourcesParts) {
    this.#parts = parts;
  }

  /** True if the program does not run: only snippets take part. */
  get alone(): boolean {
    return this.#parts.others !== undefined;
  }

  /** Observes the registrations of all sources, so that snippets learn of the resources they refer to. */
  watch(post: PostRegistration): PostRegistration {
    return this.#known.watch(post);
  }

  /**
   * Runs the snippets while the program runs. Resolves when all have ended, with the program's result. Rejects with a
   * CairnError if a snippet has failed.
   */
  async alongside(monitor: Monitor, program: Promise<RunResult>): Promise<RunResult> {
    this.#known.begin();
    for (const _ of this.#parts.bound) this.#known.begin();
    const programs = program.then((result) => {
      this.#known.end();
      if (result.t !== 'ok') throw new ProgramEnded(result);
    });
    const snippets = this.#parts.bound.map((bound) => this.#run(bound, monitor));
    try {
      await Promise.all([programs, ...snippets]);
      return { t: 'ok' };
    } catch (thrown) {
      if (thrown instanceof ProgramEnded) return thrown.result;
      if (isStatusError(thrown, 'UNAVAILABLE')) return { t: 'bail' };
      throw thrown;
    }
  }

  async #run(bound: BoundSnippet, monitor: Monitor): Promise<void> {
    try {
      await this.#register(bound, monitor);
    } catch (thrown) {
      if (isStatusError(thrown, 'UNAVAILABLE')) throw thrown;
      throw snippetFailure(bound, thrown);
    }
    this.#known.end();
  }

  async #register(bound: BoundSnippet, monitor: Monitor): Promise<void> {
    const references = await this.#references(bound);
    const selector = await packageOf(bound, monitor);
    const scope = this.#scope(bound, references, monitor, selector);
    const instances = await instancesOf(bound.code, scope);
    await Promise.all(
      instances.map(async ({ suffix, scope: own }) => {
        const name = `${bound.snippet.name}${suffix}`;
        const parts = { bound, name, scope: own, references, package: selector };
        await monitor.registerResource(await registrationRequest(parts));
      }),
    );
  }

  /** Waits for everything the snippet refers to, one after the other. */
  async #references({ snippet }: BoundSnippet): Promise<ReadonlyMap<string, KnownResource>> {
    const found = new Map<string, KnownResource>();
    for (const [name, urn] of Object.entries(snippet.references ?? {})) {
      const old = this.#parts.others?.(urn as Urn);
      found.set(name, old === undefined ? await this.#known.wait(urn as Urn) : knownEntry(old));
    }
    return found;
  }

  #scope(
    { descriptor }: BoundSnippet,
    references: ReadonlyMap<string, KnownResource>,
    monitor: Monitor,
    selector: PackageSelector,
  ): Scope {
    const { identity, directories, preview } = this.#parts.request;
    const constants: Readonly<Record<string, string>> = {
      ...identityTexts(identity),
      cwd: directories.root,
      rootDirectory: directories.root,
    };
    return {
      variable: (name) => {
        const known = references.get(name);
        return known && resourceValue(known, preview);
      },
      missing: (name) => (preview || references.get(name)?.incomplete === true ? UNKNOWN : null),
      call: (name, args, at) => {
        if (name === 'invoke') {
          const own = (token: string) =>
            tokenPackage(token) === (descriptor.parameterization?.name ?? descriptor.package);
          return invoke(monitor, args, (token) => (own(token) ? selector : anyPackage), at);
        }
        return Object.hasOwn(constants, name) ? Promise.resolve(constants[name] ?? null) : undefined;
      },
    };
  }
}

/** Signals that the program did not end well. The remaining work of snippets then does not matter. */
class ProgramEnded extends Error {
  constructor(readonly result: RunResult) {
    super('the program has ended');
  }
}

const anyPackage: PackageSelector = {
  version: '',
  pluginDownloadUrl: '',
  pluginChecksums: {},
  packageRef: '',
};

function identityTexts(identity: OperationRequest['identity']): Readonly<Record<string, string>> {
  const { organization, project, stack } = identity;
  return { organization, project, stack };
}

/** Returns the value of a resource's name: its outputs, its id and its URN. */
function resourceValue({ urn, id, outputs, provider }: KnownResource, preview: boolean): PropertyValue {
  const unknownId = id === '' && preview;
  return propertyMap({
    ...outputs,
    ...(id === '' && !unknownId && provider === undefined ? {} : { id: unknownId ? UNKNOWN : id }),
    urn,
  });
}

/** Returns the selector of the snippet's package for requests. */
async function packageOf({ descriptor }: BoundSnippet, monitor: Monitor): Promise<PackageSelector> {
  const { package: name, version, downloadUrl, parameterization } = descriptor;
  if (parameterization === undefined) return { ...anyPackage, version, pluginDownloadUrl: downloadUrl };
  const { ref } = await monitor.registerPackage({
    name,
    version,
    downloadUrl,
    checksums: {},
    parameterization,
  });
  return { ...anyPackage, packageRef: ref };
}

/** Runs `invoke(token, args)`: a question to a provider. The result is secret if an argument is. */
async function invoke(
  monitor: Monitor,
  [token, args]: readonly PropertyValue[],
  packageFor: (token: string) => PackageSelector,
  at: Parameters<typeof pclError>[1],
): Promise<PropertyValue> {
  const name = plainText(token);
  if (name === undefined) throw pclError('invoke needs the name of a function', at);
  const given = args === undefined || args === null ? emptyMap : args;
  if (!isMap(given)) return lift([given], () => invalidArguments(at));
  const { result, failures, unknown } = await monitor.invoke({
    token: name,
    args: given,
    provider: '',
    parent: '',
    package: packageFor(name),
    dependsOn: [],
    accepts: {
      secrets: true,
      resources: true,
      partialValues: true,
      resultReporting: true,
      byteStrings: true,
    },
  });
  const [failure] = failures;
  if (failure !== undefined) throw pclError(`${name}: ${failure.property}: ${failure.reason}`, at);
  if (unknown) return UNKNOWN;
  return containsSecret(given) ? secret(result) : result;
}

function invalidArguments(at: Parameters<typeof pclError>[1]): never {
  throw pclError('the arguments of invoke must be an object', at);
}

function snippetFailure({ snippet }: BoundSnippet, thrown: unknown): Error {
  const details = isCairnError(thrown) ? thrown.diagnostics[0] : undefined;
  return cairnError(
    'CAIRN-SNIPPET',
    `snippet "${snippet.name}": ${details?.summary ?? messageOf(thrown)}`,
    { urn: details?.urn, hint: details?.hint ?? 'Correct the snippet and run again.' },
    thrown,
  );
}
