import { CairnError, isCairnError } from '@cairn/diagnostics';
import type { Replayer } from '@cairn/state';
import type { StackId } from '../../stack-id.js';
import { isLeaseLost, leaseLost } from '../../model/lease-lost.js';

/** Operation as its failures describe it. `directory` is that of its journal. */
interface FailedOperation {
  readonly id: StackId;
  readonly number: number;
  readonly directory: string;
  readonly replayer: Replayer;
}

/**
 * Adds context to a failure of a running operation. A lost lease lists the steps that had begun and what is recorded; a
 * failed store, what is recorded.
 */
export function explainFailure(
  thrown: unknown,
  { id, number, directory, replayer }: FailedOperation,
): unknown {
  if (!isLeaseLost(thrown)) return withKept(thrown, directory, replayer.entryCount);
  const begun = replayer.inDoubt().map(({ type, resource }) => `${type} ${resource.urn}`);
  const { entryCount } = replayer;
  return leaseLost(
    id,
    {
      causes: [
        ...(thrown.diagnostics[0]?.causes ?? ['another process has taken over its journal']),
        begun.length === 0
          ? 'no step was under way'
          : `begun, and their end could not be recorded: ${begun.join(', ')}`,
        `${entryCount} entries of this operation are recorded in ${directory}`,
      ],
      hint:
        `Everything recorded is kept, and becomes part of the state once the stack is taken over; nothing was overwritten. Run \`cairn change ${number}\` to see it. ` +
        'Find out who works on the stack now; the next command asks about steps whose end is not recorded.',
    },
    thrown,
  );
}

/** Adds to a failure of the store what is saved, where, and how to continue. Passes other errors unchanged. */
function withKept(thrown: unknown, directory: string, entries: number): unknown {
  if (
    !isCairnError(thrown) ||
    !thrown.diagnostics.some(({ code }) => code?.startsWith('CAIRN-STORE-') === true)
  )
    return thrown;
  const kept = `what this operation recorded (${entries} entries) is kept in ${directory}: the next \`cairn up\`, \`cairn refresh\` or \`cairn destroy\` adds it to the state and asks about steps that were in progress`;
  const [first, ...rest] = thrown.diagnostics;
  if (first === undefined || first.causes?.includes(kept) === true) return thrown;
  return new CairnError([{ ...first, causes: [...(first.causes ?? []), kept] }, ...rest], { cause: thrown });
}
