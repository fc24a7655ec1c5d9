import { CairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { checkIntegrity } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';

/** Returns warnings of the integrity check. Throws a failure [INT-3]. */
export function usable(deployment: SerializedDeployment): readonly Diagnostic[] {
  const { failure, warnings } = checkIntegrity(deployment, 'read');
  if (failure === undefined) return warnings;
  const stored = deployment.integrityError?.error;
  const causes = [
    ...(failure.causes ?? []),
    ...(stored === undefined ? [] : [`noted at the last write: ${stored}`]),
  ];
  throw new CairnError([{ ...failure, causes }]);
}

/** Refuses an edit that breaks a consistent state. */
export function refuseInconsistent(edited: SerializedDeployment): void {
  const { failure } = checkIntegrity(edited, 'read');
  if (failure === undefined) return;
  throw new CairnError([
    {
      ...failure,
      summary: `the edited state would not be consistent: ${failure.summary}`,
      hint: 'Nothing was changed. Change the edit, or pass --disable-integrity-checking.',
    },
  ]);
}
