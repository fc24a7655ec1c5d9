// What a fold of journals stores, decided without the store.
import type { BlobVersion } from '@cairn/blobs';
import { warningDiagnostic, messageOf } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { checkIntegrity, emptyDeployment, formatVersion, inTurn, newManifest } from '@cairn/state';
import type { Replayer, SerializedDeployment } from '@cairn/state';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { CheckpointOutline } from '../checkpoint/outline.js';
import type { JournalEnd } from '../../model/change-facts.js';
import type { HistoryEntry } from '../../model/history-entry.js';
import { leaseLost } from '../../model/lease-lost.js';
import { layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { mergeStates } from './merge-states.js';
import type { Journals } from './journals.js';
import type {
  FoldFile,
  FoldPlan,
  OperationFile,
  ReadJournalFile,
  SealedFile,
  StampedFold,
} from './journal-files.js';

/**
 * Journals to fold into the checkpoint that they started from: one, or those of operations that ran beside each other.
 */
export interface Fold {
  readonly id: StackId;
  readonly base: StoredCheckpoint;
  /** Checkpoint in the store, if the operation has written it while it ran. The base is beside the journal then. */
  readonly present?: StoredCheckpoint;
  /** True if the operation has kept the base beside its journal and as `.bak`. */
  readonly hasBase?: boolean;
  /** By number; not empty. */
  readonly members: readonly FoldMember[];
  /** Fold of the operation before, if it is known. Otherwise it is read from the journals. */
  readonly previous?: StampedFold | undefined;
  /** Journals at a look after the last record, if there was one. */
  readonly looked?: Journals | undefined;
  /** State that a person wants. It is stored as it is, in place of the result of the entries. */
  readonly edited?: SerializedDeployment | undefined;
}

/** Journal of one operation. */
export interface FoldMember {
  readonly change: string;
  readonly number: number;
  /** Id of the lock in the journal's operation file. Its owner may fold the journal as its own. */
  readonly lock: string;
  /** Version of that file, if this process has written it. Saves reading it where listings have versions. */
  readonly fence?: BlobVersion | undefined;
  /** Content of that file, if it is known. */
  readonly began?: OperationFile | undefined;
  /** Records of an operation without steps, as the text of the segment that it does not have. */
  readonly records?: string | undefined;
  readonly replayer: Replayer;
  /** Undefined: no entry and no backup copy are written. */
  readonly history: HistoryEntry | undefined;
  readonly end: JournalEnd;
  /** Set by an operation that ends itself; see `OperationEnd`. Operations beside each other have no common order. */
  readonly order?: readonly number[] | undefined;
  /**
   * The `fold.json` that was there when the journal was read. Undefined: there must be none, as with one's own journal.
   */
  readonly seen?: ReadJournalFile<'fold'> | undefined;
}

/**
 * Result of a fold. `diagnostics` are integrity failures (the state is written all the same) and history that could not
 * be written.
 */
export interface FoldReport {
  readonly deployment: SerializedDeployment;
  readonly diagnostics: readonly Diagnostic[];
}

/** Journal to close, among those of the stack. */
export type ClosedFold = Pick<Fold, 'id'> &
  Pick<FoldMember, 'change' | 'end' | 'began' | 'records'> & {
    readonly journals: Journals;
    readonly outline?: CheckpointOutline | undefined;
  };

/** Facts that go into a state that is stored. */
interface StateFacts extends Pick<BackendContext, 'version' | 'command' | 'variables' | 'integrity'> {
  readonly now: Date;
}

/** Returns true if one operation, which recorded no entry, leaves the state that it started from. */
export function leavesSame({ members, edited }: Fold): boolean {
  return edited === undefined && members.length === 1 && members[0]?.replayer.entryCount === 0;
}

/** Adds to a failure where the inconsistent state was stored all the same, and where the one before it is [INT-3]. */
export function withPlaces(failure: Diagnostic, key: string): Diagnostic {
  const places = [`it was stored as ${key}`, `the state before it is ${layout.previous(key)}`];
  return { ...failure, causes: [...(failure.causes ?? []), ...places] };
}

/**
 * Returns the room for a new state. A state rarely grows by more than that in one operation. Unused room costs nothing.
 */
export function roomForState(size: number): number {
  return Math.ceil(size * 1.25) + 1024;
}

/** Returns what `fold.json` of one journal announces. `lock` is that of the process that folds. */
export function planOf(
  lock: string,
  { history, end, seen }: FoldMember,
  written: Pick<FoldFile, 'base' | 'checkpoint' | 'stamp' | 'same'>,
): FoldFile {
  return {
    lock,
    ...written,
    ...(history === undefined ? {} : { history }),
    end,
    ...(seen === undefined ? {} : { earlier: plansIn(seen.content) }),
  };
}

/** Returns every fold that a file announces, the newest first. */
export function plansIn({ lock: _lock, earlier = [], ...plan }: FoldFile): readonly FoldPlan[] {
  return [plan, ...earlier];
}

/** Returns the content of `sealed.json`. `lock` is that of the process that closes the journal. */
export function sealedOf(
  lock: string,
  { end, outline, began, records }: ClosedFold,
  { checkpoint, stamp, same }: FoldPlan,
): SealedFile {
  return {
    ...{ lock, ...end, checkpoint, stamp },
    ...(same && { same }),
    ...(outline && { outline }),
    ...(began && { began }),
    ...(records !== undefined && { records }),
  };
}

/** Returns the stamp of a fold after the `last` one: the present time, or the next number if that is not later. */
export function stampAfter(last: Pick<FoldPlan, 'stamp'> | undefined, now: string): bigint {
  const present = BigInt(now);
  const next = /^\d{1,30}$/.test(last?.stamp ?? '') ? BigInt(last?.stamp ?? 0) + 1n : 0n;
  return present > next ? present : next;
}

/** Returns the refusal of a writer while another one folds its journal. */
export function folding(id: StackId, number: number): Error {
  return leaseLost(id, {
    causes: [`another process is storing the steps of operation ${number}`],
    hint: 'Nothing was overwritten. Find out who works on the stack now.',
  });
}

/** Returns the warning that another process has closed a journal meanwhile. */
export function closedByOther({ stack }: StackId, change: string): Diagnostic {
  return warningDiagnostic(
    'CAIRN-LEASE-LOST',
    `the state of stack "${stack}" was stored, but the lock was lost before its operation ended: another process has closed it`,
    { hint: `\`cairn change ${Number(change)}\` shows how it was closed.` },
  );
}

/** Returns the state that a fold leads to, with its integrity failure. */
export function folded({ base, members, edited }: Fold, facts: StateFacts): FoldReport {
  if (edited !== undefined) return withIntegrity(facts, edited);
  const manifest = newManifest(facts.now, facts.version);
  const before = deploymentOf(base) ?? emptyDeployment;
  const results = members.map(({ replayer }) =>
    // An operation that recorded nothing leaves pending steps alone, too; a replay would drop all but the creates.
    replayer.entryCount === 0 ? { ...before, manifest } : replayer.generate(manifest),
  );
  const [only] = results;
  if (only !== undefined && results.length === 1)
    return withIntegrity(facts, inTurn(only, members[0]?.order));
  return withIntegrity(facts, mergeStates({ ...before, manifest }, results));
}

/** Checks integrity before the write. The write always happens [INT-3]. */
function withIntegrity(facts: StateFacts, deployment: SerializedDeployment): FoldReport {
  const { failure, fault } = checkIntegrity(deployment, 'write');
  if (failure === undefined) {
    const clean =
      deployment.integrityError === undefined ? deployment : { ...deployment, integrityError: undefined };
    return { deployment: clean, diagnostics: [] };
  }
  const integrityError = {
    version: String(formatVersion(deployment).version),
    command: facts.command,
    error: fault?.problem ?? failure.summary,
    envVars: facts.variables,
  };
  return {
    deployment: { ...deployment, integrityError },
    diagnostics: facts.integrity === 'skip' ? [] : [failure],
  };
}

/** Returns the warning that a history entry or its copies could not be written. */
export function historyWarning(thrown: unknown): Diagnostic {
  return warningDiagnostic(
    'CAIRN-STORE-FAILED',
    'the state was stored, but its history entry or backup copy was not',
    { causes: messageOf(thrown).split('\n') },
  );
}
