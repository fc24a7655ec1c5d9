import { emptyMap, formatPath, isEmptyMap, unknownPath } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { InvalidAnswerError } from '../contracts/provider-errors.js';
import type * as pb from '../generated/pulumi/provider.js';
import { decodeStruct } from '../values/index.js';
import type { DecodeOptions } from '../values/index.js';

/** Decodes checked inputs. They may be absent only if there is a failure, or if there was nothing to check. */
export function decodeCheckedInputs(
  answer: pb.CheckResponse,
  news: PropertyMap,
  options?: DecodeOptions,
): PropertyMap {
  if (answer.inputs === undefined && answer.failures.length === 0 && !isEmptyMap(news)) {
    throw new InvalidAnswerError('it has no inputs');
  }
  return struct(answer.inputs, options);
}

/**
 * Decodes outputs of a create or an update. Missing outputs are an empty map. In a preview they may contain unknowns.
 */
export function decodeOutputs(properties: Uint8Array | undefined, preview: boolean): PropertyMap {
  return struct(properties, { rejectUnknowns: !preview });
}

/**
 * Decodes a map of a provider's answer. A missing map is empty. If all values must be known, the error names the
 * unknown property.
 */
export function struct(bytes: Uint8Array | undefined, options?: DecodeOptions): PropertyMap {
  if (bytes === undefined) return emptyMap;
  try {
    return decodeStruct(bytes, options);
  } catch (error) {
    throw options?.rejectUnknowns === true ? (unknownError(bytes, options) ?? error) : error;
  }
}

/** Names the unknown property for the author of the provider. */
function unknownError(bytes: Uint8Array, options: DecodeOptions): InvalidAnswerError | undefined {
  try {
    const path = unknownPath(decodeStruct(bytes, { ...options, rejectUnknowns: false }));
    return path && new InvalidAnswerError(`"${formatPath(path)}" is not known`);
  } catch {
    return undefined; // something else is wrong with it
  }
}
