import { messageOf } from '@cairn/diagnostics';
import {
  UNKNOWN,
  containsUnknown,
  emptyMap,
  equalMaps,
  fromPlainMap,
  newMap,
  toPlainMap,
} from '@cairn/values';
import type { PlainValues, PropertyMap, PropertyValue } from '@cairn/values';
import { InitFailedError, ProviderError, isProviderError } from '@cairn/wire';
import type {
  CheckFailure,
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  LookupRequest,
  LookupResponse,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
  View,
  ViewPublishing,
} from '@cairn/wire';
import type { AnyResourceDefinition, InputDiff } from '../definition.js';
import type { HandlerContext } from '../handler-context.js';
import { checkShape } from '../schema/check.js';
import { diffInputs, forbiddenChanges, noChange } from '../schema/diff.js';
import type { DiffRules } from '../schema/diff.js';
import { shapeSpec } from '../schema/property.js';
import type { ShapeSpec } from '../schema/property.js';
import { markSecrets } from '../schema/secrets.js';
import type { Receiver } from './receiver.js';
import { isHandlerInitFailed } from './init-failed.js';
import { VERSION_KEY, Versions } from './versions.js';
import { publishViews } from './views.js';

/** One resource type of a provider: the definition's handlers behind the provider contract. */
export class ResourceType {
  readonly #inputs: ShapeSpec;
  readonly #outputs: ShapeSpec;
  readonly #rules: DiffRules;
  readonly #versions: Versions;
  readonly #packageName: string;
  readonly #definition: AnyResourceDefinition;
  /** True if properties besides those of the shapes pass, unchecked. */
  readonly #isOpen: boolean;

