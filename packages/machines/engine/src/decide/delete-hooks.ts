import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { hookNames } from '../model/hook-moments.js';

/**
 * Returns the objections to a destroy without the program: resources whose delete hooks are in the program [HOOK-8].
 * Error hooks alone do not prevent the delete. O(V).
 */
export function deleteHooksWithoutProgram(entries: readonly ResourceEntry[]): readonly Diagnostic[] {
  const against = entries.flatMap((entry) => {
    const names = [...hookNames(entry, 'before', 'delete'), ...hookNames(entry, 'after', 'delete')];
    return names.length === 0 ? [] : [hasDeleteHooks(entry, names)];
  });
  if (against.length === 0) return [];
  return [
    errorDiagnostic(
      'CAIRN-HOOK-FAILED',
      'You must run with the `--run-program` flag to use delete hooks during destroy.',
      { hint: 'Nothing was deleted. Run `cairn destroy --run-program`.' },
    ),
    ...against,
  ];
}

function hasDeleteHooks({ urn }: ResourceEntry, names: readonly string[]): Diagnostic {
  const quoted = names.map((name) => `"${name}"`).join(', ');
  return errorDiagnostic(
    'CAIRN-HOOK-FAILED',
    `cannot delete ${urn} without the program: its hooks ${quoted} live in it`,
    {
      urn,
    },
  );
}
