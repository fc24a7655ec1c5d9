import { newMap } from '@cairn/values';
import type { Provider } from '@cairn/wire';
import { objectOf, typeJson } from '@cairn/tfplugin';
import type { ObjectType, TfRecord, TfType, TfValue } from '@cairn/tfplugin';
import type { FunctionMessage } from '@cairn/tfplugin/protocol6';
import type { AnyFunction } from '@cairn/provider-sdk/protocols';
import { checkShape } from '@cairn/provider-sdk/protocols';
import { shapeSpec } from '@cairn/provider-sdk/protocols';
import type { ShapeSpec } from '@cairn/provider-sdk/protocols';
import { fieldsOf, outputFlags } from './fields.js';
import type { Field, Fields } from './fields.js';
import { nestedNames } from './names.js';
import { fromTf, toTfObject } from './values.js';

/** Answer of a function, or the reason of its refusal. `argument` is the position of the invalid argument, from 0. */
type FunctionAnswer =
  | { readonly t: 'result'; readonly result: TfRecord }
  | { readonly t: 'refused'; readonly text: string; readonly argument: number | undefined };

/** A function that needs no configuration, as expressions call it: arguments by position, the outputs as one object. */
export class ProviderFunction {
  /** Types of the arguments. */
  readonly parameters: readonly TfType[];
  readonly returns: ObjectType;
  /** Its definition as a message. */
  readonly message: FunctionMessage;
  readonly #inputs: ShapeSpec;
  readonly #given: readonly Field[];
  readonly #reported: Fields;
  readonly #provider: Provider;
  readonly #token: string;

  /** `token` is the whole token of the function. */
  constructor(provider: Provider, definition: AnyFunction, token: string) {
    this.#provider = provider;
    this.#token = token;
    this.#inputs = shapeSpec(definition.inputs);
    const outputs = shapeSpec(definition.outputs);
    // Arguments and results are values of plain types, as all of protocol 5's are.
    const plain = 5;
    const byName = fieldsOf(this.#inputs, nestedNames(this.#inputs), outputFlags, plain);
    const fields = [...byName.values()];
    this.#given = Object.keys(this.#inputs).map(
      (name) => fields.find((each) => each.property === name) as Field,
    );
    this.#reported = fieldsOf(outputs, nestedNames(outputs), outputFlags, plain);
    this.parameters = this.#given.map(({ type }) => type);
    this.returns = objectOf(Object.fromEntries([...this.#reported].map(([name, { type }]) => [name, type])));
    this.message = {
      parameters: this.#given.map(({ name, spec, type }) => ({
        name,
        type: Buffer.from(typeJson(type)),
        allowNullValue: spec.presence !== 'required',
        allowUnknownValues: false,
        description: spec.description,
        descriptionKind: 0,
      })),
      variadicParameter: undefined,
      return: { type: Buffer.from(typeJson(this.returns)) },
      summary: definition.description ?? '',
      description: definition.description ?? '',
      descriptionKind: 0,
      deprecationMessage: '',
    };
  }

  async call(args: readonly TfValue[]): Promise<FunctionAnswer> {
    const given = newMap();
    this.#given.forEach((field, at) => {
      const value = fromTf(field, args[at] ?? null);
      if (value !== undefined) given[field.property] = value;
    });
    const [wrong] = checkShape(this.#inputs, given).failures;
    if (wrong !== undefined) {
      const at = this.#given.findIndex(({ property }) => wrong.property.split(/[.[]/)[0] === property);
      const text = `${wrong.property} ${wrong.reason}`;
      return { t: 'refused', text, argument: at < 0 ? undefined : at };
    }
    try {
      const { result } = await this.#provider.invoke({ token: this.#token, args: given, preview: false });
      return { t: 'result', result: toTfObject(this.#reported, result) };
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return { t: 'refused', text, argument: undefined };
    }
  }
}
