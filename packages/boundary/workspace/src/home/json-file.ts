import { fail, messageOf } from '@cairn/diagnostics';
import { editTextFile, readTextFile } from '@cairn/files';
import { jsonData, jsonFileText } from '../files/json-text.js';
import type { JsonData } from '../files/json-text.js';

/**
 * An object of one of the home's files; missing and empty files are undefined. Fails with `CAIRN-CONFIG-INVALID` when
 * it is no JSON object.
 */
export async function readJsonObject(path: string): Promise<ReadonlyMap<string, JsonData> | undefined> {
  return objectOf(path, await readTextFile(path));
}

function objectOf(path: string, text: string | undefined): ReadonlyMap<string, JsonData> | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  let data: JsonData;
  try {
    data = jsonData(JSON.parse(text));
  } catch (thrown) {
    return fail('CAIRN-CONFIG-INVALID', `cannot read ${path}: it is not JSON`, {
      causes: [messageOf(thrown)],
      hint: `Repair the file, or move it away and log in again.`,
    });
  }
  return isJsonMap(data)
    ? data
    : fail('CAIRN-CONFIG-INVALID', `cannot read ${path}: it is not a JSON object`, {
        hint: 'Repair the file, or move it away.',
      });
}

/**
 * Changes an object of one of the home's files, which other commands may change at the same time: `edit` gets it as it
 * is now and returns the new one, or undefined to leave it. It is written as the home's files have it [STATE-1]; an
 * empty one deletes the file. Only the user may read it.
 */
export async function editJsonObject(
  path: string,
  edit: (object: ReadonlyMap<string, JsonData> | undefined) => ReadonlyMap<string, JsonData> | undefined,
): Promise<void> {
  await editTextFile(path, { mode: 0o600, directoryMode: 0o700 }, (text) => {
    const object = edit(objectOf(path, text));
    if (object === undefined || object.size === 0) return object && '';
    return jsonFileText(object, { indent: 4, escapeHtml: true });
  });
}

export function isJsonMap(data: JsonData | undefined): data is ReadonlyMap<string, JsonData> {
  return data instanceof Map;
}
