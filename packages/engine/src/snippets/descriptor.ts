import type { Snippet } from '@cairn/state';
import type { PackageParameters, SchemaRequest } from '@cairn/wire';
import { pclError } from '@cairn/pcl';

/** The package a snippet's resource comes from [STATE-4]. Throws a CairnError for one that cannot be read. */
export function descriptorOf({ descriptor }: Snippet): SchemaRequest {
  if (typeof descriptor !== 'object' || descriptor === null || Array.isArray(descriptor))
    throw pclError('the descriptor of the package is not an object', undefined);
  const fields = descriptor as Readonly<Record<string, unknown>>;
  return {
    package: text(fields['name']),
    version: text(fields['version']),
    downloadUrl: text(fields['downloadURL']),
    parameterization: parametersOf(fields['parameterization']),
  };
}

function parametersOf(value: unknown): PackageParameters | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  return {
    name: text(fields['name']),
    version: text(fields['version']),
    value: Buffer.from(text(fields['value']), 'base64'),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
