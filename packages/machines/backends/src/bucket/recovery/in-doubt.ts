import { isUrn, urnName } from '@cairn/addresses';
import { warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { pendingName } from '@cairn/state';
import type { PendingOperationType, SerializedOperation } from '@cairn/state';

/** Advice about a step whose end is unknown, by kind. `name` is its `pendingName`. */
const NEXT: Readonly<Record<PendingOperationType, (name: string) => string>> = {
  creating: (name) =>
    'The next operation asks the provider first. If the provider cannot tell, look for the object yourself and run ' +
    `\`cairn change resolve ${name} --created ID\` or \`cairn change resolve ${name} --not-created\`.`,
  updating: wasItDone,
  deleting: wasItDone,
  reading: () => 'Run the command again: nothing was changed.',
  importing: () => 'Run the command again: nothing was changed.',
};

function wasItDone(name: string): string {
  return (
    'The next operation asks the provider first. If the provider cannot tell, look for yourself and run ' +
    `\`cairn change resolve ${name} --done\` or \`cairn change resolve ${name} --not-done\`.`
  );
}

/**
 * Returns one warning per step that began and whose end was not recorded. `number` is that of the operation that died.
 */
export function inDoubtDiagnostics(
  operations: readonly SerializedOperation[],
  number: number,
): readonly Diagnostic[] {
  return operations.map(({ type, resource }) => {
    const { urn, id } = resource;
    const name = isUrn(urn) ? urnName(urn) : urn;
    return warningDiagnostic(
      'CAIRN-IN-DOUBT',
      `it is unknown whether ${type} "${name}" (${resource.type}) was done`,
      {
        urn: isUrn(urn) ? urn : undefined,
        causes: [
          `operation ${number} ended after it began the step and before it recorded the result`,
          ...(id === undefined || id === '' ? [] : [`the object's id is ${id}`]),
        ],
        hint: NEXT[type](pendingName({ type, resource })),
      },
    );
  });
}
