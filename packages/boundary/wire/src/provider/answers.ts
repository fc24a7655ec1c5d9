import { emptyMap, formatPath, isEmptyMap, unknownPath } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { InvalidAnswerError } from '../contracts/provider-errors.js';
import type * as pb from '../generated/pulumi/provider.js';
import { decodeStruct } from '../values/index.js';
import type { DecodeOptions } from '../values/index.js';

/** Checked inputs may be absent only when there is a failure, or when there was nothing to check. */
export function checkedInputs(
  answer: pb.CheckResponse,
  news: PropertyMap,
  options?: DecodeOptions,
): PropertyMap {
  if (answer.inputs === undefined && answer.failures.length === 0 && !isEmptyMap(news)) {
    throw new InvalidAnswerError('it has no inputs');
  }
  return struct(answer.inputs, options);
}

/** Outputs of a create or an update: none is an empty map. A preview may know nothing of them. */
export function outputsOf(properties: Uint8Array | undefined, preview: boolean): PropertyMap {
  return struct(properties, { rejectUnknowns: !preview });
}

/**
 * A map that a provider answered with; none is an empty one. Names the property that is unknown where all must be
 * known.
 */
export function struct(bytes: Uint8Array | undefined, options?: DecodeOptions): PropertyMap {
  if (bytes === undefined) return emptyMap;
  try {
    return decodeStruct(bytes, options);
  } catch (error) {
    throw options?.rejectUnknowns === true ? (unknownError(bytes, options) ?? error) : error;
  }
}

/** The property that is not known where all must be, for the one who has to correct the provider. */
function unknownError(bytes: Uint8Array, options: DecodeOptions): InvalidAnswerError | undefined {
  try {
    const path = unknownPath(decodeStruct(bytes, { ...options, rejectUnknowns: false }));
    return path && new InvalidAnswerError(`"${formatPath(path)}" is not known`);
  } catch {
    return undefined; // something else is wrong with it
  }
}
