import { cairnError } from '@cairn/diagnostics';
import type { Urn } from '@cairn/addresses';
import type { PropertyMap } from '@cairn/values';
import { isAssetError, needsHashes, withHashes } from '@cairn/wire/assets';
import { sourceRange } from '../../model/report.js';
import { RefusedRequest } from '../refusal.js';
import type { NormalisePass } from './draft.js';

/**
 * Adds missing hashes to assets and archives [VAL-6], for constructors of components too. Asynchronous only if there is
 * something to read.
 */
export const assetHashes: NormalisePass = ({ request, goal }, { programDirectory }) => {
  const inputs = hashedAssets(request.inputs, goal.urn, programDirectory, goal.sourcePosition);
  if (inputs === undefined) return undefined;
  return inputs.then((filled) => ({ request: { ...request, inputs: filled } }));
};

/**
 * Returns the map with every hash, or `undefined` if none is missing. Refuses unreadable assets with
 * CAIRN-RESOURCE-ASSET. `declaredAt`: source position in the form of goals.
 */
export function hashedAssets(
  map: PropertyMap,
  urn: Urn,
  programDirectory: string,
  declaredAt?: string,
): Promise<PropertyMap> | undefined {
  if (!needsHashes(map)) return undefined;
  return withHashes(map, programDirectory).catch((error: unknown) => {
    if (!isAssetError(error)) throw error;
    const hint = `Relative paths count from the program's directory, ${programDirectory}.`;
    const source = declaredAt === undefined ? undefined : sourceRange(declaredAt);
    throw new RefusedRequest(cairnError('CAIRN-RESOURCE-ASSET', error.message, { urn, source, hint }));
  });
}
