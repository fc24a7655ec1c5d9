import { isUrn, urnName } from '@cairn/addresses';
import type { ChangeRecord } from '@cairn/changes';
import { warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { PendingOperationType, SerializedOperation } from '@cairn/state';
import { entriesOf } from '../journal/journal-replay.js';

/** What to do about a step of each kind whose end nobody knows. `task`: e.g. `7/3`. */
const NEXT: Readonly<Record<PendingOperationType, (task: string) => string>> = {
  creating: (task) =>
    'The next operation asks the provider, before anything else. When the provider cannot tell, look for the object yourself and say ' +
    `\`cairn change resolve ${task} --created ID\` or \`cairn change resolve ${task} --not-created\`.`,
  updating: () => 'The next operation reads the object first and goes on from how it is.',
  deleting: () => 'The next operation looks first whether the object still exists.',
  reading: () => 'Nothing was altered: run the command again.',
  importing: () => 'Nothing was altered: run the command again.',
};

/** One warning per step that was begun and whose end was not recorded. `number`: of the operation that died; `records`: its own. */
export function inDoubtDiagnostics(
  operations: readonly SerializedOperation[],
  number: number,
  records: readonly ChangeRecord[],
): readonly Diagnostic[] {
  const tasks = tasksByUrn(records);
  return operations.map(({ type, resource }) => {
    const { urn, id } = resource;
    const name = isUrn(urn) ? urnName(urn) : urn;
    return warningDiagnostic(
      'CAIRN-IN-DOUBT',
      `nobody knows whether ${type} "${name}" (${resource.type}) was done`,
      {
        urn: isUrn(urn) ? urn : undefined,
        causes: [
          `operation ${number} ended after it began the step and before it recorded the result`,
          ...(id === undefined || id === '' ? [] : [`the object's id is ${id}`]),
        ],
        hint: NEXT[type](`${number}/${tasks.get(urn) ?? 'TASK'}`),
      },
    );
  });
}

/** The last task that began something with each resource. */
function tasksByUrn(records: readonly ChangeRecord[]): ReadonlyMap<string, string> {
  const tasks = new Map<string, string>();
  for (const record of records) {
    if (record.record !== 'intent') continue;
    for (const { operation } of entriesOf([record], 'the journal'))
      if (operation !== undefined) tasks.set(operation.resource.urn, record.task);
  }
  return tasks;
}
