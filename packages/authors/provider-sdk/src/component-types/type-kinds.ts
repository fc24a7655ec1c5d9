import type ts from 'typescript';

const ASSETS = new Set(['Asset', 'FileAsset', 'StringAsset', 'RemoteAsset']);
const ARCHIVES = new Set(['Archive', 'AssetArchive', 'FileArchive', 'RemoteArchive']);

/** Returns the name of a type's symbol. Empty for types without one. */
export function symbolName(type: ts.Type): string {
  return type.symbol?.name ?? '';
}

/** Returns the kind of asset of a type, by its class of `@cairn/sdk`. */
export function assetKind(type: ts.Type): 'asset' | 'archive' | undefined {
  const name = symbolName(type);
  return ASSETS.has(name) ? 'asset' : ARCHIVES.has(name) ? 'archive' : undefined;
}

/** Tells whether a type is, or extends, a class of that name. */
export function extendsClass(type: ts.Type, name: string): boolean {
  if (!type.isClassOrInterface()) return false;
  return symbolName(type) === name || (type.getBaseTypes() ?? []).some((base) => extendsClass(base, name));
}

/** Returns the types of the values in an output or a promise. Undefined for a type that is neither. */
export function wrappedType(type: ts.Type): ts.Type | undefined {
  const parts = type.isIntersection() ? type.types : [type];
  for (const part of parts) {
    const [argument] = (part as ts.TypeReference).typeArguments ?? part.aliasTypeArguments ?? [];
    if (argument !== undefined && ['Output', 'Promise'].includes(symbolName(part))) return argument;
  }
  return undefined;
}

/**
 * Returns the name that the program gives to the type of a value, without outputs and promises. Undefined if there is
 * none.
 */
export function aliasName(type: ts.Type): string | undefined {
  const name = type.aliasSymbol?.name;
  if (name !== undefined && !['Input', 'Output'].includes(name)) return name;
  const inner = wrappedType(type);
  if (inner !== undefined) return aliasName(inner);
  return type.isUnion() ? type.types.map(aliasName).find((found) => found !== undefined) : undefined;
}
