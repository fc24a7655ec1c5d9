import { isUrn, urnName } from '@cairn/addresses';
import { warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { PendingOperationType, SerializedOperation } from '@cairn/state';

/** What to do about a step of each kind whose end nobody knows. */
const NEXT: Readonly<Record<PendingOperationType, string>> = {
  creating:
    'Look for the object at the provider. When it exists, delete it or bring it under management with the `import` option; then run `cairn up`.',
  updating: 'Run `cairn refresh` to learn how the object is now, then `cairn up`.',
  deleting: 'Run `cairn refresh` to learn whether the object still exists, then run the command again.',
  reading: 'Nothing was altered: run the command again.',
  importing: 'Nothing was altered: run the command again.',
};

/** One warning per step that was begun and whose end was not recorded. `change`: the operation that died. */
export function inDoubtDiagnostics(
  operations: readonly SerializedOperation[],
  change: string,
): readonly Diagnostic[] {
  return operations.map(({ type, resource }) => {
    const { urn, id } = resource;
    const name = isUrn(urn) ? urnName(urn) : urn;
    return warningDiagnostic(
      'CAIRN-IN-DOUBT',
      `nobody knows whether ${type} "${name}" (${resource.type}) was done`,
      {
        urn: isUrn(urn) ? urn : undefined,
        causes: [
          `operation ${change} ended after it began the step and before it recorded the result`,
          ...(id === undefined || id === '' ? [] : [`the object's id is ${id}`]),
        ],
        hint: NEXT[type],
      },
    );
  });
}
