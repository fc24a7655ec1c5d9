import { isRecord, record, typeFromJson, typeWithin } from '@cairn/tfplugin';
import type { TfType, TfValue } from '@cairn/tfplugin';
import { parsePathTolerantly } from '@cairn/values';
import { OtherType } from './messages.js';
import type { CallTypes } from './messages.js';
import { readTyped, valueOf } from '@cairn/tfplugin/notation';
import type { NotationJson } from '@cairn/tfplugin/notation';

type Parts = Readonly<Record<string, unknown>>;

const VALUES = new Set(['newState', 'plannedState', 'upgradedState', 'targetState', 'state', 'result']);
const IDENTITIES = new Set([
  'newIdentity',
  'plannedIdentity',
  'targetIdentity',
  'upgradedIdentity',
  'identity',
]);

/** Reads the parts of an answer that a rule writes as JSON. `{ "$raw": [type, value] }` is a value of another type. */
export function scriptedAnswer(answer: { readonly [part: string]: NotationJson }, types: CallTypes): Parts {
  return Object.fromEntries(
    Object.entries(answer).map(([name, json]) => [name, scriptedPart(name, json, types)]),
  );
}

function scriptedPart(name: string, json: NotationJson, types: CallTypes): unknown {
  if (VALUES.has(name)) return scriptedValue(json, types);
  if (IDENTITIES.has(name)) return readTyped(types.identity, json).value;
  if (name === 'renewAt') return new Date(Date.now() + (json as number));
  if (name === 'importedResources') {
    return (json as readonly { readonly [part: string]: NotationJson }[]).map((each) =>
      scriptedAnswer(each, types.imported(each['typeName'] as string)),
    );
  }
  return json;
}

function scriptedValue(json: NotationJson, types: CallTypes): TfValue | OtherType {
  if (typeof json === 'object' && json !== null && '$raw' in json) {
    const [type, value] = json.$raw as readonly [NotationJson, NotationJson];
    const other = typeFromJson(type);
    return new OtherType(other, readTyped(other, value).value);
  }
  return types.block === undefined ? readTyped(types.value, json).value : valueOf(types.block, json);
}

/** Returns an answer with parts replaced: whole ones, or the values at a path in them. */
export function changedAnswer(
  answer: Parts,
  change: { readonly [path: string]: NotationJson },
  types: CallTypes,
): Parts {
  const changed: Record<string, unknown> = { ...answer };
  for (const [text, json] of Object.entries(change)) {
    const [part, ...path] = parsePathTolerantly(text);
    const name = String(part);
    const isWhole = path.length === 0;
    changed[name] = isWhole
      ? scriptedPart(name, json, types)
      : withValue(types.value, changed[name] as TfValue, path as (string | number)[], json);
  }
  return changed;
}

function withValue(
  type: TfType,
  value: TfValue,
  path: readonly (string | number)[],
  json: NotationJson,
): TfValue {
  const [step, ...rest] = path;
  if (step === undefined) return readTyped(type, json).value;
  const within = typeWithin(type, step);
  if (Array.isArray(value)) {
    const elements = value as readonly TfValue[];
    const changed = withValue(within, elements[Number(step)] ?? null, rest, json);
    return Object.freeze(
      Number(step) === elements.length
        ? [...elements, changed]
        : elements.map((each, at) => (at === step ? changed : each)),
    );
  }
  const fields = isRecord(value) ? value : {};
  const changed = withValue(within, fields[step] ?? null, rest, json);
  return record(Object.entries({ ...fields, [step]: changed }).sort(([a], [b]) => (a < b ? -1 : 1)));
}
