import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import { KEPT_CHANGES, keptChange, movedFrom } from './kept-change.js';
import type { KeptChange } from './kept-change.js';
import { STEP_KINDS, isInternalStep } from '@cairn/engine';
import type { EngineEvent, Reason, StepKind, StepView } from '@cairn/engine';
import { STEP_MARKS, STEP_PHRASES } from '@cairn/engine/words';

/** Status of a resource in the display. */
type RowStatus = 'planned' | 'running' | 'done' | 'failed';

/** One resource in the display: the sum of its steps so far. */
export interface Row {
  readonly urn: Urn;
  readonly type: string;
  readonly name: string;
  readonly parent: Urn | undefined;
  /** The kind of its most significant step: a replacement is one row. */
  readonly kind: StepKind;
  readonly status: RowStatus;
  /** The step that runs or ended last. */
  readonly step: StepView;
  /** Reason for {@link kind}. A replaced object is deleted because of its replacement. */
  readonly reason: Reason;
  readonly startedMs: number;
  readonly elapsedMs: number;
  /** Change to the resource though its object stays the same. */
  readonly kept: KeptChange | undefined;
  /** Previous place, in words; empty if it did not move. */
  readonly was: string;
  /** Last message about it. */
  readonly message: string;
  /** True if a step failed and the state of the object is unknown. */
  readonly inDoubt: boolean;
  /** Position in the order of first appearance, from 0. */
  readonly order: number;
  /** True if the step that runs or ended last undoes another one. */
  readonly undo: boolean;
}

/** Rows by URN in order of first appearance. {@link RowModel} replaces rows and does not change them. */
export interface Rows {
  readonly byUrn: ReadonlyMap<Urn, Row>;
}

/** Significance of a kind for a resource, least first. A later kind of a higher rank names the row. */
const RANK: Record<StepKind, number> = {
  same: 0,
  refresh: 1,
  'remove-pending-replace': 2,
  'read-discard': 3,
  'discard-replaced': 3,
  read: 4,
  delete: 5,
  update: 6,
  create: 7,
  import: 7,
  'delete-replaced': 8,
  'read-replacement': 8,
  'create-replacement': 9,
  'import-replacement': 9,
  replace: 10,
};

/** Rows that have a line besides the changed ones, and their names. */
export interface Listing {
  /** True to list unchanged resources. */
  readonly showSames?: boolean | undefined;
  /** True to list resources that are read. */
  readonly showReads?: boolean | undefined;
  /** True if rows are named by their URNs. */
  readonly urns?: boolean | undefined;
}

/**
 * The rows of an operation, kept up to date event by event. A map is changed in place because an operation may have
 * 100,000 rows; readers copy the data they need at once.
 */
export class RowModel implements Rows {
  readonly #listing: Listing;
  readonly byUrn = new Map<Urn, Row>();
  /** URNs of running rows. */
  readonly running = new Set<Urn>();
  /** URNs of failed rows. */
  readonly failed = new Set<Urn>();
  /** URNs of rows that have a line ({@link isListed}). */
  readonly listed = new Set<Urn>();
  /** Number of rows that have ended, including planned ones. The engine's internal steps do not count. */
  settled = 0;

  constructor(listing: Listing = {}) {
    this.#listing = listing;
  }

  /** Returns the name of a row. */
  nameOf(urn: Urn): string {
    return this.#listing.urns === true ? urn : urnName(urn);
  }

  /** Applies an event; returns the row it changed. */
  apply(event: EngineEvent, nowMs: number): Row | undefined {
    switch (event.t) {
      case 'step-started':
        return this.#put(event, 'running', nowMs, 0);
      case 'step-ended':
        return this.#put(event, event.planning ? 'planned' : 'done', nowMs, event.elapsedMs);
      case 'step-failed':
        return this.#put(event, 'failed', nowMs, event.elapsedMs);
      case 'diagnostic':
        return this.#message(event.diagnostic);
      case 'prelude':
      case 'debugging-started':
      case 'policies-loading':
      case 'policy-violation':
      case 'policy-remediation':
      case 'policy-summary':
      case 'outputs':
      case 'program-output':
      case 'summary':
        return undefined;
    }
  }

  /** Applies a step. A step that undoes another one names the row from then on. */
  #put(event: StepEvent, status: RowStatus, nowMs: number, elapsedMs: number): Row {
    const { step } = event;
    const undo = event.undo === true;
    const before = this.byUrn.get(step.urn);
    const turned = undo && before?.undo === false;
    const outranks =
      before === undefined || turned || before.kind === 'same' || RANK[step.kind] >= RANK[before.kind];
    const row: Row = {
      urn: step.urn,
      type: step.type,
      name: this.nameOf(step.urn),
      parent: (step.new ?? step.old)?.parent,
      kind: isTurnedBack(before, event) ? 'replace' : outranks ? displayedKind(step) : before.kind,
      status: before?.status === 'failed' && !turned ? 'failed' : status,
      step,
      reason: outranks ? step.reason : before.reason,
      kept: keptChange(step),
      was: movedFrom(step) || (before?.was ?? ''),
      startedMs: status === 'running' ? nowMs : (before?.startedMs ?? nowMs),
      elapsedMs: (before?.status === 'running' ? 0 : (before?.elapsedMs ?? 0)) + elapsedMs,
      message: turned ? '' : (before?.message ?? ''),
      inDoubt: isInDoubt(event) || (before?.inDoubt === true && !undo),
      order: before?.order ?? this.byUrn.size,
      undo,
    };
    this.byUrn.set(step.urn, row);
    this.settled += Number(isSettled(row)) - Number(before !== undefined && isSettled(before));
    note(this.failed, row, row.status === 'failed');
    note(this.listed, row, isListed(row, this.#listing));
    if (status === 'running') this.running.add(step.urn);
    else this.running.delete(step.urn);
    return row;
  }

  /** Applies a message, unless it only helps to find faults in a provider. */
  #message({ severity, urn, summary }: Diagnostic): Row | undefined {
    const before = urn === undefined ? undefined : this.byUrn.get(urn);
    if (before === undefined || severity === 'debug') return undefined;
    const [first = ''] = summary.split('\n', 1);
    // The row already has the name.
    const row = { ...before, message: first.replaceAll(before.urn, before.name) };
    this.byUrn.set(row.urn, row);
    return row;
  }
}

