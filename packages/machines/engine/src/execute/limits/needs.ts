import { tokenPackage } from '@cairn/addresses';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { Need } from '../../ports.js';
import type { TypeLimits } from './limit-settings.js';
import type { ProviderCall } from './provider-call.js';
import { valueKey } from './value-key.js';

/**
 * What a call takes, all of it at once or nothing, so that no two calls wait for each other. Packages and types are
 * counted whether or not there is a limit here: another operation may have one.
 */
export function needsOf({ type, inputs }: ProviderCall, limits: TypeLimits): readonly Need[] {
  const keys = new Set(inputs.flatMap((each) => exclusionKey(type, each, limits.exclusive) ?? []));
  return [
    { name: `package ${tokenPackage(type)}`, most: limits.ofPackage },
    { name: `type ${type}`, most: limits.ofType },
    ...[...keys].map((name) => ({ name, most: 1 })),
  ];
}

/** Equal for inputs that must not be worked on at the same time; undefined when there are no such inputs. */
function exclusionKey(type: string, inputs: PropertyMap, names: readonly string[]): string | undefined {
  if (!names.some((name) => Object.hasOwn(inputs, name))) return undefined;
  const values = names.map((name) =>
    Object.hasOwn(inputs, name) ? valueKey(inputs[name] as PropertyValue) : 'absent',
  );
  return ['exclusive', type, ...values].join('\0');
}
