import { jsonStringify, output, secret } from '../output/combine.js';
import { isOutput, isThenable } from '../output/brand.js';
import { isPlainObject } from '../output/resolution.js';
import type { DefaultSpec, NestedSpec, ShapeDescription } from './shape.js';

type Values = Readonly<Record<string, unknown>>;

/** Shapes of object types that have defaults, by name. */
export type NestedShapes = Readonly<Record<string, ShapeDescription>>;

/** Returns the inputs to send: those of the program, with constants and defaults, secrets marked. */
export function preparedInputs(shape: ShapeDescription, given: Values, shapes: NestedShapes): object {
  const inputs: Record<string, unknown> = { ...withDefaults(shape, given, shapes) };
  for (const key of shape.json ?? []) if (inputs[key] !== undefined) inputs[key] = asJson(inputs[key]);
  for (const key of shape.secrets ?? [])
    if (inputs[key] !== undefined) inputs[key] = secret(inputs[key] as never);
  return inputs;
}

/** Returns the first required property that is missing. Outputs and promises count as given. */
export function missingProperty(shape: ShapeDescription, given: Values): string | undefined {
  const { required, defaults } = shape;
  return required?.find((key) => {
    const spec = defaults?.[key];
    return given[key] === undefined && (spec === undefined || defaultValue(spec) === undefined);
  });
}

function withDefaults(shape: ShapeDescription, given: Values, shapes: NestedShapes): Values {
  const filled: Record<string, unknown> = { ...given };
  for (const [key, value] of Object.entries(shape.constants ?? {})) filled[key] = value;
  for (const [key, spec] of Object.entries(shape.defaults ?? {})) filled[key] ??= defaultValue(spec);
  for (const [key, spec] of Object.entries(shape.nested ?? {})) {
    if (filled[key] !== undefined) filled[key] = nestedValue(spec, filled[key], shapes);
  }
  return filled;
}

/** Applies the defaults inside a value that may still be pending. */
function nestedValue(spec: NestedSpec, value: unknown, shapes: NestedShapes): unknown {
  if (isOutput(value) || isThenable(value)) {
    return output(value).apply((known) => nestedValue(spec, known, shapes));
  }
  if ('items' in spec) {
    if (Array.isArray(value)) return value.map((item) => nestedValue(spec.items, item, shapes));
    if (typeof value !== 'object' || value === null || !isPlainObject(value)) return value;
    const entries = Object.entries(value).map(([key, item]) => [key, nestedValue(spec.items, item, shapes)]);
    return Object.fromEntries(entries);
  }
  const shape = shapes[spec.type];
  const isObject = typeof value === 'object' && value !== null && isPlainObject(value);
  return shape === undefined || !isObject ? value : withDefaults(shape, value as Values, shapes);
}

/** Returns the default of a missing property, or undefined if there is none. */
export function defaultValue({ value, env, type }: DefaultSpec): unknown {
  for (const name of env ?? []) {
    const text = process.env[name];
    if (text === undefined || text === '') continue;
    return readText(text, type) ?? value;
  }
  return value;
}

function readText(text: string, type: DefaultSpec['type']): unknown {
  if (type === 'boolean') return { true: true, '1': true, false: false, '0': false }[text.toLowerCase()];
  if (type !== 'number') return text;
  return Number.isNaN(Number(text)) ? undefined : Number(text);
}

function asJson(value: unknown): unknown {
  return typeof value === 'string' ? value : jsonStringify(value);
}
