import { containsSecret, secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { isSecret, plainOutputs } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import { toProperties } from '../values/index.js';
import { parseStored, storedText } from '../lifecycle/index.js';
import type { TerraformObjectState, StoredObject, TerraformClient } from '../lifecycle/index.js';
import { STATE_PROPERTY } from '../model/index.js';
import type { ObjectModel } from '../model/index.js';

/**
 * Returns outputs of an object: the ones that programs see, and the object in the form that its provider needs [TFB-4].
 * The latter is secret if any value in it is, or if only the provider can read it.
 */
export function objectOutputs(
  client: TerraformClient,
  object: ObjectModel,
  state: TerraformObjectState,
): PropertyMap {
  const shown = toProperties(object.shape, state.value, { secrets: state.sensitivePaths ?? [] });
  const text = storedText(client.store(object.type, state));
  const hidden = containsSecret(shown) || state.private.length > 0 || (state.sensitivePaths ?? []).length > 0;
  return { ...shown, [STATE_PROPERTY]: hidden ? secret(text) : text };
}

/** Returns the stored object among outputs, and its text. Fails if outputs have none. */
export function storedIn(
  outputs: PropertyMap,
  urn: string,
): { readonly stored: StoredObject; readonly text: string } {
  const text = plain(outputs[STATE_PROPERTY]);
  if (typeof text !== 'string') {
    throw new ProviderError(
      'FAILED_PRECONDITION',
      `the state of ${urn} has no ${STATE_PROPERTY}, which its provider needs: another tool than Cairn wrote it. Run a refresh to read the object by its id, if the provider can import it`,
    );
  }
  try {
    return { stored: parseStored(text), text };
  } catch (error) {
    const what = `${STATE_PROPERTY} in the state of ${urn} cannot be read: ${(error as Error).message}`;
    throw new ProviderError('FAILED_PRECONDITION', what, { cause: error });
  }
}

function plain(given: PropertyValue | undefined): PropertyValue | undefined {
  let value = given === undefined ? undefined : plainOutputs(given);
  while (value !== undefined && isSecret(value)) value = value.value;
  return value;
}
