import type { DynamicContext, DynamicDefinition } from '@cairn/sdk';
import { DYNAMIC_PACKAGE } from '@cairn/sdk/runtime';
import type { PlainValues } from '@cairn/values';
import { ProviderError, isProviderError } from '@cairn/wire';
import type { CheckFailure } from '@cairn/wire';
import type { AnyResourceDefinition, ReadObject } from '../definition.js';
import type { HandlerContext } from '../handler-context.js';
import type { OpenDefinition } from '../package-definition.js';
import { s } from '../schema/property.js';
import type { Property, Shape } from '../schema/property.js';
import { loadStored } from './stored-module.js';
import type { StoredModule } from './stored-module.js';

/** Configuration of a stored provider: its code, the name of its export, and the values that it asks for. */
interface Stored {
  readonly bundle: string;
  readonly export: string;
  readonly config?: DynamicContext['config'];
}

/** Dynamic providers of programs. An instance serves one of them: its configuration contains the code. */
// [PROV-19]
export const storedDefinition: OpenDefinition = {
  name: DYNAMIC_PACKAGE,
  version: '',
  config: { bundle: s.string(), export: s.string(), config: s.map(s.string()).optional() },
  resources: {},
  /** Reports a module that cannot be loaded here, before anything is done with it. */
  async checkConfig(config) {
    const failed = await load(config as unknown as Stored).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
    return failed === undefined ? [] : [{ property: '', reason: failed }];
  },
  async anyResource(config) {
    const stored = config as unknown as Stored;
    const module = await load(stored).catch((error: unknown) => {
      throw new ProviderError('FAILED_PRECONDITION', (error as Error).message);
    });
    return resourceOf(module, stored.config ?? {});
  },
};

const load = (stored: Stored): Promise<StoredModule> => loadStored(stored.bundle, stored.export);

type Definition = DynamicDefinition<PlainValues, PlainValues>;

/** Returns the handlers of a stored provider as those of a resource type. */
function resourceOf(module: StoredModule, config: DynamicContext['config']): AnyResourceDefinition {
  const { definition, atDefinition } = module;
  const { check, diff, read, update, delete: remove, lookup } = definition;
  const { replaceOnChange = [], secretOutputs = [], deleteBeforeReplace, idempotencyToken } = definition;
  const calling = callerOf(module, config);
  return {
    inputs: shapeOf(replaceOnChange, (property) => property.replaceOnChange()),
    outputs: shapeOf(secretOutputs, (property) => property.secret()),
    deleteBeforeReplace,
    idempotencyToken,
    create: (inputs, context) => calling('create', context, (own) => definition.create(inputs, own)),
    ...(check && {
      check: async (inputs, context) =>
        ((await calling('check', context, (own) => check.call(definition, inputs, own))) ??
          []) as readonly CheckFailure[],
    }),
    ...(diff && {
      diff: async (old, inputs, context) =>
        (await calling('diff', context, (own) => diff.call(definition, old, inputs, own))) ?? { changed: [] },
    }),
    ...(read && {
      read: (id, known, context) =>
        calling('read', context, (own) => read.call(definition, id, known, own)) as Promise<
          ReadObject<PlainValues, PlainValues> | undefined
        >,
    }),
    ...(update && {
      async update(old, inputs, context) {
        const answer = await calling('update', context, (own) => update.call(definition, old, inputs, own));
        if (!hasOutputs(answer)) throw new ProviderError('INTERNAL', atDefinition(NO_OUTPUTS));
        return answer.outputs;
      },
    }),
    ...(remove && {
      delete: (old, context) => calling('delete', context, (own) => remove.call(definition, old, own)),
    }),
    ...(lookup && {
      lookup: async (inputs, context) =>
        (await calling('lookup', context, (own) => lookup.call(definition, inputs, own))) ?? [],
    }),
  };
}

/** Returns a function that runs handlers. Their errors name their location in the sources, without secrets. */
function callerOf({ describe }: StoredModule, config: DynamicContext['config']) {
  return async <T>(
    handler: keyof Definition,
    { urn, name, signal, token, redact }: HandlerContext,
    work: (context: DynamicContext) => T | Promise<T>,
  ): Promise<T> => {
    try {
      return await work({ urn, name, signal, token, config, fail });
    } catch (error) {
      const code = isProviderError(error) ? error.code : 'UNKNOWN';
      throw new ProviderError(code, redact(`${handler} failed: ${describe(error)}`));
    }
  };
}

const fail = (message: string): never => {
  throw new ProviderError('FAILED_PRECONDITION', message);
};

/** Returns a shape in which some properties have a mark. All others are free. */
function shapeOf(
  keys: readonly string[],
  marked: (property: Property<unknown, 'optional'>) => Property<unknown, 'optional'>,
): Shape {
  return Object.fromEntries(keys.map((key) => [key, marked(s.any().optional())]));
}

const NO_OUTPUTS =
  'update returned no usable answer: it must return { outputs }, as create does, and nothing else';

/** Returns false for bare outputs, even if one of them is called `outputs`. An id beside the outputs is allowed. */
function hasOutputs(value: unknown): value is { readonly outputs: PlainValues } {
  if (typeof value !== 'object' || value === null || !('outputs' in value)) return false;
  return Object.keys(value).every((key) => key === 'outputs' || key === 'id');
}
