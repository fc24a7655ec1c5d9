import { TfUnknown, dynamicValue, identityType, readDynamicValue, record } from '@cairn/tfplugin';
import type { TfRecord } from '@cairn/tfplugin';
import type { ResourceIdentityData } from '@cairn/tfplugin/protocol6';
import { IDENTITY } from './schema-answers.js';

const TYPE = identityType(IDENTITY);

/** Returns the identity of an object: its id. Undefined while that is unknown, since not every host can store that. */
// [TFS-6]
export function identityData(state: TfRecord | null): ResourceIdentityData | undefined {
  const id = state?.['id'] ?? null;
  if (id === null || id instanceof TfUnknown) return undefined;
  return { identityData: dynamicValue(TYPE, record([['id', id]])) };
}

/** Returns the id of an identity. */
export function readIdentity(message: ResourceIdentityData | undefined): string {
  const identity = readDynamicValue(TYPE, message?.identityData) as TfRecord | null;
  return String(identity?.['id'] ?? '');
}
