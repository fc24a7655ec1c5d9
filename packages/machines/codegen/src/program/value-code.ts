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

/** How a value is written where it stands. */
export interface ValueWriter {
  /** A name that the SDK exports, e.g. `secret`; noted as used. */
  sdk(name: string): string;
  /** The variable of a resource in this program. */
  variable(urn: Urn): string | undefined;
  /** What a text, a list or an object is written as other than as itself. Absent: nothing. */
  reference?(value: PropertyValue): string | undefined;
  /** What a secret is written as so that it is not in the program. Absent: it is in the program. */
  secret?(value: PropertyValue, indent: number, path: PropertyPath): string | undefined;
}

/**
 * Source of a value. `indent`: spaces before the line it stands on; later lines are indented below it. `path`: where it
 * stands.
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

/** Source of an object literal with these properties. */
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

/** Source of an object literal, on one line when it is short and flat. */
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

/** Of a blob the state may keep nothing but the hash: the reader has to name its source. */
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
