import { equal, newMap, stripSecretsMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { fromPlainMap, toPlainMap } from '@cairn/provider-sdk/protocols';
import type { PlainValues } from '@cairn/provider-sdk/protocols';

/** What is kept of an object beside its state. */
export interface Kept {
  /** Inputs that the program left out; the state has what the provider chose. */
  readonly leftOut: readonly string[];
  /** Outputs that differ from the input of the same name, which is the one that the state has. */
  readonly outputs: PropertyMap;
  /** Outputs with the name of an input that are not reported. */
  readonly withoutOutput: readonly string[];
  /** The object was imported and not read yet. */
  readonly imported: boolean;
}

/** Nothing beside the state. */
const NOTHING_KEPT: Kept = { leftOut: [], outputs: newMap(), withoutOutput: [], imported: false };

/** As private bytes; none where nothing is kept. */
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

/** From private bytes; what is not ours counts as nothing. */
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

/** What the state cannot tell of an object with these inputs and outputs. `shared`: names of both. */
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
