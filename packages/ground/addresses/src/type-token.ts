/** The three parts of a type token `package:module:name`; any part may be empty except that all three must be there. */
interface TypeToken {
  readonly package: string;
  readonly module: string;
  readonly name: string;
}

const PROVIDER_PREFIX = 'pulumi:providers:';

/**
 * Parses `package:module:name`. Returns `undefined` if the text does not have exactly three parts. Custom and remote
 * resources need this form, local components may use any text [ADDR-2].
 */
export function parseTypeToken(text: string): TypeToken | undefined {
  if (!isTypeToken(text)) return undefined;
  const [pkg, module, name] = text.split(':') as [string, string, string];
  return { package: pkg, module, name };
}

/** Tells whether {@link parseTypeToken} can parse the text. */
export function isTypeToken(text: string): boolean {
  const first = text.indexOf(':');
  const second = first < 0 ? -1 : text.indexOf(':', first + 1);
  return second >= 0 && !text.includes(':', second + 1);
}

/** Package part of a type or member token: the text before the first `:`. */
export function tokenPackage(token: string): string {
  const colon = token.indexOf(':');
  return colon < 0 ? token : token.slice(0, colon);
}

/** Type of the resource that represents a configured provider of a package. */
export function providerType(pkg: string): string {
  return PROVIDER_PREFIX + pkg;
}

/**
 * Tells whether the type names a provider resource: a name without colons in the module `pulumi:providers` [ADDR-2].
 */
export function isProviderType(type: string): boolean {
  if (!type.startsWith(PROVIDER_PREFIX)) return false;
  return type.length > PROVIDER_PREFIX.length && !type.includes(':', PROVIDER_PREFIX.length);
}

/** Package that a provider type manages; `undefined` if the type is not a provider type. */
export function providerTypePackage(type: string): string | undefined {
  return isProviderType(type) ? type.slice(PROVIDER_PREFIX.length) : undefined;
}
