import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Files below a folder that contain a text, gzip files unpacked, also in base64 and JSON-escaped form. */
export function filesContaining(folder: string, text: string): readonly string[] {
  const forms = [
    text,
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
    JSON.stringify(text).slice(1, -1),
  ];
  return filesBelow(folder).filter((file) => {
    const bytes = readFileSync(file);
    const content = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('latin1');
    return forms.some((form) => content.includes(Buffer.from(form).toString('latin1')));
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
