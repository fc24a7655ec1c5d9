import { dynamicValue, identityType, readDynamicValue, record } from '@cairn/tfplugin';
import type { TfRecord } from '@cairn/tfplugin';
import type { ResourceIdentityData } from '@cairn/tfplugin/protocol6';
import { IDENTITY } from './schema-answers.js';

const TYPE = identityType(IDENTITY);

/** The identity of an object [TFS-6]: its id, unknown until it is there. */
export function identityMessage(state: TfRecord | null): ResourceIdentityData | undefined {
  if (state === null) return undefined;
  return { identityData: dynamicValue(TYPE, record([['id', state['id'] ?? null]])) };
}

/** The id of an identity. */
export function readIdentity(message: ResourceIdentityData | undefined): string {
  const identity = readDynamicValue(TYPE, message?.identityData) as TfRecord | null;
  return String(identity?.['id'] ?? '');
}
