import type { SerializedResource } from './serialized.js';
import type { TextBytes } from '../values/go-json-writer.js';
import { resourceText } from './resource-format.js';

/**
 * Stack file that was read, with its resources and the offsets at which each of them begins and ends. The caller knows
 * that the writer makes exactly this text of them.
 */
export interface CopySource {
  readonly bytes: Uint8Array;
  readonly resources: readonly SerializedResource[];
  readonly places: readonly number[];
}

/**
 * Yields the member of a deployment with its resources. Those that the source contains are copied from it, in one piece
 * with their neighbours. Only identical objects count, because resources are never altered.
 */
export function* copiedResources(
  resources: readonly SerializedResource[],
  { bytes, resources: read, places }: CopySource,
): Generator<string | TextBytes> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const indexes = new Map(read.map((resource, index) => [resource, index]));
  for (let at = 0; at < resources.length;) {
    yield at === 0 ? ',"resources":[' : ',';
    const resource = resources[at] as SerializedResource;
    const first = indexes.get(resource);
    if (first === undefined) {
      yield resourceText(resource);
      at += 1;
      continue;
    }
    let last = first;
    while (last + 1 < read.length && resources[at + last + 1 - first] === read[last + 1]) last += 1;
    yield { bytes: buffer, start: places[2 * first] as number, end: places[2 * last + 1] as number };
    at += last - first + 1;
  }
  if (resources.length > 0) yield ']';
}
