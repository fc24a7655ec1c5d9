import { isProviderType, isRootStackUrn, urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { holdText } from '../../decide/undo.js';
import type { UndoHold } from '../../decide/undo.js';
import type { UndoPart } from '../../model/undo-part.js';

const WHAT = { remove: 'creation', restore: 'change', recreate: 'deletion' } as const satisfies Record<
  UndoPart,
  string
>;

/**
 * Makes the diagnostic for a change that is not undone. It is only information if the resource asks for that. It is a
 * debug message if the stack or a provider stays because other resources do: their own diagnostics report it.
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
    ...(because.t !== 'needed' && { causes: ['the resources that it needs stay as well'] }),
    hint: 'Decide what to do with it, then run up: it stays as the operation left it.',
  });
}

/** Returns true if everything builds on the resource and it represents no object of its own. */
function isUnderneath(urn: Urn): boolean {
  return isRootStackUrn(urn) || isProviderType(urnType(urn));
}

/** Returns the reason why an object cannot be changed back in place, as a phrase. */
export function replacingText(keys: readonly string[]): string {
  return keys.length === 0 ? 'this takes a new object' : `${keys.join(', ')} cannot be changed back in place`;
}

/** Makes the diagnostic for an object that cannot be changed back without a new one. */
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
