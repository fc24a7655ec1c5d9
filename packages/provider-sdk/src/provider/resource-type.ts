import { containsUnknown, UNKNOWN, newMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { InitFailedError, ProviderError, isProviderError } from '@cairn/wire';
import type {
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
} from '@cairn/wire';
import type { AnyResource, HandlerContext, InputDiff } from '../definition.js';
import { checkShape } from '../schema/check.js';
import { diffInputs, noChange } from '../schema/diff.js';
import type { DiffRules } from '../schema/diff.js';
import { fromPlainMap, markSecrets, toPlainMap } from '../schema/plain.js';
import type { PlainValues } from '../schema/plain.js';
import { shapeSpec } from '../schema/property.js';
import type { ShapeSpec } from '../schema/property.js';
import { isInitFailed } from './init-failed.js';

/** One resource type of a provider: the definition's handlers behind the provider contract. */
export class ResourceType {
  private readonly inputs: ShapeSpec;
  private readonly outputs: ShapeSpec;
  private readonly rules: DiffRules;

  constructor(private readonly definition: AnyResource) {
    this.inputs = shapeSpec(definition.inputs);
    this.outputs = shapeSpec(definition.outputs);
    this.rules = {
      shape: this.inputs,
      canUpdate: definition.update !== undefined,
      deleteBeforeReplace: definition.deleteBeforeReplace ?? false,
      stableKeys: definition.stableOutputs ?? [],
    };
  }

  async check({ news }: CheckRequest, context: HandlerContext): Promise<CheckResponse> {
    const checked = checkShape(this.inputs, news);
    if (checked.failures.length > 0 || this.definition.check === undefined || containsUnknown(checked.inputs))
      return checked;
    const failures = await this.definition.check(inputValues(checked.inputs), context);
    return { inputs: checked.inputs, failures };
  }

  async diff(request: DiffRequest, context: HandlerContext): Promise<DiffResponse> {
    const { id, oldInputs, oldOutputs, news, ignoreChanges } = request;
    if (this.definition.diff === undefined || containsUnknown(news)) {
      return diffInputs(oldInputs, news, ignoreChanges, this.rules);
    }
    const old = { id, inputs: inputValues(oldInputs), outputs: toPlainMap(oldOutputs) };
    return this.ownDiff(await this.definition.diff(old, inputValues(news), context));
  }

  private ownDiff({ changed, replace = [], deleteBeforeReplace }: InputDiff): DiffResponse {
    if (changed.length === 0) return noChange(this.rules);
    return {
      changes: 'some',
      replaceKeys: replace,
      changedKeys: changed,
      stableKeys: replace.length > 0 ? [] : this.rules.stableKeys,
      detailedDiff: undefined,
      deleteBeforeReplace: deleteBeforeReplace ?? this.rules.deleteBeforeReplace,
    };
  }

  async create({ inputs, preview }: CreateRequest, context: HandlerContext): Promise<CreateResponse> {
    if (preview) {
      const outputs = previewOutputs(this.outputs, this.inputs, inputs, { keys: [], from: {} });
      return { id: '', outputs: this.marked(outputs, inputs), refreshBeforeUpdate: false };
    }
    const made = await this.acting(inputs, () => this.definition.create(inputValues(inputs), context));
    if (typeof made.id !== 'string' || made.id === '')
      throw new ProviderError('INTERNAL', 'create gave no id');
    return { id: made.id, outputs: this.report(made.outputs, inputs), refreshBeforeUpdate: false };
  }

  async lookup({ inputs }: LookupRequest, context: HandlerContext): Promise<LookupResponse> {
    const { lookup } = this.definition;
    if (lookup === undefined) throw new ProviderError('UNIMPLEMENTED', 'it cannot be looked for');
    const found = await lookup.call(this.definition, inputValues(inputs), context);
    return { found: found.map((id) => ({ id })) };
  }

  async update(request: UpdateRequest, context: HandlerContext): Promise<UpdateResponse> {
    const { id, oldInputs, oldOutputs, news, preview } = request;
    if (preview) {
      const kept = { keys: this.rules.stableKeys, from: oldOutputs };
      const outputs = previewOutputs(this.outputs, this.inputs, news, kept);
      return { outputs: this.marked(outputs, news), refreshBeforeUpdate: false };
    }
    const { update } = this.definition;
    if (update === undefined) throw new ProviderError('UNIMPLEMENTED', 'it cannot be changed in place');
    const old = { id, inputs: inputValues(oldInputs), outputs: toPlainMap(oldOutputs) };
    const outputs = await this.acting(news, () =>
      update.call(this.definition, old, inputValues(news), context),
    );
    return { outputs: this.report(outputs, news), refreshBeforeUpdate: false };
  }

  async read({ id, inputs, state }: ReadRequest, context: HandlerContext): Promise<ReadResponse> {
    const { read } = this.definition;
    if (read === undefined) {
      if (state === undefined) throw new ProviderError('UNIMPLEMENTED', 'it cannot be imported or looked up');
      return { id, inputs, outputs: state, refreshBeforeUpdate: false };
    }
    const known =
      inputs === undefined || state === undefined
        ? undefined
        : { inputs: inputValues(inputs), outputs: toPlainMap(state) };
    const found = await read.call(this.definition, id, known, context);
    if (found === undefined)
      return { id: '', inputs: undefined, outputs: undefined, refreshBeforeUpdate: false };
    const foundInputs = markSecrets(fromPlainMap(found.inputs), this.inputs, inputs);
    return {
      id: found.id,
      inputs: foundInputs,
      outputs: this.report(found.outputs, foundInputs),
      refreshBeforeUpdate: false,
    };
  }

  async delete({ id, oldInputs, oldOutputs }: DeleteRequest, context: HandlerContext): Promise<void> {
    await this.definition.delete?.(
      { id, inputs: inputValues(oldInputs), outputs: toPlainMap(oldOutputs) },
      context,
    );
  }

  private report(outputs: PlainValues, inputs: PropertyMap): PropertyMap {
    return this.marked(fromPlainMap(outputs), inputs);
  }

  private marked(outputs: PropertyMap, inputs: PropertyMap): PropertyMap {
    return markSecrets(outputs, this.outputs, inputs, this.definition.reveals);
  }

  /** An {@link InitFailed} of the author becomes the contract's error, with secrets marked. */
  private async acting<T>(inputs: PropertyMap, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (isProviderError(error) || !isInitFailed(error)) throw error;
      throw new InitFailedError(
        error.id,
        this.report(error.outputs, inputs),
        inputs,
        error.reasons,
        false,
        error.message,
      );
    }
  }
}

/** Inputs as handlers take them: the engine's own keys are left out. */
function inputValues(inputs: PropertyMap): Record<string, unknown> {
  return toPlainMap(Object.fromEntries(Object.entries(inputs).filter(([key]) => !key.startsWith('__'))));
}

/**
 * Outputs a preview can tell: those with the name of an input have its value, `kept` ones stay, the others are not
 * known. An optional output whose input was left out is left out.
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
