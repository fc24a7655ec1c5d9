import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Files below a folder that contain a text in any form that {@link holds} knows. */
export function filesContaining(folder: string, text: string): readonly string[] {
  return filesBelow(folder).filter((file) => holds(readFileSync(file), text));
}

/**
 * Tells whether a content contains a text: plain, escaped for JSON, URLs or HTML, or in base64 wherever it began. Gzip
 * is unpacked.
 */
export function holds(content: Uint8Array | string, text: string): boolean {
  const bytes = Buffer.from(content);
  const plain = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('latin1');
  return formsOf(text).some((form) => plain.includes(Buffer.from(form).toString('latin1')));
}

function formsOf(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const url = encodeURIComponent(text);
  return [
    text,
    json,
    JSON.stringify(json).slice(1, -1),
    goEscaped(json),
    url,
    url.replaceAll('%20', '+'),
    url.toLowerCase(),
    ...base64Forms(text, 'base64'),
    ...base64Forms(text, 'base64url'),
    ...base64Forms(json, 'base64'),
    Buffer.from(text).toString('hex'),
  ];
}

/** As Go writes JSON. */
function goEscaped(json: string): string {
  return json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
}

/** Returns the base64 that always appears for a text, for each of the three places at which it may begin in a group. */
function base64Forms(text: string, alphabet: 'base64' | 'base64url'): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString(alphabet);
    return whole.slice(before === 0 ? 0 : 4);
  });
}

/** Every file below a folder. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(full);
    return entry.isFile() ? [full] : [];
  });
}
