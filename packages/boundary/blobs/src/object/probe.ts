import { warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { ObjectFailure } from './object-client.js';
import type { ObjectClient } from './object-client.js';

/**
 * Tests if the server honours create-only writes: of two on one scratch key at least the second must be refused. The
 * object remains, so that the next time one request suffices. `id` is a fresh UUID, which distinguishes a lost answer
 * from another process's write.
 */
export async function honoursConditions(client: ObjectClient, scratch: string, id: string): Promise<boolean> {
  try {
    for (const turn of [1, 2]) {
      const bytes = Buffer.from(
        `written by cairn to learn whether this server has conditional writes: ${id} ${turn}\n`,
      );
      if (!(await client.put(scratch, bytes, { ifAbsent: true })).ok) return true;
    }
    return false;
  } catch (thrown) {
    if (thrown instanceof ObjectFailure && thrown.kind === 'condition-unsupported') return false;
    throw thrown;
  }
}

/** Returns the warning about a server without conditional writes. */
export function unconditionalWarning(url: string): Diagnostic {
  return warningDiagnostic(
    'CAIRN-STORE-UNCONDITIONAL',
    `the server of ${url} has no conditional writes: only lock files keep two operations apart`,
    {
      causes: ['it overwrote an object despite If-None-Match, or refused the condition'],
      hint: 'Make sure that no other operation begins at the same moment, or use a server that supports If-None-Match.',
    },
  );
}
