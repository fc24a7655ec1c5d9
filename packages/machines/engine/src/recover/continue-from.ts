import type { Urn } from '@cairn/addresses';
import type { Snapshot } from '@cairn/state';
import { REGISTERED, taskKey } from '../model/history.js';
import type { Continued, PastTask, Resolution } from '../model/history.js';
import { lineageFindings } from './findings.js';
import { readPast } from './read-past.js';
import type { OpenEntry, PastChange } from './read-past.js';
import { namedDoubts, stepsInDoubt } from './steps-in-doubt.js';
import type { NamedDoubt } from './steps-in-doubt.js';
import { touchedUrns } from './touched.js';
import type { TouchingChange } from './touched.js';

/** What another process told a change of which nobody is at work; others than these say nothing here. */
type Told =
  | { readonly t: 'approve'; readonly task: string }
  | { readonly t: 'resolve'; readonly task: string; readonly answer: Resolution }
  | { readonly t: 'abort'; readonly task?: undefined };

/** An earlier change as it is kept. `messages`: in order; absent: none. */
type KeptChange<C extends PastChange = PastChange> = C & {
  readonly messages?: readonly Told[] | undefined;
};

/** What earlier operations on a stack have left. */
export interface EarlierChanges {
  readonly snapshot: Snapshot;
  /** The changes in whose records steps are in doubt, and all after them, oldest first. */
  readonly inDoubt: readonly KeptChange[];
  /**
   * The changes that are gone on with, oldest first, at least one, with the stack that each found; `before`: the stack
   * that the first found. Absent: it goes on with nothing, and what did not end is superseded.
   */
  readonly lineage?:
    | {
        readonly how: Continued['how'];
        readonly changes: readonly KeptChange<TouchingChange>[];
        readonly before: Snapshot;
      }
    | undefined;
  /** What a person says about steps in doubt, by name; it wins over what was said before. Absent: nothing. */
  readonly answers?: ReadonlyMap<string, Resolution> | undefined;
}

/** What an operation does about earlier ones, for its request; and what people may name of it. */
export interface RecoveryPlan {
  readonly continues: Required<Continued> | undefined;
  /** Steps whose end is to be found out first. */
  readonly inDoubt: readonly PastTask[];
  /** What is known about them already. */
  readonly resolutions: ReadonlyMap<string, Resolution>;
  /** URNs of the gates that somebody agreed to. */
  readonly approvals: ReadonlySet<Urn>;
  /** The steps in doubt with every name that people may use for them. */
  readonly doubts: readonly NamedDoubt[];
}

/**
 * What an operation does about what earlier ones have left, read from their records: the one place that puts it
 * together. Fails with `CAIRN-JOURNAL-CORRUPT`. Costs as {@link touchedUrns}.
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
    registered: changes.some(hasRegistered),
  };
}

/** Whether its program had registered all that it wanted. */
function hasRegistered({ records }: PastChange): boolean {
  return records.some(
    (record) =>
      record.record === 'data' &&
      record.task === undefined &&
      record.key === REGISTERED &&
      record.value === true,
  );
}

/** What was said about steps in doubt while nobody worked on the change, by name of the step. */
function answersIn(
  changes: readonly KeptChange[],
  doubts: readonly NamedDoubt[],
): readonly (readonly [string, Resolution])[] {
  return messagesIn(changes).flatMap(([about, message]) => {
    const doubt = doubts.find(({ tasks }) => tasks.includes(about));
    return doubt === undefined || message.t !== 'resolve' ? [] : [[doubt.name, message.answer] as const];
  });
}

function approvalsIn(changes: readonly KeptChange[], past: readonly PastTask[]): ReadonlySet<Urn> {
  const approved = new Set(messagesIn(changes).flatMap(([about, { t }]) => (t === 'approve' ? [about] : [])));
  return new Set(past.filter((task) => approved.has(taskKey(task))).map(({ urn }) => urn));
}

/** Messages with the key of the task that each is about. */
function messagesIn(changes: readonly KeptChange[]): readonly (readonly [string, Told])[] {
  return changes.flatMap(({ change, messages = [] }) =>
    messages.map((message) => [taskKey({ change, id: message.task ?? '' }), message] as const),
  );
}
