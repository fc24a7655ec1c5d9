import { isProviderType, isRootStackUrn, urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { holdText } from '../../decide/undo.js';
import type { UndoHold, UndoPart } from '../../decide/undo.js';

const WHAT = { remove: 'creation', restore: 'change', recreate: 'deletion' } as const satisfies Record<
  UndoPart,
  string
>;

/**
 * Something is not undone. That a resource wants it so is only told. That the stack or a provider stays because
 * something else does is no news: what is held says so for them.
 */
export function keptDiagnostic(
  { urn, part }: { readonly urn: Urn; readonly part: UndoPart },
  because: UndoHold,
): Diagnostic {
  const summary = `the ${WHAT[part]} of ${urn} is not undone: ${holdText(because)}`;
  if (because.t === 'retain') {
    return { ...warningDiagnostic('CAIRN-ROLLBACK-HELD', summary, { urn }), severity: 'info' };
  }
  if (because.t === 'needed' && isUnderneath(urn))
    return { ...warningDiagnostic('CAIRN-ROLLBACK-HELD', summary, { urn }), severity: 'debug' };
  return warningDiagnostic('CAIRN-ROLLBACK-HELD', summary, {
    urn,
    ...(because.t !== 'needed' && { causes: ['what it needs stays as well'] }),
    hint: 'It stays as the operation has left it. Decide what is to become of it, then run up.',
  });
}

/** Everything builds on it, and it stands for no object of its own. */
function isUnderneath(urn: Urn): boolean {
  return isRootStackUrn(urn) || isProviderType(urnType(urn));
}

/** What keeps an object from being changed back, as a phrase. */
export function replacingText(keys: readonly string[]): string {
  return keys.length === 0 ? 'this takes a new object' : `${keys.join(', ')} cannot be changed back in place`;
}

/** Changing an object back would take a new one. */
export function replacesDiagnostic(urn: Urn, keys: readonly string[]): Diagnostic {
  return warningDiagnostic(
    'CAIRN-ROLLBACK-HELD',
    `the change of ${urn} is not undone (rollback-needs-replace): ${replacingText(keys)}`,
    {
      urn,
      hint: `Changing "${urnName(urn)}" back would replace its object. Approve that, or leave it as it is and run up.`,
    },
  );
}
