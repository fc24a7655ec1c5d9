import type { ProgramInfo, RequiredPackage } from '../contracts/language.js';
import { isArray, isMap, propertyMap } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { ProgramInfo as WireInfo } from '../generated/pulumi/language.js';
import type { PackageDependency } from '../generated/pulumi/plugin.js';
import { decodeStruct, encodeStruct } from '../values/index.js';

/** Encodes the location of a program for the wire. Options are JSON values. */
export function encodeProgramInfo({
  rootDirectory,
  programDirectory,
  entryPoint,
  options,
}: ProgramInfo): WireInfo {
  const values = propertyMap(options as Readonly<Record<string, PropertyValue | undefined>>);
  return { rootDirectory, programDirectory, entryPoint, options: encodeStruct(values) };
}

/** Decodes the location of a program from the wire. */
export function decodeProgramInfo(wire: WireInfo | undefined): ProgramInfo {
  const options = decodeStruct(wire?.options);
  return {
    rootDirectory: wire?.rootDirectory ?? '',
    programDirectory: wire?.programDirectory ?? '',
    entryPoint: wire?.entryPoint ?? '',
    options: json(options) as ProgramInfo['options'],
  };
}

function json(value: PropertyValue): unknown {
  if (isArray(value)) return value.map(json);
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, json(item)]));
  return value;
}

/** Encodes a package that a program needs. Versions have a leading `v` on the wire. */
export function encodePackage({
  name,
  version,
  server,
  parameterization,
  extension,
}: RequiredPackage): PackageDependency {
  return {
    name,
    kind: 'resource',
    version: version === '' ? '' : `v${version}`,
    server,
    checksums: new Map(),
    parameterization,
    extension,
  };
}

/** Decodes a package that a program needs. */
export function decodePackage(
  wire: Pick<PackageDependency, 'name' | 'version' | 'server'> &
    Partial<Pick<PackageDependency, 'parameterization' | 'extension'>>,
): RequiredPackage {
  const { name, server, parameterization, extension } = wire;
  return { name, version: wire.version.replace(/^v(?=\d)/, ''), server, parameterization, extension };
}