function note(set: Set<Urn>, { urn }: Row, belongs: boolean): void {
  if (belongs) set.add(urn);
  else set.delete(urn);
}

function isSettled({ status, step }: Row): boolean {
  return status !== 'running' && !isInternalStep(step);
}

function isInDoubt(event: StepEvent): boolean {
  return event.t === 'step-failed' && event.inDoubt;
}

/** An event about a step. */
export type StepEvent = Extract<EngineEvent, { t: 'step-started' | 'step-ended' | 'step-failed' }>;

const STATUS_OF = {
  'step-started': 'running',
  'step-ended': 'done',
  'step-failed': 'failed',
} satisfies Record<StepEvent['t'], RowStatus>;

/** Returns the row with the effect of its last step only, for output that reports step after step. Not for plans. */
export function asOfStep(row: Row, event: StepEvent): Row {
  const { t, step } = event;
  return {
    ...row,
    kind: displayedKind(step),
    status: STATUS_OF[t],
    reason: step.reason,
    elapsedMs: t === 'step-started' ? 0 : event.elapsedMs,
    inDoubt: isInDoubt(event),
    undo: event.undo === true,
  };
}

/**
 * Tells whether the undo of a replacement restores the old object in place of the new one: two undo steps in one row.
 */
function isTurnedBack(before: Row | undefined, { step, undo }: StepEvent): boolean {
  if (before?.undo !== true || undo !== true) return false;
  if (before.kind === 'replace') return true;
  return (
    (before.kind === 'create' && step.kind === 'delete') ||
    (before.kind === 'delete' && step.kind === 'create')
  );
}

/** Returns the kind to display. A refresh shows the change it found. */
function displayedKind(step: StepView): StepKind {
  if (step.kind !== 'refresh') return step.kind;
  return step.refreshResult === undefined || step.refreshResult === 'same' ? 'refresh' : step.refreshResult;
}

/**
 * Tells whether the row deserves a line: its resource changes, it failed, or the listing includes it. The engine's
 * internal steps have one only if they failed.
 */
export function isListed(row: Row, { showSames = false, showReads = false }: Listing = {}): boolean {
  if (row.status === 'failed') return true;
  if (isInternalStep(row.step)) return false;
  if (row.undo) return true;
  if (row.kind === 'read') return showReads;
  if (row.kind === 'same') return showSames || row.kept !== undefined;
  return showSames || row.kind !== 'refresh';
}

/** Returns the words for an undo step, with its effect on the object. */
function undoText({ kind, status, step }: Row): string {
  const { plan, done } = STEP_PHRASES[kind];
  const doing = STEP_KINDS[step.kind].presentParticiple;
  switch (status) {
    case 'planned':
      return `undo: ${plan}`;
    case 'running':
      return `undoing: ${doing}`;
    case 'done':
      return `undone: ${done}`;
    case 'failed':
      return `**undoing failed**: ${doing}`;
  }
}

/** Tells whether the step only forgets an object and leaves it in place: a retained object is never deleted. */
export function isRetained({ kind, old }: StepView): boolean {
  if (kind !== 'delete' && kind !== 'delete-replaced') return false;
  return old?.retainOnDelete === true && old.custom && !old.external;
}

const RETAINED = {
  planned: 'retain',
  running: 'retaining',
  done: 'retained',
} satisfies Record<Exclude<RowStatus, 'failed'>, string>;

/** Returns the words for a row's status: present participle while running, past tense when done [CLI-12]. */
export function statusText(row: Row): string {
  if (row.undo) return undoText(row);
  const words = STEP_PHRASES[row.step.kind];
  if (row.kind === 'same' && row.kept !== undefined && row.status !== 'failed')
    return KEPT_CHANGES[row.kept][row.status === 'done' ? 'done' : 'plan'];
  if (row.status !== 'failed' && row.kind === row.step.kind && isRetained(row.step))
    return row.kind === 'delete' ? RETAINED[row.status] : `${RETAINED[row.status]} original`;
  switch (row.status) {
    case 'running':
      return STEP_KINDS[row.step.kind].presentParticiple;
    case 'planned':
      return STEP_PHRASES[row.kind].plan;
    case 'done':
      return row.kind === row.step.kind ? words.done : STEP_PHRASES[row.kind].done;
    case 'failed':
      return `**${STEP_KINDS[row.step.kind].presentParticiple} failed**`;
  }
}

/** Returns the mark in front of a row. Forgetting an object has a mark other than deleting it. */
export function glyphOf(row: Row): string {
  if (row.kind === 'same' && row.kept !== undefined) return KEPT_CHANGES[row.kept].glyph;
  return row.kind === row.step.kind && isRetained(row.step) ? '< ' : STEP_MARKS[row.kind];
}
