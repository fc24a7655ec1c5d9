import { plainJson } from '@cairn/operations/stacks';
import { containsSecret, containsUnknown } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { StackOutput } from '../values.js';

/** Converts the outputs of a stack to their public form. Values that are not known yet are undefined. */
export function readOutputs(outputs: PropertyMap | undefined = {}): Readonly<Record<string, StackOutput>> {
  return Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, outputOf(value)]));
}

function outputOf(value: PropertyValue): StackOutput {
  const all = { value };
  return new StackOutput(containsUnknown(all) ? undefined : plainJson(value, true), containsSecret(all));
}
