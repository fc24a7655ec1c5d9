import { plainJson } from '@cairn/operations/stacks';
import { containsSecret, containsUnknown } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { StackOutput } from '../values.js';

/** Outputs of a stack as callers get them; what is not known yet is undefined. */
export function readOutputs(outputs: PropertyMap | undefined = {}): Readonly<Record<string, StackOutput>> {
  return Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, outputOf(value)]));
}

function outputOf(value: PropertyValue): StackOutput {
  const all = { value };
  return new StackOutput(containsUnknown(all) ? undefined : plainJson(value, true), containsSecret(all));
}
