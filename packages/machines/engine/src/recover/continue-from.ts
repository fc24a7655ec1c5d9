import type { Urn } from '@cairn/addresses';
import type { Snapshot } from '@cairn/state';
import { REGISTERED, SETTLED, taskKey } from '../model/history.js';
import type { Continued, PastTask, DoubtResolution } from '../model/history.js';
import { lineageFindings } from './findings.js';
import { readPast } from './read-past.js';
import type { OpenEntry, PastChange } from './read-past.js';
import { namedDoubts, stepsInDoubt } from './steps-in-doubt.js';
import type { NamedDoubt } from './steps-in-doubt.js';
import { touchedUrns } from './touched.js';
import type { TouchingChange } from './touched.js';

/** Messages of another process to a change that no process works on. Other kinds of messages have no meaning here. */
type Told =
  | { readonly t: 'approve'; readonly task: string }
  | { readonly t: 'resolve'; readonly task: string; readonly answer: DoubtResolution }
  | { readonly t: 'abort'; readonly task?: undefined };

/** An earlier change as stored. `messages`: in order, if there are any. */
type KeptChange<C extends PastChange = PastChange> = C & {
  readonly messages?: readonly Told[] | undefined;
};

/** Remains of earlier operations on a stack. */
export interface EarlierChanges {
  readonly snapshot: Snapshot;
  /** Changes whose records have steps in doubt, and all after them, oldest first. */
  readonly inDoubt: readonly KeptChange[];
  /**
   * Changes that the operation continues, oldest first, at least one, each with the stack that it found. `before`: the
   * stack that the first found. If undefined, the operation continues nothing, and unfinished changes are superseded.
   */
  readonly lineage?:
    | {
        readonly how: Continued['how'];
        readonly changes: readonly KeptChange<TouchingChange>[];
        readonly before: Snapshot;
      }
    | undefined;
  /** Answers of a person about steps in doubt, by name. They override earlier answers. Defaults to none. */
  readonly answers?: ReadonlyMap<string, DoubtResolution> | undefined;
}

/** Plan of an operation for earlier ones, for its request, with the names that users may use. */
export interface RecoveryPlan {
  readonly continues: Required<Continued> | undefined;
  /** Steps whose outcome must be determined first. */
  readonly inDoubt: readonly PastTask[];
  /** Answers known already. */
  readonly resolutions: ReadonlyMap<string, DoubtResolution>;
  /** URNs of the approved gates. */
  readonly approvals: ReadonlySet<Urn>;
  /** Steps in doubt, with every name that users may use for them. */
  readonly doubts: readonly NamedDoubt[];
}

/**
 * Reads the records of earlier operations and returns the plan for what they have left. This is the only place that
 * puts it together. Fails with `CAIRN-JOURNAL-CORRUPT`. Costs as {@link touchedUrns}.
 */
export function continueFrom(
  { snapshot, inDoubt: left, lineage, answers = new Map() }: EarlierChanges,
  open: OpenEntry,
): RecoveryPlan {
  const all = readPast(left, open);
  const inDoubt = stepsInDoubt(all, snapshot);
  const doubts = namedDoubts(inDoubt, all);
  const continues = lineage && continued(lineage, open);
  return {
    continues,
    inDoubt,
    resolutions: new Map([...answersIn(left, doubts), ...answers]),
    approvals: approvalsIn(lineage?.changes ?? [], continues?.past ?? []),
    doubts,
  };
}

function continued(
  { how, changes, before }: NonNullable<EarlierChanges['lineage']>,
  open: OpenEntry,
): Required<Continued> {
  return {
    how,
    origin: changes[0]?.change ?? '',
    before,
    past: readPast(changes, open),
    touched: touchedUrns(changes),
    ...lineageFindings(changes, open),
    failing: new Set(
      changes.slice(Math.max(0, changes.findLastIndex(hasNoted(SETTLED)))).map(({ change }) => change),
    ),
    rollsBack: isUnfinishedRollback(changes.findLast(({ records }) => records.length > 0)),
    registered: changes.some(hasNoted(REGISTERED)),
  };
}

function isUnfinishedRollback(last: PastChange | undefined): boolean {
  const begun = last?.records[0];
  if (last === undefined || begun?.record !== 'change' || begun.kind !== 'rollback') return false;
  return !hasNoted(SETTLED)(last);
}

/** Tells whether the data of a change has the key. */
function hasNoted(key: string): (change: PastChange) => boolean {
  return ({ records }) =>
    records.some(
      (record) =>
        record.record === 'data' && record.task === undefined && record.key === key && record.value === true,
    );
}

/** Returns answers about steps in doubt that were given while no process worked on the change, by name of the step. */
function answersIn(
  changes: readonly KeptChange[],
  doubts: readonly NamedDoubt[],
): readonly (readonly [string, DoubtResolution])[] {
  return messagesIn(changes).flatMap(([about, message]) => {
    const doubt = doubts.find(({ tasks }) => tasks.includes(about));
    return doubt === undefined || message.t !== 'resolve' ? [] : [[doubt.name, message.answer] as const];
  });
}

function approvalsIn(changes: readonly KeptChange[], past: readonly PastTask[]): ReadonlySet<Urn> {
  const approved = new Set(messagesIn(changes).flatMap(([about, { t }]) => (t === 'approve' ? [about] : [])));
  return new Set(past.filter((task) => approved.has(taskKey(task))).map(({ urn }) => urn));
}

/** Returns the messages, each with the key of the task it is about. */
function messagesIn(changes: readonly KeptChange[]): readonly (readonly [string, Told])[] {
  return changes.flatMap(({ change, messages = [] }) =>
    messages.map((message) => [taskKey({ change, id: message.task ?? '' }), message] as const),
  );
}
