import { Unknown, dynamicValue, identityType, readDynamicValue, record } from '@cairn/tfplugin';
import type { TfRecord } from '@cairn/tfplugin';
import type { ResourceIdentityData } from '@cairn/tfplugin/protocol6';
import { IDENTITY } from './schema-answers.js';

const TYPE = identityType(IDENTITY);

/** The identity of an object: its id. None while that is not known, which not every host can store. */
// [TFS-6]
export function identityMessage(state: TfRecord | null): ResourceIdentityData | undefined {
  const id = state?.['id'] ?? null;
  if (id === null || id instanceof Unknown) return undefined;
  return { identityData: dynamicValue(TYPE, record([['id', id]])) };
}

/** The id of an identity. */
export function readIdentity(message: ResourceIdentityData | undefined): string {
  const identity = readDynamicValue(TYPE, message?.identityData) as TfRecord | null;
  return String(identity?.['id'] ?? '');
}
