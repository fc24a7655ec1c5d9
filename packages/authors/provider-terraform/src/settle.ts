import { TfUnknown, record } from '@cairn/tfplugin';
import type { TfRecord, TfValue } from '@cairn/tfplugin';
import type { Field, Fields, Nested } from './fields.js';
import { absentOf } from './values.js';

/** Sources of a field's value, all of the same type. */
interface Sources {
  /** Value in the program. */
  readonly config: TfValue;
  /** Checked input: the program's value with defaults. */
  readonly given: TfValue;
  /** Value that the provider reports. */
  readonly reported: TfValue;
}

/**
 * Returns a value that may be planned or be the result of applying: the program's value, else the default, else the
 * reported value, else `rest`. A field that is not computed is null if the program does not set it.
 */
// [TFS-3]
function settled(field: Field, { config, given, reported }: Sources, rest: TfValue): TfValue {
  const { flags, nested } = field;
  if (config instanceof TfUnknown) return config;
  if (config === null) {
    if (!flags.computed) return absentOf(field);
    return given ?? reported ?? rest;
  }
  if (nested === undefined) return config;
  return withinNested(nested, { config, given, reported }, rest);
}

/** Applies {@link settled} to every field. */
export function settledObject(
  fields: Fields,
  { config, given, reported }: { readonly [K in keyof Sources]: TfRecord },
  rest: TfValue,
): TfRecord {
  return record(
    [...fields].map(([name, field]) => {
      const at = (object: TfRecord): TfValue => object[name] ?? null;
      return [name, settled(field, { config: at(config), given: at(given), reported: at(reported) }, rest)];
    }),
  );
}

function withinNested(nested: Nested, { config, given, reported }: Sources, rest: TfValue): TfValue {
  const { mode, fields } = nested;
  const merge = (each: Sources): TfValue => {
    if (each.config === null || each.config instanceof TfUnknown) return each.config;
    const parts = {
      config: each.config as TfRecord,
      given: asRecord(each.given),
      reported: asRecord(each.reported),
    };
    return settledObject(fields, parts, rest);
  };
  switch (mode) {
    case 'single':
      return merge({ config, given, reported });
    case 'list':
      return Object.freeze(
        (config as readonly TfValue[]).map((item, at) =>
          merge({ config: item, given: itemAt(given, at), reported: itemAt(reported, at) }),
        ),
      );
    case 'map':
      return record(
        Object.keys(config as TfRecord).map((key) => {
          const at = (value: TfValue): TfValue => asRecord(value)[key] ?? null;
          return [key, merge({ config: at(config), given: at(given), reported: at(reported) })];
        }),
      );
    case 'set':
      // Elements of a set have no position by which they can be matched. The checked ones contain the defaults.
      return given === null || given instanceof TfUnknown ? config : given;
  }
}

/**
 * Returns the plan without a change: the object as it is, as far as a plan may say so. A value that the program removed
 * is null all the same.
 */
function unchanged(field: Field, prior: TfValue, config: TfValue): TfValue {
  const { flags, nested } = field;
  if (config === null) return flags.computed ? prior : absentOf(field);
  if (prior === null || config instanceof TfUnknown) return config;
  if (nested?.block !== true || nested.mode === 'set') return prior;
  const inside = (before: TfValue, item: TfValue): TfValue =>
    item === null || item instanceof TfUnknown || before === null || before instanceof TfUnknown
      ? item
      : unchangedObject(nested.fields, before as TfRecord, item as TfRecord);
  if (nested.mode === 'single') return inside(prior, config);
  if (nested.mode === 'list') {
    return Object.freeze((config as readonly TfValue[]).map((item, at) => inside(itemAt(prior, at), item)));
  }
  const keys = Object.keys(config as TfRecord);
  return record(
    keys.map((key) => [key, inside(asRecord(prior)[key] ?? null, asRecord(config)[key] ?? null)]),
  );
}

/** Applies {@link unchanged} to every field. */
export function unchangedObject(fields: Fields, prior: TfRecord, config: TfRecord): TfRecord {
  return record(
    [...fields].map(([name, field]) => [name, unchanged(field, prior[name] ?? null, config[name] ?? null)]),
  );
}

const NOTHING: TfRecord = record([]);

function asRecord(value: TfValue): TfRecord {
  return value === null || value instanceof TfUnknown || typeof value !== 'object'
    ? NOTHING
    : (value as TfRecord);
}

function itemAt(value: TfValue, at: number): TfValue {
  return Array.isArray(value) ? ((value as readonly TfValue[])[at] ?? null) : null;
}
