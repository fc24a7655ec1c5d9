import type { StateDocument } from '@cairn/backends';
import { memberTexts } from '@cairn/state';

/** Writes a state as an export document, with its exact texts. */
export function documentText({ version, features, deployment }: StateDocument): string {
  const head = features === undefined ? '' : `"features":${features},`;
  return `{"version":${version},${head}"deployment":${deployment}}`;
}

/** Reads what {@link documentText} wrote. */
export function documentOf(bytes: Uint8Array, source: string): StateDocument {
  const members = new Map(memberTexts(bytes, source));
  return {
    version: Number(members.get('version')),
    features: members.get('features'),
    deployment: members.get('deployment') ?? '{}',
  };
}
