import { createHash } from 'node:crypto';
import type { StateText } from '@cairn/backends';
import { memberTexts } from '@cairn/state';

/** Writes a state as an export document, with its exact texts. */
export function documentText({ version, features, deployment }: StateText): string {
  const head = features === undefined ? '' : `"features":${features},`;
  return `{"version":${version},${head}"deployment":${deployment}}`;
}

/** Returns the mark of a state by its text, as a header has it. */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/** Reads what {@link documentText} wrote. */
export function documentOf(bytes: Uint8Array, source: string): StateText {
  const members = new Map(memberTexts(bytes, source));
  return {
    version: Number(members.get('version')),
    features: members.get('features'),
    deployment: members.get('deployment') ?? '{}',
  };
}
