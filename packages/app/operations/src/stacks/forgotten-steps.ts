import { isUrn, urnName } from '@cairn/addresses';
import { warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { SerializedOperation } from '@cairn/state';
import type { OpenStack } from '../access/open-stack.js';

/**
 * Returns the steps of a stack that began and whose outcome is unknown. A state that cannot be read tells of none: it
 * may be replaced or removed all the same.
 */
export async function unresolvedSteps({
  backend,
  id,
}: Pick<OpenStack, 'backend' | 'id'>): Promise<readonly SerializedOperation[]> {
  const stored = await backend.read(id, { integrity: 'skip' }).catch(() => undefined);
  return stored?.deployment?.pendingOperations ?? [];
}

/** Returns a warning for each step of which nothing remains in `kept`. Its object may exist, and nothing manages it. */
export function forgottenSteps(
  before: readonly SerializedOperation[],
  kept: readonly SerializedOperation[] = [],
): readonly Diagnostic[] {
  const names = new Set(kept.map(nameOf));
  return before
    .filter((step) => !names.has(nameOf(step)))
    .map(({ type, resource: { urn } }) =>
      warningDiagnostic(
        'CAIRN-IN-DOUBT',
        `it stays unknown whether ${type} "${isUrn(urn) ? urnName(urn) : urn}" was done: the record of the step is gone`,
        { urn: isUrn(urn) ? urn : undefined, hint: 'Look for the object yourself: no stack manages it.' },
      ),
    );
}

function nameOf({ type, resource }: SerializedOperation): string {
  return `${type} ${resource.urn}`;
}
