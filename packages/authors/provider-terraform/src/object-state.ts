import { equalMaps, newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { record } from '@cairn/tfplugin';
import type { TfRecord, TfValue } from '@cairn/tfplugin';
import { checkShape } from '@cairn/provider-sdk/protocols';
import { markSecrets } from '@cairn/provider-sdk/protocols';
import type { Fields } from './fields.js';
import { decodeKept, keptOf } from './private-bytes.js';
import type { Kept } from './private-bytes.js';
import type { ServedShapes } from './resource-schema.js';
import { settledObject } from './settle.js';
import { absentOf, fromTf, toTf, toTfObject } from './values.js';

/** An object in the form of Cairn's own calls. */
export interface StoredProperties {
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

/** Converts between an object's two maps, inputs and outputs, and its one state in Terraform. */
// [TFS-2]
export class ObjectStates {
  readonly #shared: readonly string[];
  readonly #served: ServedShapes;

  constructor(served: ServedShapes) {
    this.#served = served;
    this.#shared = Object.keys(served.inputs).filter((name) => name in served.outputs);
  }

  /** Returns the inputs that a configuration gives. */
  given(config: TfRecord): PropertyMap {
    const map = newMap();
    for (const [name, field] of this.#served.fields) {
      if (!(field.property in this.#served.inputs)) continue;
      const value = fromTf(field, config[name] ?? null);
      if (value !== undefined) map[field.property] = value;
    }
    return map;
  }

  /**
   * Returns the object of a state. Inputs that the program omitted, and still omits, are not inputs. Defaults within
   * plain values, which a state does not have, are filled in.
   */
  read(state: TfRecord, bytes: Uint8Array, config?: TfRecord): StoredProperties {
    const { leftOut, outputs: differing, withoutOutput } = decodeKept(bytes);
    const { inputs: inputShape, outputs: outputShape } = this.#served;
    const [given, outputs] = [newMap(), newMap()];
    for (const [name, field] of this.#served.fields) {
      const { property } = field;
      const value = fromTf(field, state[name] ?? null);
      const isLeftOut = leftOut.includes(property) && (config?.[name] ?? null) === null;
      if (value !== undefined && property in inputShape && !isLeftOut) given[property] = value;
      if (property in outputShape && !withoutOutput.includes(property)) {
        const reported = differing[property] ?? value;
        if (reported !== undefined) outputs[property] = reported;
      }
    }
    const { inputs } = checkShape(inputShape, given);
    return {
      id: String(state['id'] ?? ''),
      inputs,
      outputs: markSecrets(outputs, outputShape, inputs),
    };
  }

  /** Returns the state, or planned state, of an object whose inputs come from a configuration. */
  make(
    id: TfValue,
    {
      config,
      inputs,
      outputs,
    }: { readonly config: TfRecord; readonly inputs: PropertyMap; readonly outputs: PropertyMap },
    rest: TfValue,
  ): TfRecord {
    const { fields } = this.#served;
    const given = toTfObject(fields, inputs);
    const reported = this.#reported(outputs);
    return this.withId(settledObject(fields, { config, given, reported }, rest), id);
  }

  /**
   * Returns the state of an object that was read. A value with the same meaning as the known one keeps its written
   * form: null or empty, the digits of a number.
   */
  found(id: string, inputs: PropertyMap, outputs: PropertyMap, known: TfRecord | undefined): TfRecord {
    const { fields, inputs: inputShape } = this.#served;
    const reported = this.#reported(outputs);
    const entries = [...fields].map(([name, field]): readonly [string, TfValue] => {
      const { property, flags } = field;
      const input = property in inputShape ? toTf(field, inputs[property]) : null;
      const value = input ?? (flags.computed ? (reported[name] ?? null) : absentOf(field));
      const before = known?.[name];
      if (before === undefined) return [name, value];
      const asMap = (each: TfValue): PropertyMap => {
        const found = fromTf(field, each);
        return found === undefined ? {} : { [property]: found };
      };
      return [name, equalMaps(asMap(before), asMap(value)) ? before : value];
    });
    return this.withId(record(entries), id);
  }

  /** Returns the data that the state lacks. With `all`, every optional input counts as omitted. */
  kept(inputs: PropertyMap, outputs: PropertyMap, all = false): Kept {
    const leftOut = [...this.#served.fields.values()]
      .filter(({ property, flags }) => property in this.#served.inputs && flags.optional && flags.computed)
      .filter(
        ({ property, spec }) => inputs[property] === undefined || (all && spec.presence !== 'defaulted'),
      )
      .map(({ property }) => property);
    return keptOf(inputs, outputs, this.#shared, leftOut);
  }

  /** Returns an object of which only the id is known. */
  withIdAlone(id: string): TfRecord {
    return this.withId(record([...this.#served.fields].map(([name, field]) => [name, absentOf(field)])), id);
  }

  /** Returns the state with the id, in the order of its type. */
  withId(state: TfRecord, id: TfValue): TfRecord {
    const names = Object.keys(this.#served.type.attributes);
    return record(names.map((name) => [name, name === 'id' ? id : (state[name] ?? null)]));
  }

  /** Returns outputs by attribute. The state has no place for an output with the name of an input and another type. */
  #reported(outputs: PropertyMap): TfRecord {
    const own: Fields = this.#served.fields;
    const { inputs: inputShape, outputs: outputShape } = this.#served;
    return record(
      [...own].map(([name, field]): readonly [string, TfValue] => {
        const { property } = field;
        if (!(property in outputShape)) return [name, null];
        const hasOtherType =
          property in inputShape && inputShape[property]?.type.kind !== outputShape[property]?.type.kind;
        return [name, hasOtherType ? null : toTf(field, outputs[property])];
      }),
    );
  }
}
