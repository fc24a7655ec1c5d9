import {
  instanceKeyText,
  moduleText,
  parseNamed,
  providerTypeOf,
  splitModules,
} from '../state-file/address.js';
import type { StateProviderAddress, ResourceAddress } from '../state-file/address.js';

/**
 * Returns the name in a stack for an address: the address without its type, which URNs contain [TFF-4]. Two addresses
 * of one type have two names.
 */
export function logicalName({ module, name, key }: ResourceAddress): string {
  return dotted([moduleText(module), `${name}${instanceKeyText(key)}`]);
}

/** Returns the address for a logical name of a type, or undefined for a name that no address results in. */
export function addressOfName(type: string, logical: string): ResourceAddress | undefined {
  const { module, rest } = splitModules(parseNamed(logical) ?? []);
  const [last, ...more] = rest;
  if (last === undefined || more.length > 0) return undefined;
  return { module, mode: 'managed', type, name: last.name, key: last.key };
}

/**
 * Returns the name in a stack for a provider configuration, or undefined for the provider's default one in every stack.
 */
export function providerName({ module, source, alias, key }: StateProviderAddress): string | undefined {
  if (module.length === 0 && alias === '') return undefined;
  const type = providerTypeOf(source);
  return dotted([moduleText(module), type, alias]) + instanceKeyText(key);
}

/**
 * Returns the provider configuration for a provider's name in a stack, or undefined for a name that no configuration
 * results in.
 */
export function providerOfName(source: string, logical: string): StateProviderAddress | undefined {
  const { module, rest } = splitModules(parseNamed(logical) ?? []);
  const [type, alias, ...more] = rest;
  if (type?.name !== providerTypeOf(source) || more.length > 0) return undefined;
  if (alias === undefined) return { module, source, alias: '', key: type.key };
  return type.key === undefined ? { module, source, alias: alias.name, key: alias.key } : undefined;
}

/** Returns a name of the configuration language that is similar to a text. */
export function identifierLike(text: string): string {
  const plain = text.replace(/[^\p{ID_Continue}-]/gu, '_');
  return /^[\p{ID_Start}_]/u.test(plain) ? plain : `_${plain}`;
}

function dotted(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('.');
}
