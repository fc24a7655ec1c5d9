import type { TfNumber } from './decimal.js';
import type { TfType } from './type.js';

/**
 * Value, always read together with its type [TFV-1]. Lists, tuples and sets are frozen arrays; sets have no equal
 * elements and an order of their own. Maps and objects are frozen records without a prototype.
 */
export type TfValue =
  null | TfUnknown | string | boolean | TfNumber | Dynamic | readonly TfValue[] | TfRecord;

/** Map, or object with every attribute of its type. */
export interface TfRecord {
  readonly [key: string]: TfValue;
}

/** One end of the range of an unknown number. */
export interface Bound {
  readonly value: TfNumber;
  readonly inclusive: boolean;
}

/** Known facts about an unknown value. */
export interface Refinement {
  readonly notNull?: true;
  readonly prefix?: string;
  readonly min?: Bound;
  readonly max?: Bound;
  readonly lengthMin?: number;
  readonly lengthMax?: number;
}

/** Value that is not known yet. */
export class TfUnknown {
  private constructor(
    /** Known facts about the value. Without any, the value is {@link UNKNOWN_VALUE}. */
    readonly refinement: Refinement | undefined,
  ) {
    Object.freeze(this);
  }

  /** Returns an unknown value with a refinement, or {@link UNKNOWN_VALUE} if the refinement is empty. */
  static refined(refinement: Refinement): TfUnknown {
    const known = Object.entries(refinement).filter(([, value]) => value !== undefined);
    return known.length === 0 ? UNKNOWN_VALUE : new TfUnknown(Object.freeze(Object.fromEntries(known)));
  }

  /** Unknown value without a refinement. */
  static readonly plain = new TfUnknown(undefined);
}

/** Unknown value without a refinement. */
export const UNKNOWN_VALUE: TfUnknown = TfUnknown.plain;

/** Value at a place of type `dynamic`, with its concrete type. */
export class Dynamic {
  constructor(
    readonly type: TfType,
    readonly value: TfValue,
  ) {
    Object.freeze(this);
  }
}

/** Builds a frozen record without a prototype, with keys in the given order. */
export function record(entries: Iterable<readonly [string, TfValue]>): TfRecord {
  const made = Object.create(null) as Record<string, TfValue>;
  for (const [key, value] of entries) made[key] = value;
  return Object.freeze(made);
}

/** Recognises a map or an object. */
export function isRecord(value: TfValue): value is TfRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) === null
  );
}
