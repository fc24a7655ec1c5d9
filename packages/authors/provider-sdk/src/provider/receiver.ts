import type { Urn } from '@cairn/addresses';
import { isKind, isOutputValue, isUnknown } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { ProviderError } from '@cairn/wire';

/** The object that a method is called on. Without an id it does not exist yet. */
export interface Receiver {
  readonly urn: Urn;
  readonly id: string | undefined;
}

/** Returns the object that a method was called on. Engines that send no references send the id. */
export function receiverOf(given: PropertyValue | undefined, urn = '' as Urn): Receiver {
  const value = isOutputValue(given) ? given.value : given;
  if (typeof value === 'string') return { urn, id: value };
  if (isUnknown(value)) return { urn, id: undefined };
  if (value !== undefined && isKind(value, 'reference')) {
    const id = typeof value.id === 'string' && value.id !== '' ? value.id : undefined;
    return { urn: value.urn as Urn, id };
  }
  throw new ProviderError('INVALID_ARGUMENT', 'the method was called without an object');
}
