import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  Dynamic,
  fromProgram,
  makeSet,
  parseNumber,
  record,
  typeFromJson,
  Unknown,
  unknown,
} from '../src/index.js';
import type { Refinement, TfNumber, TfType, TfValue } from '../src/index.js';

/**
 * The form of typed values in `cases/`: JSON read by a type, with `$unknown`, `$num` and `$dyn` for what JSON has
 * not; an
 * attribute that is left out is null.
 */
type Json = null | string | number | boolean | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** What every case has. */
export interface Case {
  readonly id: string;
  readonly function: string;
  readonly [part: string]: Json;
}

/** The cases of a file of `cases/`, those of these functions. */
export function casesOf(file: string, ...functions: readonly string[]): readonly Case[] {
  const text = readFileSync(path.join(__dirname, 'cases', `${file}.json`), 'utf8');
  return (JSON.parse(text) as Case[]).filter((each) => functions.includes(each.function));
}

/** A value of a type. */
export function readValue(type: TfType, json: Json | undefined): TfValue {
  const special = readSpecial(json);
  if (special !== undefined) return special;
  if (typeof json === 'number') return fromProgram(json);
  if (typeof json !== 'object' || json === null || typeof type === 'string') return json as TfValue;
  if (Array.isArray(json)) {
    const typeAt = (at: number) => {
      if (typeof type === 'string' || type.kind === 'object') return 'dynamic';
      return type.kind === 'tuple' ? (type.elements[at] ?? 'dynamic') : type.element;
    };
    const elements = json.map((each, at) => readValue(typeAt(at), each));
    return type.kind === 'set' ? makeSet(type.element, elements) : Object.freeze(elements);
  }
  const entries = json as JsonObject;
  if (type.kind === 'object') {
    const names = Object.keys(type.attributes);
    return record(
      names.map((name) => [name, readValue(type.attributes[name] as TfType, entries[name] ?? null)]),
    );
  }
  const element = type.kind === 'map' ? type.element : 'dynamic';
  return record(
    Object.keys(entries)
      .sort()
      .map((key) => [key, readValue(element, entries[key])]),
  );
}

/** A value that JSON has no form for. */
function readSpecial(json: Json | undefined): TfValue | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const object = json as JsonObject;
  if ('$num' in object) return parseNumber(String(object.$num)) as TfNumber;
  if ('$dyn' in object) {
    const [type, value] = object.$dyn as readonly Json[];
    const concrete = typeFromJson(type);
    return new Dynamic(concrete, readValue(concrete, value));
  }
  if (!('$unknown' in object)) return undefined;
  return object.$unknown === true ? unknown : Unknown.refined(readRefinement(object.$unknown as JsonObject));
}

function readRefinement(json: JsonObject): Refinement {
  const bound = (pair: Json | undefined) => {
    if (!Array.isArray(pair)) return undefined;
    return { value: readValue('number', pair[0]) as TfNumber, inclusive: pair[1] as boolean };
  };
  return {
    notNull: json.notNull === true ? true : undefined,
    prefix: json.prefix as string | undefined,
    min: bound(json.min),
    max: bound(json.max),
    lengthMin: json.lenMin as number | undefined,
    lengthMax: json.lenMax as number | undefined,
  } as Refinement;
}
