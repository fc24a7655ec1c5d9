import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import { KEPT_CHANGES, keptChange, movedFrom } from './kept-change.js';
import type { KeptChange } from './kept-change.js';
import { STEP_KINDS, isInternalStep } from '@cairn/engine';
import type { EngineEvent, Reason, StepKind, StepView } from '@cairn/engine';

/** Where a resource stands in the display. */
type RowStatus = 'planned' | 'running' | 'done' | 'failed';

/** One resource as the display shows it: the sum of its steps so far. */
export interface Row {
  readonly urn: Urn;
  readonly type: string;
  readonly name: string;
  readonly parent: Urn | undefined;
  /** The kind that says most about what happens to it: a replacement is one row. */
  readonly kind: StepKind;
  readonly status: RowStatus;
  /** The step that runs or ended last. */
  readonly step: StepView;
  /** Why {@link kind} happens: a replaced object goes because of what replaced it. */
  readonly reason: Reason;
  readonly startedMs: number;
  readonly elapsedMs: number;
  /** What changes though its object stays as it is. */
  readonly kept: KeptChange | undefined;
  /** Where it was before, in words; empty where it was there already. */
  readonly was: string;
  /** Last message about it. */
  readonly message: string;
  /** It ended without certainty about the object. */
  readonly inDoubt: boolean;
  /** Place in the order of first appearance, from 0. */
  readonly order: number;
  /** The step that runs or ended last undoes what another one has done. */
  readonly undo: boolean;
}

/** Rows by URN in order of first appearance. Replaced, not changed, by {@link applyEvent}. */
export interface Rows {
  readonly byUrn: ReadonlyMap<Urn, Row>;
}

/** How much a kind says about a resource, least first; a later kind of a higher rank names the row. */
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

/** What has a line besides what changes. */
interface Listing {
  /** What stays as it is. */
  readonly showSames?: boolean | undefined;
  /** What is read. */
  readonly showReads?: boolean | undefined;
}

/**
 * The rows of an operation, kept up to date event by event. A map is kept and changed in place because an operation may
 * have 100,000 rows; readers take what they need at once.
 */
export class RowModel implements Rows {
  /** `urns`: rows are called by their URNs. */
  constructor(private readonly options: Listing & { readonly urns?: boolean | undefined } = {}) {}

  readonly byUrn = new Map<Urn, Row>();
  /** Rows that run now. */
  readonly running = new Set<Urn>();
  /** Rows that have failed. */
  readonly failed = new Set<Urn>();
  /** Rows that have a line ({@link isListed}). */
  readonly listed = new Set<Urn>();
  /** How many rows have come to an end, planned ones too; what the engine does for itself is left out. */
  settled = 0;

  /** The name that a row has. */
  nameOf(urn: Urn): string {
    return this.options.urns === true ? urn : urnName(urn);
  }

