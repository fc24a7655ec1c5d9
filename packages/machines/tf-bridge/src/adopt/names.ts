import { keyText, moduleText, parseNamed, providerTypeOf, splitModules } from '../state-file/address.js';
import type { ProviderAddress, ResourceAddress } from '../state-file/address.js';

/**
 * The name in a stack of what an address names: the address without its type, which URNs have [TFF-4]. Two addresses of
 * one type have two names.
 */
export function logicalName({ module, name, key }: ResourceAddress): string {
  return dotted([moduleText(module), `${name}${keyText(key)}`]);
}

/** The address that a logical name of a type stands for; undefined for a name that no address gives. */
export function addressOfName(type: string, logical: string): ResourceAddress | undefined {
  const { module, rest } = splitModules(parseNamed(logical) ?? []);
  const [last, ...more] = rest;
  if (last === undefined || more.length > 0) return undefined;
  return { module, mode: 'managed', type, name: last.name, key: last.key };
}

/** The name in a stack of a configuration of a provider; undefined for the one that every stack has of a provider. */
export function providerName({ module, source, alias, key }: ProviderAddress): string | undefined {
  if (module.length === 0 && alias === '') return undefined;
  const type = providerTypeOf(source);
  return dotted([moduleText(module), type, alias]) + keyText(key);
}

/** The configuration that a name of a provider in a stack stands for; undefined for a name that none gives. */
export function providerOfName(source: string, logical: string): ProviderAddress | undefined {
  const { module, rest } = splitModules(parseNamed(logical) ?? []);
  const [type, alias, ...more] = rest;
  if (type?.name !== providerTypeOf(source) || more.length > 0) return undefined;
  if (alias === undefined) return { module, source, alias: '', key: type.key };
  return type.key === undefined ? { module, source, alias: alias.name, key: alias.key } : undefined;
}

/** A name of the configuration language that is like a text. */
export function identifierLike(text: string): string {
  const plain = text.replace(/[^\p{ID_Continue}-]/gu, '_');
  return /^[\p{ID_Start}_]/u.test(plain) ? plain : `_${plain}`;
}

function dotted(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('.');
}
