import { fail, messageOf } from '@cairn/diagnostics';
import { editTextFile, readTextFile } from '@cairn/files';
import { jsonData, jsonFileText } from '../files/json-text.js';
import type { JsonData } from '../files/json-text.js';

/**
 * Reads an object from one of the home's files. Missing and empty files are undefined. Fails with
 * `CAIRN-CONFIG-INVALID` if the file is not a JSON object.
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
 * Edits an object in one of the home's files, which other commands may change at the same time. `edit` receives the
 * current object and returns the new one, or undefined to leave it. The file is written in the style of the home's
 * files [STATE-1]; an empty object deletes it. Only the user may read it.
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
