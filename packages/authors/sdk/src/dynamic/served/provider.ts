import { containsUnknown, emptyMap, secretMask } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { ProviderError, isProviderError } from '@cairn/wire';
import type {
  Capabilities,
  CheckConfigRequest,
  CheckRequest,
  CheckResponse,
  ConfigureRequest,
  CreateRequest,
  CreateResponse,
  DeleteRequest,
  DiffConfigRequest,
  DiffRequest,
  DiffResponse,
  LookupRequest,
  LookupResponse,
  Provider,
  ProviderExtras,
  ReadRequest,
  ReadResponse,
  ResourceIdentity,
  UpdateRequest,
  UpdateResponse,
} from '@cairn/wire';
import { deserialize } from '../../values/deserialize.js';
import type { DynamicContext, DynamicDefinition } from '../provider.js';
import { Calls } from './calls.js';
import { diffInputs, diffResponse } from './diff.js';
import { loadStored } from './module.js';
import type { StoredModule, Values } from './module.js';
import { plainValues, reported } from './values.js';

const CAPABILITIES: Capabilities = {
  acceptSecrets: true,
  acceptResources: false,
  acceptOutputs: false,
  supportsPreview: true,
  supportsAutonaming: false,
};

type Definition = DynamicDefinition<Values, Values>;

/** Serves a stored provider: a bundle, the name of its export, and its configuration. */
// [PROV-19]
export class StoredProvider implements Provider {
  private readonly calls = new Calls();
  private module: StoredModule | undefined;
  private config: Readonly<Record<string, string>> = {};

  async handshake(): Promise<Capabilities> {
    return CAPABILITIES;
  }

  async getPluginInfo(): Promise<{ readonly version: string }> {
    return { version: '' };
  }

  async getSchema(): Promise<string> {
    return JSON.stringify({ name: 'cairn-dynamic', version: '0.0.0' });
  }

  /** Reports a module that cannot be loaded here, before anything is done with it. */
  async checkConfig({ news }: CheckConfigRequest): Promise<CheckResponse> {
    const { bundle, exportName } = settingsOf(news);
    const failed = await loadStored(bundle, exportName).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
    const failures = failed === undefined ? [] : [{ property: '', reason: failed }];
    return { inputs: news, failures };
  }

  /** Changed code or configuration is used from then on. It replaces nothing. */
  async diffConfig({ oldInputs, news, ignoreChanges }: DiffConfigRequest): Promise<DiffResponse> {
    return diffInputs(oldInputs, news, ignoreChanges, { update: () => ({ outputs: {} }) });
  }

  async configure({ inputs }: ConfigureRequest): Promise<Capabilities> {
    const { bundle, exportName, config } = settingsOf(inputs);
    this.module = await loadStored(bundle, exportName).catch((error: unknown) => {
      throw new ProviderError('FAILED_PRECONDITION', (error as Error).message);
    });
    this.config = config;
    return CAPABILITIES;
  }

  /** Answers alike for every type, because it is the provider of one. */
  async extras(): Promise<ProviderExtras> {
    const { definition } = this.loaded();
    const reads = definition.read === undefined ? 'record' : 'world';
    const repeatable = definition.delete === undefined ? (['delete'] as const) : [];
    const idempotencyToken = definition.idempotencyToken === true ? {} : undefined;
    return {
      types: { '*': { reads, repeatable, idempotencyToken, lookup: definition.lookup !== undefined } },
    };
  }

  async check(request: CheckRequest): Promise<CheckResponse> {
    const { news } = request;
    if (containsUnknown(news)) return { inputs: news, failures: [] };
    const failures = await this.calling(request, 'check', 0, [news], (definition, context) =>
      definition.check?.(plainValues(news), context),
    );
    return { inputs: news, failures: (failures ?? []) as CheckResponse['failures'] };
  }

  async diff(request: DiffRequest): Promise<DiffResponse> {
    const { id, oldInputs, oldOutputs, news, ignoreChanges } = request;
    const { definition } = this.loaded();
    if (definition.diff === undefined || containsUnknown(news))
      return diffInputs(oldInputs, news, ignoreChanges, definition);
    const answer = await this.calling(request, 'diff', 0, [news, oldInputs], (own, context) =>
      own.diff?.(known(id, oldInputs, oldOutputs), plainValues(news), context),
    );
    return diffResponse(answer ?? { changed: [] }, definition);
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const { inputs, timeoutSeconds, preview } = request;
    if (preview) return { id: '', outputs: expected(inputs), refreshBeforeUpdate: false };
    const made = await this.calling(request, 'create', timeoutSeconds, [inputs], (definition, context) =>
      definition.create(plainValues(inputs), { ...context, token: request.token }),
    );
    const { id, outputs } = (made ?? {}) as { id?: unknown; outputs?: unknown };
    if (typeof id !== 'string' || id === '')
      throw new ProviderError('INTERNAL', 'create has made an object and gave no id for it');
    return { id, outputs: this.report('create', outputs, inputs), refreshBeforeUpdate: false };
  }

  async lookup(request: LookupRequest): Promise<LookupResponse> {
    const { inputs } = request;
    const found = await this.calling(request, 'lookup', 0, [inputs], (definition, context) =>
      definition.lookup?.(plainValues(inputs), { ...context, token: request.token || undefined }),
    );
    return { found: (found ?? []).map((id) => ({ id })) };
  }

