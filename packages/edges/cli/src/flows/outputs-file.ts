import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';

/**
 * Reads outputs of an object as a person writes them: a file with one JSON object of plain values. A relative name is
 * resolved against `cwd`. Throws CAIRN-USAGE.
 */
export async function readOutputsFile(file: string, cwd: string): Promise<PropertyMap> {
  const text = await readFile(path.resolve(cwd, file), 'utf8').catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot read the outputs file ${file}`, { causes: [messageOf(error)] });
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw cairnError('CAIRN-USAGE', `${file} is not JSON`, { causes: [messageOf(error)] }, error);
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json))
    return propertyMap(json as PropertyMap);
  throw cairnError('CAIRN-USAGE', `${file} is not a JSON object`, {
    hint: 'Write the outputs by name, e.g. {"stdout": "done"}.',
  });
}

/**
 * Returns an example of such a file, for a user who must write one. `names` are the requested outputs, or empty if they
 * are unknown.
 */
export function exampleOutputs(names: readonly string[]): string {
  return names.length === 0 ? '{…}' : JSON.stringify(Object.fromEntries(names.map((name) => [name, '…'])));
}
