import { STEP_KINDS, operationName, reasonText } from '@cairn/engine';
import type { Reason, StepView } from '@cairn/engine';
import { goStruct } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';

/** Step in the exchange format. Other fields are absent where they say nothing. */
type StepFacts = JsonObject & Readonly<Record<'op' | 'urn' | 'type', string>>;

/**
 * Returns a step in the exchange format, without its entries and their values [EVT-2]. A look-up of a refresh operation
 * ends as the change that it found: `showsFinding` is true for the end of its steps.
 */
export function stepFacts(step: StepView, showsFinding: boolean): StepFacts {
  const found = showsFinding ? step.refreshResult : undefined;
  return goStruct({
    ...{ op: operationName(found ?? step.kind), urn: step.urn, type: step.type },
    ...(step.replaceKeys.length === 0 ? {} : { keys: step.replaceKeys }),
    ...(step.changedKeys.length === 0 ? {} : { diffs: step.changedKeys }),
    detailedDiff: detailedDiffJson(step, 'diffKind'),
    ...(STEP_KINDS[step.kind].logical ? { logical: true } : {}),
    provider: step.provider ?? '',
    ...reasonJson(step.reason),
  });
}

/** Returns the reason for the step: as a phrase, and as data under `why` with the sort of reason as `kind`. */
export function reasonJson(reason: Reason): JsonObject {
  const { t, ...rest } = reason;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  const why = goStruct({ kind: t, ...(Object.fromEntries(given) as JsonObject) });
  return { cairn: goStruct({ reason: reasonText(reason), why }) };
}

/** Returns differences by path. `kindKey` is the format's name for their kind. */
export function detailedDiffJson({ detailedDiff }: StepView, kindKey: 'diffKind' | 'kind'): Json {
  if (detailedDiff === undefined) return null;
  return Object.fromEntries(
    Object.entries(detailedDiff).map(([path, { kind, inputDiff }]) => [
      path,
      goStruct({ [kindKey]: kind, inputDiff }),
    ]),
  );
}