  /** Takes an event in; returns the row it changed. */
  apply(event: EngineEvent, nowMs: number): Row | undefined {
    switch (event.t) {
      case 'step-started':
        return this.put(event, 'running', nowMs, 0);
      case 'step-ended':
        return this.put(event, event.planning ? 'planned' : 'done', nowMs, event.elapsedMs);
      case 'step-failed':
        return this.put(event, 'failed', nowMs, event.elapsedMs);
      case 'diagnostic':
        return this.message(event.diagnostic);
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

  /** A step that takes another one back names the row from then on. */
  private put(event: StepEvent, status: RowStatus, nowMs: number, elapsedMs: number): Row {
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
    note(this.listed, row, isListed(row, this.options));
    if (status === 'running') this.running.add(step.urn);
    else this.running.delete(step.urn);
    return row;
  }

  /** What is said to find faults in a provider is no news of the resource. */
  private message({ severity, urn, summary }: Diagnostic): Row | undefined {
    const before = urn === undefined ? undefined : this.byUrn.get(urn);
    if (before === undefined || severity === 'debug') return undefined;
    const [first = ''] = summary.split('\n', 1);
    // The row has the name already.
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

/** An event that tells of a step. */
export type StepEvent = Extract<EngineEvent, { t: 'step-started' | 'step-ended' | 'step-failed' }>;

const STATUS_OF = {
  'step-started': 'running',
  'step-ended': 'done',
  'step-failed': 'failed',
} satisfies Record<StepEvent['t'], RowStatus>;

/** The row as its last step alone makes it, for output that tells step after step. Not for plans. */
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

/** Whether the undo of a replacement puts the old object in the place of the new one: two steps back, in one row. */
function isTurnedBack(before: Row | undefined, { step, undo }: StepEvent): boolean {
  if (before?.undo !== true || undo !== true) return false;
  if (before.kind === 'replace') return true;
  return (
    (before.kind === 'create' && step.kind === 'delete') ||
    (before.kind === 'delete' && step.kind === 'create')
  );
}

/** A refresh shows what it found. */
function displayedKind(step: StepView): StepKind {
  if (step.kind !== 'refresh') return step.kind;
  return step.refreshResult === undefined || step.refreshResult === 'same' ? 'refresh' : step.refreshResult;
}

/**
 * Whether the row is worth a line: something happens to the resource, it failed, or the listing asks for it. What the
 * engine does for itself has one only when it failed.
 */
export function isListed(row: Row, { showSames = false, showReads = false }: Listing = {}): boolean {
  if (row.status === 'failed') return true;
  if (isInternalStep(row.step)) return false;
  if (row.undo) return true;
  if (row.kind === 'read') return showReads;
  if (row.kind === 'same') return showSames || row.kept !== undefined;
  return showSames || row.kind !== 'refresh';
}

/** A step back is called so, with what it does to the object. */
function undoText({ kind, status, step }: Row): string {
  const { plan, done } = PHRASES[kind];
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

/** Whether the step only forgets an object that it leaves in place: what is retained is never deleted. */
export function isRetained({ kind, old }: StepView): boolean {
  if (kind !== 'delete' && kind !== 'delete-replaced') return false;
  return old?.retainOnDelete === true && old.custom && !old.external;
}

const RETAINED = {
  planned: 'retain',
  running: 'retaining',
  done: 'retained',
} satisfies Record<Exclude<RowStatus, 'failed'>, string>;

/** Words for a row's status: present participle while running, past tense when done [CLI-12]. */
export function statusText(row: Row): string {
  if (row.undo) return undoText(row);
  const words = PHRASES[row.step.kind];
  if (row.kind === 'same' && row.kept !== undefined && row.status !== 'failed')
    return KEPT_CHANGES[row.kept][row.status === 'done' ? 'done' : 'plan'];
  if (row.status !== 'failed' && row.kind === row.step.kind && isRetained(row.step))
    return row.kind === 'delete' ? RETAINED[row.status] : `${RETAINED[row.status]} original`;
  switch (row.status) {
    case 'running':
      return STEP_KINDS[row.step.kind].presentParticiple;
    case 'planned':
      return PHRASES[row.kind].plan;
    case 'done':
      return row.kind === row.step.kind ? words.done : PHRASES[row.kind].done;
    case 'failed':
      return `**${STEP_KINDS[row.step.kind].presentParticiple} failed**`;
  }
}

/** The mark in front of a row: forgetting an object is not deleting it. */
export function glyphOf(row: Row): string {
  if (row.kind === 'same' && row.kept !== undefined) return KEPT_CHANGES[row.kept].glyph;
  return row.kind === row.step.kind && isRetained(row.step) ? '< ' : GLYPHS[row.kind];
}

/** What a kind is called when it is planned and when it is done. */
export const PHRASES: Record<StepKind, { readonly plan: string; readonly done: string }> = {
  same: { plan: 'unchanged', done: 'unchanged' },
  create: { plan: 'create', done: 'created' },
  update: { plan: 'update', done: 'updated' },
  delete: { plan: 'delete', done: 'deleted' },
  replace: { plan: 'replace', done: 'replaced' },
  'create-replacement': { plan: 'replace', done: 'created replacement' },
  'delete-replaced': { plan: 'delete original', done: 'deleted original' },
  read: { plan: 'read', done: 'read' },
  'read-replacement': { plan: 'read replacement', done: 'read replacement' },
  'read-discard': { plan: 'forget', done: 'forgotten' },
  'discard-replaced': { plan: 'forget original', done: 'forgot original' },
  refresh: { plan: 'refresh', done: 'refreshed' },
  import: { plan: 'import', done: 'imported' },
  'import-replacement': { plan: 'import replacement', done: 'imported replacement' },
  'remove-pending-replace': { plan: 'complete replacement', done: 'completed replacement' },
};

/** The marks of kinds; together with the words, so that colour is never needed. */
export const GLYPHS: Record<StepKind, string> = {
  same: '  ',
  create: '+ ',
  update: '~ ',
  delete: '- ',
  replace: '+-',
  'create-replacement': '++',
  'delete-replaced': '--',
  read: '> ',
  'read-replacement': '>+',
  'read-discard': '< ',
  'discard-replaced': '<-',
  refresh: '~ ',
  import: '= ',
  'import-replacement': '=+',
  'remove-pending-replace': '~ ',
};