  async read(request: ReadRequest): Promise<ReadResponse> {
    const { id, inputs, state, timeoutSeconds } = request;
    if (this.loaded().definition.read === undefined) {
      if (state === undefined)
        throw new ProviderError(
          'UNIMPLEMENTED',
          'its provider has no read, so it cannot be imported or looked up',
        );
      return { id, inputs, outputs: state, refreshBeforeUpdate: false };
    }
    const before =
      inputs === undefined || state === undefined
        ? undefined
        : { inputs: plainValues(inputs), outputs: plainValues(state) };
    const maps = [inputs ?? emptyMap, state ?? emptyMap];
    const found = await this.calling(request, 'read', timeoutSeconds, maps, (definition, context) =>
      definition.read?.(id, before, context),
    );
    if (found === undefined)
      return { id: '', inputs: undefined, outputs: undefined, refreshBeforeUpdate: false };
    const foundInputs = this.report('read', found.inputs, inputs ?? emptyMap);
    const outputs = this.report('read', found.outputs, foundInputs);
    return { id: found.id, inputs: foundInputs, outputs, refreshBeforeUpdate: false };
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const { id, oldInputs, oldOutputs, news, timeoutSeconds, preview } = request;
    if (preview) return { outputs: expected(news), refreshBeforeUpdate: false };
    const maps = [news, oldInputs, oldOutputs];
    const changed = await this.calling(request, 'update', timeoutSeconds, maps, (definition, context) => {
      if (definition.update === undefined) return context.fail('its provider has no update');
      return definition.update(known(id, oldInputs, oldOutputs), plainValues(news), context);
    });
    if (!hasOutputs(changed)) throw new ProviderError('INTERNAL', this.loaded().atDefinition(NO_OUTPUTS));
    return { outputs: this.report('update', changed.outputs, news), refreshBeforeUpdate: false };
  }

  async delete(request: DeleteRequest): Promise<void> {
    const { id, oldInputs, oldOutputs, timeoutSeconds } = request;
    const maps = [oldInputs, oldOutputs];
    await this.calling(request, 'delete', timeoutSeconds, maps, (definition, context) =>
      definition.delete?.(known(id, oldInputs, oldOutputs), context),
    );
  }

  parameterize(): Promise<never> {
    return unsupported('takes no parameters');
  }

  invoke(): Promise<never> {
    return unsupported('has no functions');
  }

  construct(): Promise<never> {
    return unsupported('has no components');
  }

  call(): Promise<never> {
    return unsupported('has no methods');
  }

  async cancel(): Promise<void> {
    this.calls.cancel();
  }

  async close(): Promise<void> {
    this.calls.cancel();
  }

  private loaded(): StoredModule {
    if (this.module === undefined)
      throw new ProviderError('FAILED_PRECONDITION', 'the provider is not configured');
    return this.module;
  }

  /** Runs a handler. Its errors name their location in the sources, without the secrets of `maps`. */
  private async calling<T>(
    { urn, name }: ResourceIdentity,
    handler: keyof Definition,
    timeoutSeconds: number,
    maps: readonly PropertyMap[],
    work: (definition: Definition, context: DynamicContext) => T | Promise<T>,
  ): Promise<T> {
    const { definition, describe } = this.loaded();
    const { config } = this;
    return this.calls.run(timeoutSeconds, async (signal) => {
      const said = (error: unknown): string => secretMask(maps)(`${handler} failed: ${describe(error)}`);
      const fail = (message: string): never => {
        throw new ProviderError('FAILED_PRECONDITION', message);
      };
      try {
        return await work(definition, { urn, name, signal, config, fail });
      } catch (error) {
        if (signal.aborted && !(isProviderError(error) && !error.inDoubt)) throw signal.reason;
        throw new ProviderError(isProviderError(error) ? error.code : 'UNKNOWN', said(error));
      }
    });
  }

  private report(handler: keyof Definition, values: unknown, inputs: PropertyMap): PropertyMap {
    try {
      return reported(values, inputs, this.loaded().definition.secretOutputs ?? []);
    } catch (error) {
      throw new ProviderError('INTERNAL', `${handler} gave no usable answer: ${(error as Error).message}`);
    }
  }
}

const NO_OUTPUTS =
  'update gave no usable answer: it must return { outputs }, as create does, and nothing besides';

/** Returns false for bare outputs, even if one of them is called `outputs`. An id beside the outputs is allowed. */
function hasOutputs(value: unknown): value is { readonly outputs: unknown } {
  if (typeof value !== 'object' || value === null || !('outputs' in value)) return false;
  return Object.keys(value).every((key) => key === 'outputs' || key === 'id');
}

/** Returns the outputs of a preview: those with the names of inputs. All other outputs are unknown. */
const expected = (inputs: PropertyMap): PropertyMap =>
  Object.fromEntries(Object.entries(inputs).filter(([key]) => !key.startsWith('__')));

const known = (id: string, inputs: PropertyMap, outputs: PropertyMap) => ({
  id,
  inputs: plainValues(inputs),
  outputs: plainValues(outputs),
});

/** Returns the settings that the provider's entry holds. */
function settingsOf(inputs: PropertyMap): {
  readonly bundle: string;
  readonly exportName: string;
  readonly config: Readonly<Record<string, string>>;
} {
  const text = (key: string): string => String(plain(inputs[key]) ?? '');
  const config = plain(inputs['config']);
  return {
    bundle: text('bundle'),
    exportName: text('export'),
    config: (typeof config === 'string' ? JSON.parse(config) : (config ?? {})) as Record<string, string>,
  };
}

const plain = (value: PropertyValue | undefined): unknown =>
  value === undefined ? undefined : deserialize(value).value;

function unsupported(what: string): Promise<never> {
  return Promise.reject(new ProviderError('UNIMPLEMENTED', `the provider of a program ${what}`));
}
