import { isUrn, providerTypePackage, tokenPackage } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { CairnError, errorDiagnostic } from '@cairn/diagnostics';
import { emptyMap, formatPath, isMap, unknownPath } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { CheckFailure, DiffKind, DiffResponse, InitFailedError, PropertyDiff } from '@cairn/wire';

/**
 * Checks answers of providers before the engine uses any part of them [PROV-18]. They come from a plugin or from a
 * JavaScript module without types. An unusable answer is CAIRN-PROVIDER-ANSWER with the provider's name, and reaches no
 * state.
 */

/** Origin of an answer, for the error that names the provider. */
export interface AnswerSubject {
  /** `type` is the type of the resource, or the token of the called function. */
  readonly entry: { readonly urn?: Urn | undefined; readonly type: string };
  readonly call: string;
  /** True if unknown values are allowed. */
  readonly preview: boolean;
}

/** Makes the error for an answer that breaks the provider contract. No part of such an answer may reach state. */
export function badAnswer({ entry, call }: AnswerSubject, what: string): CairnError {
  const provider = providerTypePackage(entry.type) ?? tokenPackage(entry.type);
  return new CairnError([
    errorDiagnostic(
      'CAIRN-PROVIDER-ANSWER',
      `provider "${provider}" returned an invalid answer to ${call} of ${entry.type}: ${what}`,
      { urn: entry.urn, hint: `Report this bug to the authors of "${provider}".` },
    ),
  ]);
}

/** Returns an answer that is an object. Throws {@link badAnswer}. */
export function answered<T extends object>(from: AnswerSubject, answer: T | undefined | null): T {
  if (typeof answer !== 'object' || answer === null) throw badAnswer(from, 'it is empty');
  return answer;
}

/**
 * Returns properties of an answer. Throws {@link badAnswer} if they are missing or contain unknowns where none may be.
 */
export function answeredProperties(from: AnswerSubject, value: unknown, what: string): PropertyMap {
  if (value === undefined || value === null) throw badAnswer(from, `it has no ${what}`);
  if (typeof value !== 'object' || !isMap(value as PropertyValue)) {
    throw badAnswer(from, `its ${what} are not properties`);
  }
  const map = value as PropertyMap;
  if (!from.preview) {
    for (const key in map) {
      const inside = unknownPath(map[key] as PropertyValue);
      if (inside !== undefined)
        throw badAnswer(from, `${what}: "${formatPath([key, ...inside])}" is not known`);
    }
  }
  return map;
}

/** Returns the id of an answer. Throws {@link badAnswer} when it is not text, or empty where an object must exist. */
export function answeredId(from: AnswerSubject, id: unknown): string {
  if (typeof id !== 'string')
    throw badAnswer(from, `its id is ${id === null ? 'null' : typeof id}, not a string`);
  if (id === '' && !from.preview) throw badAnswer(from, 'it has no id');
  return id;
}

/** Returns the failures of a check or an invoke, or none if they are omitted. Throws {@link badAnswer}. */
export function answeredFailures(from: AnswerSubject, failures: unknown): readonly CheckFailure[] {
  if (failures === undefined || failures === null) return [];
  if (!Array.isArray(failures)) throw badAnswer(from, 'its failures are not a list');
  return failures.map((failure: Partial<CheckFailure> | null) => {
    const { property = '', reason } = failure ?? {};
    if (typeof property !== 'string' || typeof reason !== 'string') {
      throw badAnswer(from, 'one of its failures has no reason');
    }
    return { property, reason };
  });
}

const CHANGES: ReadonlySet<unknown> = new Set<DiffResponse['changes']>(['unknown', 'none', 'some']);

const KINDS = {
  add: true,
  'add-replace': true,
  delete: true,
  'delete-replace': true,
  update: true,
  'update-replace': true,
} as const satisfies Record<DiffKind, true>;

/** Returns a diff with valid parts. Omitted lists are empty. Throws {@link badAnswer}. */
export function answeredDiff(from: AnswerSubject, answer: DiffResponse | undefined | null): DiffResponse {
  const diff = answered(from, answer) as Partial<DiffResponse>;
  if (!CHANGES.has(diff.changes)) {
    throw badAnswer(from, `its changes are ${JSON.stringify(diff.changes)}, not unknown, none or some`);
  }
  return {
    changes: diff.changes as DiffResponse['changes'],
    replaceKeys: answeredKeys(from, diff.replaceKeys, 'replaceKeys'),
    changedKeys: answeredKeys(from, diff.changedKeys, 'changedKeys'),
    stableKeys: answeredKeys(from, diff.stableKeys, 'stableKeys'),
    detailedDiff: answeredDetails(from, diff.detailedDiff),
    deleteBeforeReplace: diff.deleteBeforeReplace === true,
  };
}

function answeredKeys(from: AnswerSubject, keys: unknown, what: string): readonly string[] {
  if (keys === undefined || keys === null) return [];
  if (Array.isArray(keys) && keys.every((key) => typeof key === 'string')) return keys;
  throw badAnswer(from, `its ${what} are not a list of strings`);
}

function answeredDetails(from: AnswerSubject, details: unknown): DiffResponse['detailedDiff'] {
  if (details === undefined || details === null) return undefined;
  if (typeof details !== 'object') throw badAnswer(from, 'its detailedDiff is not a map');
  for (const [path, detail] of Object.entries(details as Record<string, Partial<PropertyDiff> | null>)) {
    const kind: unknown = detail?.kind;
    if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) {
      throw badAnswer(from, `its detailedDiff has an unknown kind at "${path}"`);
    }
  }
  return details as DiffResponse['detailedDiff'];
}

/** Returns dependencies of results by property, or none if they are omitted. Throws {@link badAnswer}. */
export function answeredDependencies(
  from: AnswerSubject,
  dependencies: unknown,
): Readonly<Record<string, readonly Urn[]>> {
  if (dependencies === undefined || dependencies === null) return {};
  if (typeof dependencies !== 'object') throw badAnswer(from, 'its dependencies are not a map');
  for (const [key, urns] of Object.entries(dependencies as Record<string, unknown>)) {
    if (!Array.isArray(urns) || !urns.every((urn) => typeof urn === 'string' && isUrn(urn))) {
      throw badAnswer(from, `the dependencies of "${key}" are not URNs`);
    }
  }
  return dependencies as Readonly<Record<string, readonly Urn[]>>;
}

/**
 * Returns properties that may be omitted: a function need not return anything, and an object need not report anything.
 */
export function answeredResult(from: AnswerSubject, value: unknown, what: string): PropertyMap {
  return value === undefined || value === null ? emptyMap : answeredProperties(from, value, what);
}

/** Object that a failed create, read or update left behind. The id may be empty. */
interface LeftBehind {
  readonly id: string;
  readonly outputs: PropertyMap;
  /** Undefined if the inputs are unchanged. */
  readonly inputs: PropertyMap | undefined;
  readonly reasons: readonly string[];
  readonly refreshBeforeUpdate: boolean;
}

/** Returns the part of an unready object that can be recorded. Throws {@link badAnswer}. */
export function answeredFailure({ entry, call }: AnswerSubject, error: InitFailedError): LeftBehind {
  const from = { entry, call, preview: false };
  const { id, outputs, inputs, reasons, refreshBeforeUpdate } = error;
  return {
    id: id === '' ? '' : answeredId(from, id),
    outputs: answeredProperties(from, outputs, 'outputs'),
    inputs: inputs === undefined ? undefined : answeredProperties(from, inputs, 'inputs'),
    reasons: answeredKeys(from, reasons, 'reasons'),
    refreshBeforeUpdate,
  };
}