  constructor(packageName: string, token: string, definition: AnyResourceDefinition, isOpen = false) {
    this.#packageName = packageName;
    this.#definition = definition;
    this.#isOpen = isOpen;
    this.#inputs = shapeSpec(definition.inputs);
    this.#outputs = shapeSpec(definition.outputs);
    this.#versions = new Versions(`${packageName}:${token}`, definition.migrations ?? []);
    this.#rules = {
      shape: this.#inputs,
      canUpdate: definition.update !== undefined,
      deleteBeforeReplace: definition.deleteBeforeReplace ?? false,
      stableKeys: definition.stableOutputs ?? [],
    };
  }

  /** Returns the seconds that a call may take if the program sets no limit. */
  timeoutOf(call: 'create' | 'read' | 'update' | 'delete'): number {
    return this.#definition.timeouts?.[call] ?? 0;
  }

  async check(request: CheckRequest, context: HandlerContext): Promise<CheckResponse> {
    const { name, randomSeed: seed, autonaming } = request;
    const olds = request.olds && this.#versions.inputs(request.olds, this.#inputs);
    const { [VERSION_KEY]: _stored, ...news } = request.news;
    const checked = this.#isOpen
      ? { inputs: news, failures: [] }
      : checkShape(this.#inputs, news, { name, olds, seed, autonaming });
    const inputs = this.#versions.stamped(checked.inputs);
    if (checked.failures.length > 0) return { inputs, failures: checked.failures };
    const forbidden = olds && forbiddenChanges(this.#inputs, { old: olds, news: inputs, outputs: emptyMap });
    if (forbidden !== undefined && forbidden.length > 0) return { inputs, failures: forbidden };
    if (this.#definition.check === undefined || containsUnknown(inputs)) return { inputs, failures: [] };
    return { inputs, failures: await this.#definition.check(inputValues(inputs), context) };
  }

  async diff(request: DiffRequest, context: HandlerContext): Promise<DiffResponse> {
    const { id, news, ignoreChanges } = request;
    const old = this.#versions.inputs(request.oldInputs, this.#inputs);
    const outputs = this.#versions.outputs(request.oldOutputs, this.#outputs);
    if (this.#definition.diff === undefined || containsUnknown(news))
      return diffInputs({ old, news, outputs }, ignoreChanges, this.#rules);
    const object = { id, inputs: inputValues(old), outputs: ownValues(outputs) };
    return this.#ownDiff(await this.#definition.diff(object, inputValues(news), context));
  }

  #ownDiff({ changed, replace = [], deleteBeforeReplace }: InputDiff): DiffResponse {
    if (changed.length === 0) return noChange(this.#rules);
    return {
      changes: 'some',
      replaceKeys: replace,
      changedKeys: changed,
      stableKeys: replace.length > 0 ? [] : this.#rules.stableKeys,
      detailedDiff: undefined,
      deleteBeforeReplace: deleteBeforeReplace ?? this.#rules.deleteBeforeReplace,
    };
  }

  async create(request: CreateRequest, context: HandlerContext): Promise<CreateResponse> {
    const { inputs, preview } = request;
    if (preview) {
      const outputs = await this.#previewed(inputs, undefined, context);
      return { id: '', outputs, refreshBeforeUpdate: false };
    }
    const made = await this.#acting(inputs, () => this.#definition.create(inputValues(inputs), context));
    if (typeof made?.id !== 'string' || made.id === '')
      throw new ProviderError('INTERNAL', 'create returned no id');
    const outputs = this.#report('create', made.outputs, inputs);
    await this.#publish(request, made);
    return { id: made.id, outputs, refreshBeforeUpdate: false };
  }

  async lookup({ inputs }: LookupRequest, context: HandlerContext): Promise<LookupResponse> {
    const { lookup } = this.#definition;
    if (lookup === undefined) throw new ProviderError('UNIMPLEMENTED', 'it cannot be looked for');
    const known = this.#versions.inputs(inputs, this.#inputs);
    const found = await lookup.call(this.#definition, inputValues(known), context);
    return { found: found.map((id) => ({ id })) };
  }

  async update(request: UpdateRequest, context: HandlerContext): Promise<UpdateResponse> {
    const { id, news, preview } = request;
    const old = this.#stored(request);
    if (preview) {
      const outputs = await this.#previewed(news, { id, ...old }, context);
      return { outputs, refreshBeforeUpdate: false };
    }
    const { update } = this.#definition;
    if (update === undefined) throw new ProviderError('UNIMPLEMENTED', 'it cannot be changed in place');
    const outputs = await this.#acting(news, () =>
      update.call(this.#definition, plainObject(id, old), inputValues(news), context),
    );
    const reported = this.#report('update', outputs, news);
    await this.#publish(request, { id, outputs });
    return { outputs: reported, refreshBeforeUpdate: false };
  }

  async read(request: ReadRequest, context: HandlerContext): Promise<ReadResponse> {
    const { id, inputs, state } = request;
    const { read } = this.#definition;
    if (read === undefined) {
      if (state === undefined) throw new ProviderError('UNIMPLEMENTED', 'it cannot be imported or looked up');
      return { id, inputs, outputs: state, refreshBeforeUpdate: false };
    }
    const stored =
      inputs === undefined || state === undefined
        ? undefined
        : this.#stored({ oldInputs: inputs, oldOutputs: state });
    const known = stored && plainObject(id, stored);
    const found = await read.call(this.#definition, id, known, context);
    if (found === undefined)
      return { id: '', inputs: undefined, outputs: undefined, refreshBeforeUpdate: false };
    const answered = propertiesOf('read', found.inputs);
    const foundInputs = markSecrets(answered, this.#inputs, stored?.inputs ?? inputs);
    const outputs = this.#report('read', found.outputs, foundInputs);
    const { changedBy } = found;
    if (changedBy !== undefined && state !== undefined && !equalMaps(outputs, state))
      context.log.info(`last changed by ${changedBy}`);
    await this.#publish(request, found);
    return {
      id: found.id,
      inputs: this.#versions.stamped(leftOut(foundInputs, this.#inputs, stored?.inputs)),
      outputs,
      refreshBeforeUpdate: false,
    };
  }

  async delete(request: DeleteRequest, context: HandlerContext): Promise<void> {
    await this.#definition.delete?.(plainObject(request.id, this.#stored(request)), context);
    await this.#publish(request, undefined);
  }

  /** Runs a method. An unknown object or argument makes the result unknown. */
  async call(
    name: string,
    { urn, id }: Receiver,
    args: PropertyMap,
    context: HandlerContext,
  ): Promise<{ readonly result: PropertyMap; readonly failures: readonly CheckFailure[] }> {
    const method = this.#definition.methods?.[name];
    if (method === undefined) throw new ProviderError('INVALID_ARGUMENT', `there is no method ${name}`);
    const { inputs, failures } = checkShape(shapeSpec(method.inputs), args);
    if (failures.length > 0) return { result: emptyMap, failures };
    const outputs = shapeSpec(method.outputs);
    if (id === undefined || containsUnknown(inputs)) {
      const keys = Object.keys(outputs).map((key) => [key, UNKNOWN]);
      return { result: Object.fromEntries(keys) as PropertyMap, failures: [] };
    }
    const result = await method.call({ urn, id }, inputValues(inputs), context);
    return { result: markSecrets(fromPlainMap(result), outputs), failures: [] };
  }

  #stored({ oldInputs, oldOutputs }: Pick<UpdateRequest, 'oldInputs' | 'oldOutputs'>): Stored {
    return {
      inputs: this.#versions.inputs(oldInputs, this.#inputs),
      outputs: this.#versions.outputs(oldOutputs, this.#outputs),
    };
  }

  async #publish(
    { views, oldViews = [] }: { readonly views?: ViewPublishing; readonly oldViews?: readonly View[] },
    object: { readonly id: string; readonly outputs: PlainValues } | undefined,
  ): Promise<void> {
    const packageName = this.#packageName;
    const definition = this.#definition;
    if (definition.views === undefined) return;
    const parts = object === undefined ? [] : definition.views(object);
    await publishViews({ publishing: views, packageName, old: oldViews }, parts);
  }

  async #previewed(
    inputs: PropertyMap,
    old: (Stored & { readonly id: string }) | undefined,
    context: HandlerContext,
  ): Promise<PropertyMap> {
    const kept = { keys: old === undefined ? [] : this.#rules.stableKeys, from: old?.outputs ?? emptyMap };
    const bySchema = this.#isOpen
      ? ownProperties(inputs)
      : previewOutputs(this.#outputs, this.#inputs, inputs, kept);
    const { preview } = this.#definition;
    if (preview === undefined) return this.#marked(bySchema, inputs);
    const known = Object.fromEntries(
      Object.entries(inputs).filter(([key, value]) => !containsUnknown({ [key]: value })),
    );
    const before = old && plainObject(old.id, old);
    const told = await preview.call(this.#definition, inputValues(known), before, context);
    return this.#marked({ ...bySchema, ...fromPlainMap(told) }, inputs);
  }

  #report(call: Reporting, outputs: PlainValues, inputs: PropertyMap): PropertyMap {
    return this.#marked(propertiesOf(call, outputs), inputs);
  }

  #marked(outputs: PropertyMap, inputs: PropertyMap): PropertyMap {
    return this.#versions.stamped(markSecrets(outputs, this.#outputs, inputs, this.#definition.reveals));
  }

  /** Converts an author's {@link InitFailed} to the contract's error, with secrets marked. */
  async #acting<T>(inputs: PropertyMap, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (isProviderError(error) || !isHandlerInitFailed(error)) throw error;
      throw new InitFailedError(
        error.id,
        this.#marked(fromPlainMap(error.outputs), inputs),
        inputs,
        error.reasons,
        false,
        error.message,
      );
    }
  }
}

interface Stored {
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

/** Returns an object in the form that handlers take. */
function plainObject(id: string, { inputs, outputs }: Stored) {
  return { id, inputs: inputValues(inputs), outputs: ownValues(outputs) };
}

/** Returns inputs in the form that handlers take, without the engine's own keys. */
const inputValues = (inputs: PropertyMap): Record<string, unknown> => ownValues(inputs);

function ownValues(map: PropertyMap): Record<string, unknown> {
  return toPlainMap(ownProperties(map));
}

const ownProperties = (map: PropertyMap): PropertyMap =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !key.startsWith('__')));

/** Calls whose answers have properties. */
type Reporting = 'create' | 'read' | 'update';

/** Returns a handler's answer as properties. Throws {@link ProviderError} if it is none. */
function propertiesOf(call: Reporting, values: PlainValues): PropertyMap {
  try {
    if (typeof values !== 'object' || values === null || Array.isArray(values))
      throw new TypeError('the properties are no object');
    return fromPlainMap(values);
  } catch (error) {
    throw new ProviderError('INTERNAL', `${call} returned no usable answer: ${messageOf(error)}`);
  }
}

/**
 * Removes inputs that the program leaves to the provider: such an input counts only if the program sets it. For an
 * import, where `before` is undefined, every input counts.
 */
function leftOut(found: PropertyMap, shape: ShapeSpec, before: PropertyMap | undefined): PropertyMap {
  if (before === undefined) return found;
  return Object.fromEntries(
    Object.entries(found).filter(([key]) => shape[key]?.presence !== 'computed' || before[key] !== undefined),
  );
}

/**
 * Returns the outputs that a preview can predict. Those with the name of an input have its value, `kept` ones remain,
 * and all others are unknown. An optional output without its input is omitted.
 */
function previewOutputs(
  outputs: ShapeSpec,
  inputShape: ShapeSpec,
  inputs: PropertyMap,
  kept: { readonly keys: readonly string[]; readonly from: PropertyMap },
): PropertyMap {
  const map = newMap();
  for (const [key, spec] of Object.entries(outputs)) {
    const value: PropertyValue | undefined = inputs[key];
    if (value !== undefined) map[key] = value;
    else if (kept.keys.includes(key) && kept.from[key] !== undefined) map[key] = kept.from[key];
    else if (!(Object.hasOwn(inputShape, key) && spec.presence === 'optional')) map[key] = UNKNOWN;
  }
  return map;
}
