import { fail, messageOf } from '@cairn/diagnostics';
import { jsonData, jsonFileText } from '../files/json-text.js';
import type { JsonData } from '../files/json-text.js';
import { deleteFile, readTextFile, writeTextFile } from '../files/text-file.js';

/**
 * An object of one of the home's files; missing and empty files are undefined. Fails with `CAIRN-CONFIG-INVALID` when
 * it is no JSON object.
 */
export async function readJsonObject(path: string): Promise<ReadonlyMap<string, JsonData> | undefined> {
  const text = await readTextFile(path);
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
 * Writes the object as the home's files have it [STATE-1]; an empty one deletes the file. Only the user may read it.
 */
export async function writeJsonObject(path: string, object: ReadonlyMap<string, JsonData>): Promise<void> {
  if (object.size === 0) await deleteFile(path);
  else
    await writeTextFile(path, jsonFileText(object, { indent: 4, escapeHtml: true }), {
      mode: 0o600,
      directoryMode: 0o700,
    });
}

export function isJsonMap(data: JsonData | undefined): data is ReadonlyMap<string, JsonData> {
  return data instanceof Map;
}
