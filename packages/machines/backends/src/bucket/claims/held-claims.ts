import type { BlobStore } from '@cairn/blobs';
import { EVERYTHING, findConflict } from '@cairn/changes';
import type { Claim, Conflict, HeldClaims } from '@cairn/changes';
import { isUrn } from '@cairn/addresses';
import { CairnError, errorDiagnostic } from '@cairn/diagnostics';
import { getJournalFile } from '../journal/journal-files.js';
import { Journals } from '../journal/journals.js';
import type { JournalRow } from '../journal/journal-files.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import { recordKind } from '../records/change-files.js';
import type { StackId } from '../../stack-id.js';
import { takeClaims } from './claims.js';
import type { LockHolder } from '../../model/lock-holder.js';

/**
 * Journal that is not part of the checkpoint yet, with its claims. Until then no other operation can build on its
 * results.
 */
interface OpenJournal extends HeldClaims {
  readonly row: JournalRow;
  /** Id of the lock under which it runs or ran. */
  readonly lock: string;
}

/** Returns journals that are not closed, oldest first. */
export async function openJournals(
  store: BlobStore,
  id: StackId,
  journals?: Journals,
): Promise<readonly OpenJournal[]> {
  const open: OpenJournal[] = [];
  for (const row of await (journals ?? (await Journals.of(store, id))).open()) {
    if (!row.files.has(JOURNAL_FILES.operation)) continue;
    const directory = layout.journalOf(id, row.change);
    const operation = await getJournalFile(store, directory, 'operation');
    if (operation === undefined) continue;
    const file = await getJournalFile(store, directory, 'claims');
    open.push({
      row,
      lock: operation.lock,
      changeId: String(row.number),
      changeKind: recordKind(operation),
      claims: takeClaims(file?.claims ?? operation.claims),
    });
  }
  return open;
}

/**
 * Returns the first collision of the wanted claims with those of other locks and journals. `own` is the caller's lock,
 * which does not collide with itself.
 */
export function conflictWith(
  own: string,
  wanted: readonly Claim[],
  locks: readonly LockHolder[],
  journals: readonly OpenJournal[],
): Conflict | undefined {
  const known = new Map(journals.map((journal) => [journal.lock, journal]));
  const held: HeldClaims[] = [
    ...journals.filter((journal) => journal.lock !== own),
    ...locks
      .filter((lock) => lock.id !== own)
      .map((lock) => ({
        changeId: known.get(lock.id)?.changeId ?? '',
        changeKind: known.get(lock.id)?.changeKind ?? '',
        claims: lock.claims,
      })),
  ];
  return findConflict(held, wanted);
}

/** Details of a conflict for callers other than the command line [REC-16]. */
interface ChangeConflict {
  readonly code: 'CAIRN-CHANGE-CONFLICT';
  readonly stack: string;
  /** Undefined for the whole stack. */
  readonly urn: string | undefined;
  /** Short number. Undefined if the other operation has not begun. */
  readonly changeId: string | undefined;
  readonly changeKind: string | undefined;
}

/** Error `CAIRN-CHANGE-CONFLICT`. It names the resource that both want and the change that has it. */
export class ChangeConflictError extends CairnError {
  readonly conflict: ChangeConflict;

  constructor(id: StackId, { changeId, changeKind, key }: Conflict, causes: readonly string[] = []) {
    const urn = key === EVERYTHING ? undefined : key;
    const holder = changeId === '' ? 'another operation' : `change ${changeId} (${changeKind})`;
    const what = urn === undefined ? `stack "${id.stack}"` : `${urn} of stack "${id.stack}"`;
    const said = `the stack is currently locked by ${holder}, which works on ${what}`;
    const diagnostic = errorDiagnostic('CAIRN-CHANGE-CONFLICT', said, {
      urn: urn !== undefined && isUrn(urn) ? urn : undefined,
      causes,
      hint:
        changeId === ''
          ? 'Wait until it is done, or work on other resources with --target.'
          : `Wait until it is done (\`cairn follow ${changeId}\`), or work on other resources with --target.`,
    });
    super([diagnostic]);
    this.conflict = {
      code: 'CAIRN-CHANGE-CONFLICT',
      stack: id.stack,
      urn,
      changeId: changeId === '' ? undefined : changeId,
      changeKind: changeKind === '' ? undefined : changeKind,
    };
  }
}
