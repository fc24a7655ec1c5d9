import { AddressError } from './address-error.js';
import { isProviderType } from './type-token.js';
import { isUrn, urnName, urnType } from './urn.js';
import type { Urn } from './urn.js';

declare const referenceBrand: unique symbol;

/** URN and id of a provider's entry, as one text: `<provider URN>::<id>` [ADDR-3]. */
export type ProviderReference = string & { readonly [referenceBrand]: true };

/** Stands for the id of a provider that preview has not created; the same text is the unknown string on the wire. */
export const UNKNOWN_ID = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** A provider reference taken apart. */
interface ProviderReferenceParts {
  readonly urn: Urn;
  readonly id: string;
}

/** Builds a reference. The caller has checked that the URN is a provider's. */
export function makeProviderReference(urn: Urn, id: string): ProviderReference {
  return `${urn}::${id}` as ProviderReference;
}

/** Splits at the last `::`. Throws {@link AddressError} when the front is not a provider's URN. */
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

/** Checks and brands. Throws {@link AddressError}. */
export function asProviderReference(text: string): ProviderReference {
  parseProviderReference(text);
  return text as ProviderReference;
}

/**
 * Whether the URN is that of a default provider: one that nobody registered, made for the resources that name no
 * provider.
 */
export function isDefaultProvider(urn: Urn): boolean {
  return isProviderType(urnType(urn)) && isDefaultProviderName(urnName(urn));
}

/** Default providers are told by their name [PROV-3]. */
export function isDefaultProviderName(name: string): boolean {
  return name === 'default' || name.startsWith('default_');
}
