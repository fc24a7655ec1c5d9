import { equal, fromPlainMap, newMap, stripSecretsMap, toPlainMap } from '@cairn/values';
import type { PlainValues, PropertyMap } from '@cairn/values';

/** Data of an object kept beside its state. */
export interface Kept {
  /** Inputs that the program omitted. The state contains the provider's choice. */
  readonly leftOut: readonly string[];
  /** Outputs that differ from the input of the same name. The state contains the input. */
  readonly outputs: PropertyMap;
  /** Outputs with the name of an input that are not reported. */
  readonly withoutOutput: readonly string[];
  /** True if the object was imported and not read yet. */
  readonly imported: boolean;
}

/** No data beside the state. */
const NOTHING_KEPT: Kept = { leftOut: [], outputs: newMap(), withoutOutput: [], imported: false };

/** Encodes the data as private bytes. Empty if there is none. */
export function encodeKept({ leftOut, outputs, withoutOutput, imported }: Kept): Uint8Array {
  const members = {
    ...(leftOut.length > 0 && { leftOut }),
    ...(Object.keys(outputs).length > 0 && { outputs: toPlainMap(outputs) }),
    ...(withoutOutput.length > 0 && { withoutOutput }),
    ...(imported && { imported }),
  };
  return Object.keys(members).length === 0
    ? new Uint8Array()
    : new TextEncoder().encode(JSON.stringify(members));
}

/** Decodes private bytes. Bytes of another origin count as no data. */
export function decodeKept(bytes: Uint8Array): Kept {
  if (bytes.length === 0) return NOTHING_KEPT;
  try {
    const found = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Omit<Kept, 'outputs'>> & {
      readonly outputs?: PlainValues;
    };
    return { ...NOTHING_KEPT, ...found, outputs: fromPlainMap(found.outputs ?? {}) };
  } catch {
    return NOTHING_KEPT;
  }
}

/**
 * Returns the data that the state lacks of an object with these inputs and outputs. `shared` lists names that are both.
 */
export function keptOf(
  inputs: PropertyMap,
  outputs: PropertyMap,
  shared: readonly string[],
  leftOut: readonly string[],
): Kept {
  const [given, reported] = [stripSecretsMap(inputs), stripSecretsMap(outputs)];
  const differing = newMap();
  const withoutOutput: string[] = [];
  for (const name of shared) {
    const [input, output] = [given[name] ?? null, reported[name] ?? null];
    if (input === null) continue;
    if (output === null) withoutOutput.push(name);
    else if (!equal(input, output)) differing[name] = output;
  }
  return { leftOut, outputs: differing, withoutOutput, imported: false };
}
