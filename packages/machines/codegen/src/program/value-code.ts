import type { Urn } from '@cairn/addresses';
import { unreachable } from '@cairn/diagnostics';
import { kindOf } from '@cairn/values';
import type {
  Archive,
  Asset,
  ByteString,
  OutputValue,
  PropertyArray,
  PropertyMap,
  PropertyPath,
  PropertyValue,
  ResourceReference,
  Secret,
} from '@cairn/values';
import { numberLiteral, propertyKey, stringLiteral } from '../source/literal.js';

/** Context of a value's code. */
export interface ValueWriter {
  /** Returns a name that the SDK exports, e.g. `secret`, and marks it as used. */
  sdk(name: string): string;
  /** Returns the variable of a resource in this program. */
  variable(urn: Urn): string | undefined;
  /** Returns alternative code for a text, a list or an object. Optional. */
  reference?(value: PropertyValue): string | undefined;
  /** Returns code for a secret that keeps it out of the program. If absent, the program contains it. */
  secret?(value: PropertyValue, indent: number, path: PropertyPath): string | undefined;
}

/**
 * Returns the source of a value. `indent` is the number of spaces before its line; later lines are indented further.
 * `path` is the position of the value.
 */
export function valueCode(
  value: PropertyValue,
  writer: ValueWriter,
  indent = 0,
  path: PropertyPath = [],
): string {
  const kind = kindOf(value);
  switch (kind) {
    case 'null':
      return 'null';
    case 'boolean':
      return String(value);
    case 'number':
      return numberLiteral(value as number);
    case 'string':
      return writer.reference?.(value) ?? stringLiteral(value as string);
    case 'array':
      return writer.reference?.(value) ?? arrayCode(value as PropertyArray, writer, indent, path);
    case 'object':
      return writer.reference?.(value) ?? mapCode(value as PropertyMap, writer, indent, path);
    case 'secret':
      return secretCode((value as Secret).value, writer, indent, path);
    case 'output':
      return outputCode(value as OutputValue, writer, indent, path);
    case 'asset':
      return assetCode(value as Asset, writer);
    case 'archive':
      return archiveCode(value as Archive, writer, indent);
    case 'reference':
      return referenceCode(value as ResourceReference, writer);
    case 'bytes':
      return bytesCode(value as ByteString);
    case 'unknown':
      return 'undefined /* not known yet */';
    default:
      return unreachable(kind);
  }
}

/** Returns the source of an object literal with these properties. */
export function mapCode(
  map: PropertyMap,
  writer: ValueWriter,
  indent: number,
  path: PropertyPath = [],
): string {
  const entries = Object.keys(map).map((key): [string, string] => [
    propertyKey(key),
    valueCode(map[key] as PropertyValue, writer, indent + 2, [...path, key]),
  ]);
  return objectCode(entries, indent);
}

/** Returns the source of an object literal, on one line if it is short and flat. */
export function objectCode(entries: readonly (readonly [string, string])[], indent: number): string {
  if (entries.length === 0) return '{}';
  const pairs = entries.map(([key, code]) => `${key}: ${code}`);
  return bracketed('{ ', pairs, ' }', indent);
}

function arrayCode(array: PropertyArray, writer: ValueWriter, indent: number, path: PropertyPath): string {
  if (array.length === 0) return '[]';
  return bracketed(
    '[',
    array.map((item, at) => valueCode(item, writer, indent + 2, [...path, at])),
    ']',
    indent,
  );
}

const WIDTH = 90;

function bracketed(open: string, items: readonly string[], close: string, indent: number): string {
  const line = open + items.join(', ') + close;
  if (!line.includes('\n') && indent + line.length <= WIDTH) return line;
  const inner = ' '.repeat(indent + 2);
  return `${open.trimEnd()}\n${items.map((item) => `${inner}${item},\n`).join('')}${' '.repeat(indent)}${close.trimStart()}`;
}

function secretCode(value: PropertyValue, writer: ValueWriter, indent: number, path: PropertyPath): string {
  const elsewhere = writer.secret?.(value, indent, path);
  return elsewhere ?? `${writer.sdk('secret')}(${valueCode(value, writer, indent, path)})`;
}

function outputCode(
  { value, secret }: OutputValue,
  writer: ValueWriter,
  indent: number,
  path: PropertyPath,
): string {
  if (value === undefined) return 'undefined /* not known yet */';
  return secret ? secretCode(value, writer, indent, path) : valueCode(value, writer, indent, path);
}

function assetCode({ text, path, uri, hash }: Asset, writer: ValueWriter): string {
  if (text !== undefined) return `new ${writer.sdk('StringAsset')}(${stringLiteral(text)})`;
  if (path !== undefined) return `new ${writer.sdk('FileAsset')}(${stringLiteral(path)})`;
  if (uri !== undefined) return `new ${writer.sdk('RemoteAsset')}(${stringLiteral(uri)})`;
  return lost('asset', hash);
}

function archiveCode({ assets, path, uri, hash }: Archive, writer: ValueWriter, indent: number): string {
  if (path !== undefined) return `new ${writer.sdk('FileArchive')}(${stringLiteral(path)})`;
  if (uri !== undefined) return `new ${writer.sdk('RemoteArchive')}(${stringLiteral(uri)})`;
  if (assets === undefined) return lost('archive', hash);
  const entries = Object.keys(assets).map((name): [string, string] => [
    propertyKey(name),
    valueCode(assets[name] as PropertyValue, writer, indent + 2),
  ]);
  return `new ${writer.sdk('AssetArchive')}(${objectCode(entries, indent)})`;
}

/** Returns a placeholder. The state may keep only the hash of a blob, so the reader must name its source. */
function lost(what: string, hash: string | undefined): string {
  return `undefined /* ${what} with the hash ${(hash ?? '').replace(/[^\w]/g, '')}: say where it comes from */`;
}

function referenceCode({ urn, id }: ResourceReference, writer: ValueWriter): string {
  const variable = writer.variable(urn);
  if (variable !== undefined) return variable;
  return stringLiteral(typeof id === 'string' ? id : urn);
}

function bytesCode({ bytes }: ByteString): string {
  return `Uint8Array.from(Buffer.from('${Buffer.from(bytes).toString('base64')}', 'base64'))`;
}
