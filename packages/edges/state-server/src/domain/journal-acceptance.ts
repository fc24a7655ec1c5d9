import { takeJournalEntry, takeKeptEntry } from '@cairn/state';
import type { SerializedJournalEntry, TextItem } from '@cairn/state';
import { Refusal } from './refusal.js';
import { ofRequest } from './request-fault.js';

/** Facts about a journal that decide whether a batch is accepted. {@link noteBatch} alone changes them. */
export interface JournalFacts {
  /**
   * Text of each stored entry, by its sequence id, or undefined if it is not at hand: such an entry counts as the same
   * as one that repeats it. See {@link repeatedEntries}.
   */
  readonly entries: Map<number, string | undefined>;
  /** True if the texts of entries are kept as they are noted. */
  readonly keepsTexts: boolean;
  /** Operations that added a resource. */
  readonly added: Set<number>;
  /** Number of resources of the base, or undefined once an entry has replaced the base. */
  baseSize: number | undefined;
  /** True if an entry about a resource is stored. */
  begun: boolean;
}

/** Returns the facts about an empty journal. */
export function noEntries(baseSize: number, keepsTexts: boolean): JournalFacts {
  return { entries: new Map(), keepsTexts, added: new Set(), baseSize, begun: false };
}

/** Returns the sequence ids of a batch that are stored, and whose texts are not at hand. */
export function repeatedEntries({ entries }: JournalFacts, batch: readonly ReadEntry[]): readonly number[] {
  return batch
    .map(({ entry }) => entry.sequenceId)
    .filter((id) => entries.has(id) && entries.get(id) === undefined);
}

/** Reads the entries of a batch. Refuses one that breaks the format (400). */
export function readBatch(items: readonly TextItem[]): readonly ReadEntry[] {
  return items.map(({ text, value }) => ({
    text,
    entry: ofRequest(() => readEntry(text, value)),
  }));
}

/** Reads an entry. A new base is read as the replay will read it; the states of others are parts of what was read. */
function readEntry(text: string, value: TextItem['value']): SerializedJournalEntry {
  const source = 'of this update';
  const entry = takeJournalEntry(value, source);
  return entry.newSnapshot === undefined ? entry : takeKeptEntry(text, source);
}

/**
 * Decides about a batch of journal entries, and returns those to store, in the order in which they came. An entry that
 * is stored is dropped silently; gaps and any order are legal. Throws a {@link Refusal} (400) for an entry that
 * contradicts a stored one or refers to something that cannot exist. A batch is accepted or refused whole. With
 * `lateBase`, an entry may replace the state at any time.
 */
export function acceptBatch(
  facts: JournalFacts,
  batch: readonly ReadEntry[],
  { lateBase }: { readonly lateBase: boolean },
): readonly ReadEntry[] {
  const fresh = freshEntries(facts, batch);
  const added = new Set(fresh.filter(addsResource).map(({ entry }) => entry.operationId));
  const isAdded = (operation: number): boolean => facts.added.has(operation) || added.has(operation);
  const baseSize = fresh.some(replacesBase) ? undefined : facts.baseSize;
  for (const read of fresh) refuseUnknown(read, baseSize, isAdded);
  if (!lateBase) refuseLateWrite(facts, fresh);
  return fresh;
}

/** Notes the entries of an accepted batch, whose costs do not depend on the length of the journal. */
export function noteBatch(facts: JournalFacts, fresh: readonly ReadEntry[]): void {
  for (const each of fresh) {
    facts.entries.set(each.entry.sequenceId, facts.keepsTexts ? each.text : undefined);
    if (addsResource(each)) facts.added.add(each.entry.operationId);
    if (replacesBase(each)) facts.baseSize = undefined;
    else if (each.entry.kind !== 'secrets-manager') facts.begun = true;
  }
}

/** Entry of a batch with its text. */
export interface ReadEntry {
  readonly text: string;
  readonly entry: SerializedJournalEntry;
}

/** Returns true if an entry adds a resource that later entries can refer to by its operation. */
export function addsResource({ entry }: ReadEntry): boolean {
  return entry.kind === 'success' && entry.state !== undefined;
}

function replacesBase({ entry }: ReadEntry): boolean {
  return entry.kind === 'write' || entry.kind === 'rebuilt-base-state';
}

/** Returns the entries of a batch that are not stored. Refuses one that contradicts a stored one, or another (400). */
export function freshEntries(
  { entries }: Pick<JournalFacts, 'entries'>,
  batch: readonly ReadEntry[],
): readonly ReadEntry[] {
  const seen = new Map<number, string>();
  return batch.filter(({ text, entry: { sequenceId } }) => {
    const isStored = entries.has(sequenceId);
    const stored = seen.get(sequenceId) ?? entries.get(sequenceId);
    if (stored !== undefined && stored !== text)
      throw new Refusal(400, `Journal entry ${sequenceId} contradicts the one that is stored.`);
    if (isStored || stored !== undefined) return false;
    seen.set(sequenceId, text);
    return true;
  });
}

const OF_BASE = ['removeOld', 'deleteOld', 'pendingReplacementOld'] as const;
const OF_JOURNAL = ['removeNew', 'deleteNew', 'pendingReplacementNew'] as const;

/** Returns the operations of a journal that an entry refers to. */
export function operationsOf({ entry }: ReadEntry): readonly number[] {
  return OF_JOURNAL.map((field) => entry[field]).filter((operation) => operation !== undefined);
}

/** Refuses references that no replay can follow. A failed step is stored whatever it refers to. */
function refuseUnknown(
  read: ReadEntry,
  baseSize: number | undefined,
  isAdded: (operation: number) => boolean,
): void {
  const { entry } = read;
  if (entry.kind === 'begin' || entry.kind === 'failure') return;
  for (const field of OF_BASE) {
    const index = entry[field];
    if (index !== undefined && baseSize !== undefined && index >= baseSize)
      throw new Refusal(
        400,
        `Journal entry ${entry.sequenceId} refers to resource ${index} of a state that has ${baseSize}.`,
      );
  }
  const unknown = operationsOf(read).find((operation) => !isAdded(operation));
  if (unknown !== undefined)
    throw new Refusal(
      400,
      `Journal entry ${entry.sequenceId} refers to operation ${unknown}, which added no resource.`,
    );
}

/** Refuses a new base after an entry about a resource. */
function refuseLateWrite(facts: JournalFacts, fresh: readonly ReadEntry[]): void {
  const write = fresh.find(({ entry }) => entry.kind === 'write')?.entry;
  if (write === undefined) return;
  const before = fresh.some(
    ({ entry }) => entry.sequenceId < write.sequenceId && entry.kind !== 'secrets-manager',
  );
  if (facts.begun || facts.baseSize === undefined || before)
    throw new Refusal(400, `Journal entry ${write.sequenceId} replaces the state after other entries.`);
}
