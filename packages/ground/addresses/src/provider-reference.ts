import { AddressError } from './address-error.js';
import { isProviderType, providerType } from './type-token.js';
import { isUrn, urnName, urnType } from './urn.js';
import type { Urn } from './urn.js';

declare const referenceBrand: unique symbol;

/** URN and id of a provider's entry, as one text: `<provider URN>::<id>` [ADDR-3]. */
export type ProviderReference = string & { readonly [referenceBrand]: true };

/** Represents the id of a provider that preview has not created. The same text is the unknown string on the wire. */
export const UNKNOWN_ID = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** Parts of a provider reference. */
interface ProviderReferenceParts {
  readonly urn: Urn;
  readonly id: string;
}

/** Builds a reference. The caller has checked that the URN is a provider's. */
export function makeProviderReference(urn: Urn, id: string): ProviderReference {
  return `${urn}::${id}` as ProviderReference;
}

/** Splits the text at the last `::`. Throws {@link AddressError} if the front is not a provider's URN. */
export function parseProviderReference(text: string): ProviderReferenceParts {
  const at = text.lastIndexOf('::');
  const urn = at < 0 ? '' : text.slice(0, at);
  if (!isUrn(urn)) throw new AddressError('provider reference', text, 'expected <provider URN>::<id>');
  if (!isProviderType(urnType(urn))) {
    throw new AddressError(
      'provider reference',
      text,
      `its type ${urnType(urn)} is not pulumi:providers:<package>`,
    );
  }
  return { urn, id: text.slice(at + 2) };
}

/** Checks and brands the text. Throws {@link AddressError}. */
export function asProviderReference(text: string): ProviderReference {
  parseProviderReference(text);
  return text as ProviderReference;
}

/** Part of the URN of any provider. Most URNs do not have it, and need not be taken apart. */
const ANY_PROVIDER = providerType('');

/**
 * Tells whether the URN is that of a default provider. The program does not register such a provider; it is made for
 * resources that name no provider.
 */
export function isDefaultProvider(urn: Urn): boolean {
  return urn.includes(ANY_PROVIDER) && isProviderType(urnType(urn)) && isDefaultProviderName(urnName(urn));
}

/** Tells whether the name is that of a default provider: its name alone identifies one [PROV-3]. */
export function isDefaultProviderName(name: string): boolean {
  return name === 'default' || name.startsWith('default_');
}
