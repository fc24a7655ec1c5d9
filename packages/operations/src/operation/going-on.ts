import { randomBytes } from 'node:crypto';
import type { Urn } from '@cairn/addresses';
import type { ChangeLine, Continues, StackLease, StoredChange } from '@cairn/backends';
import type { Crypter } from '@cairn/crypters';
import { continuedFrom, readPast, stepsInDoubt, taskKey } from '@cairn/engine';
import type { OpenEntry, OperationRequest, PastTask, Resolution, TouchingChange } from '@cairn/engine';
import { decodeResource } from '@cairn/state';
import type { Prepared } from './prepared.js';
import { namedDoubts } from './named-doubts.js';
import type { NamedDoubt } from './named-doubts.js';

/** What an operation has to do with changes before it: for the engine, and for its own record. */
export interface GoingOn {
  readonly engine: Pick<
    OperationRequest,
    'continues' | 'inDoubt' | 'resolutions' | 'approvals' | 'stored' | 'goalKey'
  >;
  /** The steps in doubt with every name that people may use for them. */
  readonly doubts: readonly NamedDoubt[];
  /** The change that it goes on with; undefined: it starts a line of its own. */
  readonly continues: Continues | undefined;
  /** Key of the line's goal digests, as records keep it. */
  readonly goalKey: string;
}

const KEY_BYTES = 32;

/**
 * What an operation under this lease starts from. `how` undefined: it goes on with nothing, and the line that did not
 * end is superseded; its steps in doubt are resolved all the same [REC-13] [REC-2]. `answers`: what a person says about
 * them, by name.
 */
export async function goingOn(
  prepared: Prepared,
  lease: StackLease,
  line: ChangeLine | undefined,
  how: 'resume' | 'rollback' | 'resolve' | undefined,
  answers: OperationRequest['resolutions'] = new Map(),
): Promise<GoingOn> {
  const crypter = await prepared.crypter;
  const key = how === undefined ? undefined : sealedKeyOf(line);
  const goalKey = key === undefined ? randomBytes(KEY_BYTES) : Buffer.from(crypter.decrypt(key), 'base64');
  const all = pastOf(lease.inDoubt, crypter);
  const inDoubt = stepsInDoubt(all, lease.snapshot);
  const doubts = namedDoubts(inDoubt, all);
  const shared = {
    inDoubt,
    resolutions: new Map([...answersIn(lease.inDoubt, doubts), ...answers]),
    stored: lease.deployment,
    goalKey,
  };
  if (how === undefined || line === undefined)
    return {
      engine: shared,
      doubts,
      continues: undefined,
      goalKey: crypter.encrypt(goalKey.toString('base64')),
    };
  const [before, changes] = await Promise.all([line.openBefore(), withBases(line)]);
  const continues = continuedFrom(how, changes, before, openWith(crypter));
  const approvals = approvalsIn(line, continues.past);
  return {
    engine: { ...shared, approvals, continues },
    doubts,
    continues: { change: line.latest, how },
    goalKey: key ?? crypter.encrypt(goalKey.toString('base64')),
  };
}

/** What was said about steps in doubt while nobody worked on the change, by name of the step. */
function answersIn(
  changes: readonly StoredChange[],
  doubts: readonly NamedDoubt[],
): readonly (readonly [string, Resolution])[] {
  return changes.flatMap(({ row, messages }) =>
    messages.flatMap((message) => {
      if (message.t !== 'resolve') return [];
      const doubt = doubts.find(({ tasks }) => tasks.includes(`${row.id}/${message.task}`));
      return doubt === undefined ? [] : [[doubt.name, message.answer] as const];
    }),
  );
}

/** URNs of the gates that somebody agreed to while nobody worked on the change. */
function approvalsIn({ changes }: ChangeLine, past: readonly PastTask[]): ReadonlySet<Urn> {
  const approved = new Set(
    changes.flatMap(({ row, messages }) =>
      messages.flatMap((message) => (message.t === 'approve' ? [`${row.id}/${message.task}`] : [])),
    ),
  );
  return new Set(past.filter((task) => approved.has(taskKey(task))).map(({ urn }) => urn));
}

/** Every task of some changes, oldest first. */
function pastOf(changes: readonly StoredChange[], crypter: Crypter): readonly PastTask[] {
  return readPast(changes, openWith(crypter));
}

function openWith(crypter: Crypter): OpenEntry {
  return (resource) => decodeResource(resource, crypter, 'a change before this one');
}

/** The key of the line's first change that has one: its successors keep the same. */
function sealedKeyOf(line: ChangeLine | undefined): string | undefined {
  return line?.changes.find(({ operation }) => operation.goalKey !== undefined)?.operation.goalKey;
}

function withBases(line: ChangeLine): Promise<readonly TouchingChange[]> {
  return Promise.all(
    line.changes.map(async (stored) => ({
      change: stored.change,
      records: stored.records,
      base: await stored.base(),
    })),
  );
}
