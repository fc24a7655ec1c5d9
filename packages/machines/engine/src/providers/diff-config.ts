import { equalMaps } from '@cairn/values';
import { isProviderError } from '@cairn/wire';
import type { DiffConfigRequest, DiffResponse, Provider } from '@cairn/wire';
import { answeredDiff } from './provider-answer.js';

/** Answers of two releases that report a missing DiffConfig or CheckConfig in their own way [PROV-14]. */
const LEGACY_ANSWERS = [
  { type: 'pulumi:providers:pulumi-nodejs', code: 'INTERNAL', text: '' },
  { type: 'pulumi:providers:kubernetes', code: 'UNKNOWN', text: 'Unimplemented' },
] as const;

/** Returns true if an error means that the provider does not implement the method. */
export function saysUnimplemented(error: unknown, type: string): boolean {
  if (!isProviderError(error)) return false;
  if (error.code === 'UNIMPLEMENTED') return true;
  return LEGACY_ANSWERS.some(
    (answer) => answer.type === type && answer.code === error.code && error.message.includes(answer.text),
  );
}

/**
 * Asks the plugin for the effect of new settings on a provider. If the plugin cannot answer, the settings differ when
 * the old outputs and the new inputs do. Replacements that it lists still count then [PROV-14].
 */
export async function diffConfig(provider: Provider, request: DiffConfigRequest): Promise<DiffResponse> {
  const raw = await provider.diffConfig(request).catch((error: unknown) => {
    if (saysUnimplemented(error, request.type)) return noAnswer;
    throw error;
  });
  const answer = answeredDiff({ entry: request, call: 'diffConfig', preview: true }, raw);
  if (answer.changes !== 'unknown') return answer;
  return { ...answer, changes: equalMaps(request.oldOutputs, request.news) ? 'none' : 'some' };
}

/** Returns true if a diff asks for a replacement [PROV-15]. */
export function asksForReplacement({ changes, replaceKeys, detailedDiff }: DiffResponse): boolean {
  if (changes === 'none') return false;
  return (
    replaceKeys.length > 0 || Object.values(detailedDiff ?? {}).some(({ kind }) => kind.endsWith('-replace'))
  );
}

const noAnswer: DiffResponse = Object.freeze({
  changes: 'unknown',
  replaceKeys: [],
  changedKeys: [],
  stableKeys: [],
  detailedDiff: undefined,
  deleteBeforeReplace: false,
});
