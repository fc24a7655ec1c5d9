import { tokenPackage } from '@cairn/addresses';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { Need } from '../../ports.js';
import type { TypeLimits } from './limit-settings.js';
import type { ProviderCall } from './provider-call.js';
import { valueKey } from './value-key.js';

/**
 * Returns the needs of a call. It takes all of them at once or none, so that no two calls wait for each other. Packages
 * and types are counted even without a limit here: another operation may have one.
 */
export function needsOf({ type, inputs }: ProviderCall, limits: TypeLimits): readonly Need[] {
  const needs: Need[] = [
    { name: `package ${tokenPackage(type)}`, most: limits.ofPackage },
    { name: `type ${type}`, most: limits.ofType },
  ];
  if (limits.exclusive.length === 0) return needs;
  const keys = new Set(inputs.flatMap((each) => exclusionKey(type, each, limits.exclusive) ?? []));
  for (const name of keys) needs.push({ name, most: 1 });
  return needs;
}

/**
 * Returns a key that is equal for inputs with which calls must not run concurrently. Undefined if there are no such
 * inputs.
 */
function exclusionKey(type: string, inputs: PropertyMap, names: readonly string[]): string | undefined {
  if (!names.some((name) => Object.hasOwn(inputs, name))) return undefined;
  const values = names.map((name) =>
    Object.hasOwn(inputs, name) ? valueKey(inputs[name] as PropertyValue) : 'absent',
  );
  return ['exclusive', type, ...values].join('\0');
}
