import { randomBytes } from 'node:crypto';
import type { ChangeLineage, Continues, StackLease, StoredChange } from '@cairn/backends';
import { continueFrom } from '@cairn/engine';
import type { EarlierChanges, OperationRequest, RecoveryPlan, DoubtResolution } from '@cairn/engine';
import { decodeResource } from '@cairn/state';
import type { Json } from '@cairn/state';
import { ciphertextsIn } from '../access/secrets.js';
import type { Prepared } from './prepared.js';

/** Relations of an operation to earlier changes: for the engine, and for its own record. */
export interface Continuation {
  readonly engine: Pick<
    OperationRequest,
    'continues' | 'inDoubt' | 'resolutions' | 'approvals' | 'stored' | 'goalKey'
  >;
  readonly doubts: RecoveryPlan['doubts'];
  /** The change that it continues; `undefined` if it starts a lineage of its own. */
  readonly continues: Continues | undefined;
  /** Key of the lineage's goal digests, as in records. */
  readonly goalKey: string;
}

const KEY_BYTES = 32;

/**
 * Returns the start of an operation under this lease. Reads the inputs of the engine's rules and adds no rule of its
 * own. Without `how` it continues nothing, and the unfinished lineage is superseded. Its steps in doubt are resolved
 * all the same [REC-13] [REC-2]. `answers` are a person's answers about them, by name.
 */
export async function continuationOf(
  prepared: Prepared,
  lease: StackLease,
  lineage: ChangeLineage | undefined,
  how: 'resume' | 'rollback' | 'resolve' | undefined,
  answers?: ReadonlyMap<string, DoubtResolution>,
): Promise<Continuation> {
  const crypter = await prepared.crypter;
  const { snapshot, inDoubt, deployment } = lease;
  await prepared.manager.fetch?.(ciphertextsOfChanges([...inDoubt, ...(lineage?.changes ?? [])]));
  const continued = how && lineage && (await continuedOf(lineage, how));
  const { doubts, ...plan } = continueFrom({ snapshot, inDoubt, lineage: continued, answers }, (resource) =>
    decodeResource(resource, crypter, 'a change before this one'),
  );
  // The first change of a lineage makes the key, and its successors keep it.
  const sealed = continued && lineage?.changes.find(({ operation }) => operation.goalKey !== undefined);
  const key = sealed?.operation.goalKey ?? crypter.encrypt(randomBytes(KEY_BYTES).toString('base64'));
  return {
    engine: { ...plan, stored: deployment, goalKey: Buffer.from(crypter.decrypt(key), 'base64') },
    doubts,
    continues: how && lineage && { change: lineage.latest, how },
    goalKey: key,
  };
}

/** Yields the ciphertexts in the records of changes, and their keys of goal digests. */
function* ciphertextsOfChanges(changes: readonly StoredChange[]): Generator<string> {
  for (const { operation, records } of changes) {
    if (operation.goalKey !== undefined) yield operation.goalKey;
    for (const record of records) yield* ciphertextsIn(record as unknown as Json);
  }
}

async function continuedOf(
  lineage: ChangeLineage,
  how: 'resume' | 'rollback' | 'resolve',
): Promise<EarlierChanges['lineage']> {
  const [before, changes] = await Promise.all([
    lineage.openBefore(),
    Promise.all(lineage.changes.map(async (stored) => ({ ...stored, base: await stored.base() }))),
  ]);
  return { how, changes, before };
}
