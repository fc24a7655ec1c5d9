import type { TfNumber } from './decimal.js';
import type { TfType } from './type.js';

/**
 * A value, always read together with its type [TFV-1]. Lists, tuples and sets are frozen arrays, sets without equal
 * elements and in their own order; maps and objects are frozen records without a prototype.
 */
export type TfValue = null | Unknown | string | boolean | TfNumber | Dynamic | readonly TfValue[] | TfRecord;

/** A map, or an object with every attribute of its type. */
export interface TfRecord {
  readonly [key: string]: TfValue;
}

/** One end of the range that an unknown number is in. */
export interface Bound {
  readonly value: TfNumber;
  readonly inclusive: boolean;
}

/** What is known of a value that is not known itself. */
export interface Refinement {
  readonly notNull?: true;
  readonly prefix?: string;
  readonly min?: Bound;
  readonly max?: Bound;
  readonly lengthMin?: number;
  readonly lengthMax?: number;
}

/** A value that is not known yet. */
export class Unknown {
  private constructor(
    /** What is known of it; without anything known, it is {@link unknown}. */
    readonly refinement: Refinement | undefined,
  ) {
    Object.freeze(this);
  }

  /** An unknown value of which something is known; {@link unknown} when that is nothing. */
  static refined(refinement: Refinement): Unknown {
    const known = Object.entries(refinement).filter(([, value]) => value !== undefined);
    return known.length === 0 ? unknown : new Unknown(Object.freeze(Object.fromEntries(known)));
  }

  /** Where nothing is known. */
  static readonly plain = new Unknown(undefined);
}

/** An unknown value of which nothing is known. */
export const unknown: Unknown = Unknown.plain;

/** A value in the place of a type `dynamic`, with the concrete type that it brings. */
export class Dynamic {
  constructor(
    readonly type: TfType,
    readonly value: TfValue,
  ) {
    Object.freeze(this);
  }
}

/** A record without a prototype whose keys were added in the order that is wanted, frozen. */
export function record(entries: Iterable<readonly [string, TfValue]>): TfRecord {
  const made = Object.create(null) as Record<string, TfValue>;
  for (const [key, value] of entries) made[key] = value;
  return Object.freeze(made);
}

/** Whether a value is a map or an object. */
export function isRecord(value: TfValue): value is TfRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) === null
  );
}
