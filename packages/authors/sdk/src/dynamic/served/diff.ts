import { isDeepStrictEqual } from 'node:util';
import { containsUnknown } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { DiffResponse } from '@cairn/wire';
import { deserialize } from '../../values/deserialize.js';
import type { DynamicDefinition, DynamicDiff } from '../provider.js';
import type { Values } from './module.js';

type Rules = Pick<DynamicDefinition<Values, Values>, 'update' | 'replaceOnChange' | 'deleteBeforeReplace'>;

/** Compares inputs one by one, whether secret or not. Those in `ignored` do not count. */
export function diffInputs(
  old: PropertyMap,
  wanted: PropertyMap,
  ignored: readonly string[],
  rules: Rules,
): DiffResponse {
  const keys = new Set([...Object.keys(old), ...Object.keys(wanted)]);
  const changed = [...keys].filter(
    (key) => !key.startsWith('__') && !ignored.includes(key) && differs(old[key], wanted[key]),
  );
  const replace =
    rules.update === undefined ? changed : changed.filter((key) => rules.replaceOnChange?.includes(key));
  return diffResponse({ changed, replace }, rules);
}

/** Converts the answer of the author's own diff. */
export function diffResponse(diff: DynamicDiff<Values>, rules: Rules): DiffResponse {
  const { changed, replace = [], deleteBeforeReplace } = diff;
  return {
    changes: changed.length === 0 ? 'none' : 'some',
    replaceKeys: changed.length === 0 ? [] : replace,
    changedKeys: changed,
    stableKeys: [],
    detailedDiff: undefined,
    deleteBeforeReplace: deleteBeforeReplace ?? rules.deleteBeforeReplace ?? false,
  };
}

function differs(old: PropertyValue | undefined, wanted: PropertyValue | undefined): boolean {
  if (old === undefined || wanted === undefined) return old !== wanted;
  return containsUnknown(wanted) || !isDeepStrictEqual(deserialize(old).value, deserialize(wanted).value);
}
