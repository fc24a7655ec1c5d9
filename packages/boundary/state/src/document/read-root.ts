import { ROOT_STACK_TYPE } from '@cairn/addresses';
import { isJsonObject } from '../values/go-json.js';
import type { Json, JsonObject } from '../values/go-json.js';
import { NAMES, readManager } from './deployment-parts.js';
import { JsonBytesFault, JsonCursor } from './json-cursor.js';
import type { SerializedDeployment } from './serialized.js';
import { takeDeployment } from './take-deployment.js';

/**
 * Returns the state at the beginning of a checkpoint of version 3 or 4, as this software writes it, without any
 * resource but the root stack. `start` may end anywhere. Returns undefined if it ends before the root stack does. The
 * rest of the document is not checked.
 */
export function readRoot(start: Uint8Array, source: string): SerializedDeployment | undefined {
  const parts = new RootParts();
  try {
    parts.read(new JsonCursor(withoutCutCharacter(start)));
  } catch (thrown) {
    if (!(thrown instanceof JsonBytesFault)) throw thrown;
    if (parts.root === undefined) return undefined;
  }
  const { body, managerState, features, root } = parts;
  const byteStrings = Array.isArray(features) && (features as readonly Json[]).includes('byteString');
  const resources = root === undefined ? [] : [root];
  return takeDeployment({ ...body, resources }, { source, managerState, byteStrings });
}

/** Parts of a checkpoint as far as they were read. */
class RootParts {
  readonly body: Record<string, Json> = {};
  managerState: string | undefined;
  features: Json | undefined;
  root: JsonObject | undefined;

  read(cursor: JsonCursor): void {
    cursor.object((key) => {
      const name = NAMES.document.nameOf(key);
      if (name === 'checkpoint') this.#readCheckpoint(cursor);
      else if (name === 'features') this.features = cursor.value();
      else cursor.value();
    });
  }

  #readCheckpoint(cursor: JsonCursor): void {
    cursor.object((key) => {
      if (NAMES.checkpoint.nameOf(key) === 'latest' && cursor.kind() === 'object') this.#readBody(cursor);
      else cursor.value();
    });
  }

  #readBody(cursor: JsonCursor): void {
    cursor.object((key) => {
      const name = NAMES.deployment.nameOf(key);
      if (name === 'resources' && cursor.kind() === 'list') cursor.items(() => this.#look(cursor.value()));
      else if (name === 'secrets_providers' && cursor.kind() === 'object') this.#readManager(cursor);
      else if (name === 'manifest') this.body[name] = cursor.value();
      else cursor.value();
    });
  }

  #readManager(cursor: JsonCursor): void {
    const { json, stateText } = readManager(cursor);
    this.body['secrets_providers'] = json;
    this.managerState = stateText;
  }

  #look(item: Json): void {
    if (this.root !== undefined || !isJsonObject(item)) return;
    if (item['type'] === ROOT_STACK_TYPE && item['delete'] !== true) this.root = item;
  }
}

/** Removes the beginning of a character of several bytes whose rest was cut off. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] as number) & 0xc0) === 0x80) end -= 1;
  return end > 0 && (bytes[end - 1] as number) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}
