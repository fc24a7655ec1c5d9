import type ts from 'typescript';

const ASSETS = new Set(['Asset', 'FileAsset', 'StringAsset', 'RemoteAsset']);
const ARCHIVES = new Set(['Archive', 'AssetArchive', 'FileArchive', 'RemoteArchive']);

/** Name of the symbol that a type is of; empty for types without one. */
export function symbolName(type: ts.Type): string {
  return type.symbol?.name ?? '';
}

/** Which kind of asset a type is, by its class of `@cairn/sdk`. */
export function assetKind(type: ts.Type): 'asset' | 'archive' | undefined {
  const name = symbolName(type);
  return ASSETS.has(name) ? 'asset' : ARCHIVES.has(name) ? 'archive' : undefined;
}

/** Whether a type is a class that is, or extends, one of that name. */
export function extendsClass(type: ts.Type, name: string): boolean {
  if (!type.isClassOrInterface()) return false;
  return symbolName(type) === name || (type.getBaseTypes() ?? []).some((base) => extendsClass(base, name));
}

/** The values in an output or a promise; undefined for a type that is neither. */
export function wrapped(type: ts.Type): ts.Type | undefined {
  const parts = type.isIntersection() ? type.types : [type];
  for (const part of parts) {
    const [argument] = (part as ts.TypeReference).typeArguments ?? part.aliasTypeArguments ?? [];
    if (argument !== undefined && ['Output', 'Promise'].includes(symbolName(part))) return argument;
  }
  return undefined;
}

/** The name that the program gives to what a value may be, out of outputs and promises; undefined: none. */
export function aliasName(type: ts.Type): string | undefined {
  const name = type.aliasSymbol?.name;
  if (name !== undefined && !['Input', 'Output'].includes(name)) return name;
  const inner = wrapped(type);
  if (inner !== undefined) return aliasName(inner);
  return type.isUnion() ? type.types.map(aliasName).find((found) => found !== undefined) : undefined;
}
