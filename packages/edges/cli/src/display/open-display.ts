import { performance } from 'node:perf_hooks';
import { urnName } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineEvent, OperationKind } from '@cairn/engine';
import { isAlias } from '../terminal/called-as.js';
import { formatDuration } from '../terminal/duration.js';
import { every, liveScreen } from '../terminal/live-screen.js';
import {
  countDiagnostics,
  diagnosticKey,
  diagnosticLines,
  fittedLines,
  reportStyle,
} from '../terminal/report.js';
import { terminalColumns } from '../terminal/terminal-size.js';
import type { CommandContext } from '../command-context.js';
import type { Flags } from '../command-spec.js';
import type { DiffStyle } from './diff/change-lines.js';
import { stepDiffLines } from './diff/step-diff.js';
import { answerForm } from './answer-form.js';
import { ChangedSteps } from './changed-steps.js';
import type { CiMarks } from './ci-marks.js';
import type { Display } from './display.js';
import { gatheredWrites } from './gathered-writes.js';
import { jsonEventLines } from './json-events.js';
import { liveDisplay } from './live-display.js';
import { plainDisplay } from './plain-display.js';
import { PolicySection } from './policy-section.js';
import { WrittenTree, inTreeOrder, plainLine } from './row-line.js';
import type { Row } from './rows.js';
import { RunningTally } from './tally.js';

/** Data that a display records during a phase. */
interface ShownPhase {
  /**
   * Every event of the phase. They are kept only for previews, whose digest and details are made from them, and for the
   * one line at the end.
   */
  readonly events: readonly EngineEvent[];
  /** Returns every change with its properties, for a closer look before confirming. */
  details(): readonly string[];
  /** Returns every changed resource, once; empty for a run about which no files are written. */
  changes(): ReturnType<ChangedSteps['all']>;
  /** Returns every resource that had a step, including unchanged ones; for a run see {@link changes}. */
  resources(): Iterable<Row>;
  /** Returns the results of policy packs; empty without any. `cut` is true if the pass did not complete. */
  policies(cut: boolean): readonly string[];
  /** Returns the running steps with their durations, e.g. `create index (12s)`. */
  running(): readonly string[];
  /** Errors that were only named, and must be reported in full at the end. */
  readonly untold: readonly Diagnostic[];
  /** Keys of errors that were reported in full when they happened. */
  readonly told: ReadonlySet<string>;
  /** Warnings about steps in doubt. They are held back if the end reports the waiting tasks with their commands. */
  readonly doubts: readonly Diagnostic[];
  /** Facts that the summary's counts do not contain. */
  readonly tally: RunningTally;
}

/** A display with the data that it recorded during its pass. */
export type PassDisplay = Display &
  ShownPhase & {
    /**
     * Reports that the operation ended without a result, because it could not continue. This is the only report of its
     * errors in full.
     */
    failed(message: string): void;
  };

/** Facts about the operation for the display. */
interface ShownOperation {
  readonly kind: OperationKind;
  /** Replaces the title by kind. */
  readonly title?: string;
  readonly flags: Flags;
  /** Marks of the CI system for the log. */
  readonly marks?: CiMarks | undefined;
  /** True if changes are kept, for files about them. */
  readonly keepsChanges?: boolean | undefined;
  /** Number of resources that an earlier pass has seen. */
  readonly expected?: number | undefined;
}

export const TITLES = {
  up: { preview: 'Previewing update', run: 'Updating' },
  destroy: { preview: 'Previewing destroy', run: 'Destroying' },
  refresh: { preview: 'Previewing refresh', run: 'Refreshing' },
  import: { preview: 'Previewing import', run: 'Importing' },
  rollback: { preview: 'Previewing rollback', run: 'Rolling back' },
  resolve: { preview: 'Previewing resolution', run: 'Resolving' },
} as const satisfies Record<OperationKind, Record<'preview' | 'run', string>>;

const EMOJIS = { preview: '🔍 ', run: '🚀 ' } as const;

/** Chooses the display: JSON, a live tree on a terminal, or plain lines. Writes the title. */
export function openDisplay(
  context: CommandContext,
  operation: ShownOperation,
  stack: string,
  which: 'preview' | 'run',
): PassDisplay {
  const { flags } = operation;
  const events: EngineEvent[] = [];
  const policies = new PolicySection(context.cwd, context.terminal.unicode);
  const tally = new RunningTally();
  const running = new Map<string, RunningStep>();
  const listing = { showReads: flags.on('show-reads'), urns: flags.on('urns') };
  const changed = new ChangedSteps(listing);
  const marks = operation.marks;
  const untold: Diagnostic[] = [];
  const told = new Set<string>();
  const doubts: Diagnostic[] = [];
  const style = reportStyle(context);
  const { paint } = style;
  const columns = context.terminal.redraw ? terminalColumns(context.stdout, context.env) - 1 : undefined;
  const planning = which === 'preview';
  const form = answerForm(context, flags, which);
  const showSecrets = flags.on('show-secrets');
  const inLines = flags.on('diff') || flags.on('show-replacement-steps');
  const live = context.terminal.redraw && !inLines;
  // Scripts written for the other tool look for the whole text of an error when it happens. An operation without a list
  // of failures at its end would otherwise report nothing until then.
  const brief = live || (!isAlias(context) && operation.kind !== 'resolve');
  const inner = choose();
  return {
    events,
    tally,
    event(event) {
      if (planning || form === 'line') events.push(event);
      policies.take(event);
      tally.take(event);
      if (!planning && operation.keepsChanges === true) changed.take(event);
      noteRunning(running, event);
      if (form === 'text' && isError(event)) {
        if (brief) untold.push(event.diagnostic);
        else told.add(diagnosticKey(event.diagnostic));
      }
      if (form === 'text' && !planning && !context.terminal.interactive && isDoubt(event))
        doubts.push(event.diagnostic);
      else inner.event(event);
    },
    untold,
    told,
    doubts,
    failed(message) {
      for (const { diagnostic, count } of countDiagnostics([...doubts.splice(0), ...untold.splice(0)]))
        for (const line of diagnosticLines(diagnostic, count, style)) inner.say(line);
      if (form === 'text') return style.debug ? inner.say(`    ${message}`) : undefined;
      if (inner.failed === undefined) inner.event(debugMessage(message));
      else inner.failed(message);
    },
    say: (line) => inner.say(line),
    stopping: () => inner.stopping?.(),
    close: () => inner.close(),
    changes: () => (planning ? changesOf(events, listing) : changed).all(),
    resources: () => (planning ? changesOf(events, listing) : changed).rows.byUrn.values(),
    policies: (cut) => policies.lines(paint, cut),
    running: () =>
      [...running.values()].map(
        ({ name, sinceMs }) => `${name} (${formatDuration(performance.now() - sinceMs)})`,
      ),
    details: () =>
      detailsOf(
        changesOf(events, listing),
        { paint, showSecrets, unicode: context.terminal.unicode },
        columns,
      ),
  };

  function choose(): Display {
    if (form === 'digest') return silent(context);
    if (form === 'line') return faultsOnly(context);
    if (form === 'events') {
      const style = { showSecrets, operation: operation.kind, internal: false, now: context.now };
      const ours = !isAlias(context);
      return gathered((write) => jsonEventLines({ ...style, ours, write }));
    }
    const first = operation.kind !== 'refresh' && flags.on('refresh') ? ', refreshing first' : '';
    const mark = flags.on('emoji') && context.terminal.unicode ? EMOJIS[which] : '';
    const title = `${mark}${operation.title ?? TITLES[operation.kind][which]} (${stack})${first}:`;
    if (marks === undefined)
      context.stdout.write(`${paint.bold(title)}
`);
    else context.raw.stdout.write(marks.open(title));
    const common = {
      ...style,
      showSames: flags.on('show-sames'),
      ...listing,
      suppressProgress: flags.on('suppress-progress'),
      full: flags.on('show-full-output'),
      showReplacementSteps: flags.on('show-replacement-steps'),
      nowMs: () => performance.now(),
      every,
    };
    if (live) {
      return liveDisplay({
        ...common,
        screen: liveScreen(context.raw.stdout, context.env),
        unicode: context.terminal.unicode,
        planning,
        expected: operation.expected,
        detailsOf: (row) =>
          !planning && operation.kind === 'refresh' && row.step.kind === 'refresh'
            ? stepDiffLines(row.step, { paint, showSecrets, unicode: context.terminal.unicode })
            : [],
      });
    }
    return gathered(
      (write) =>
        plainDisplay({
          ...common,
          write,
          unicode: context.terminal.unicode,
          diff: flags.on('diff'),
          diffColumns: columns,
          brief,
          showSecrets,
          planning,
        }),
      true,
    );
  }

  /** Gathers lines about events into few writes. Messages and the end are written at once. */
  function gathered(open: (write: (text: string) => void) => Display, marked = false): Display {
    const writes = gatheredWrites((text) => context.stdout.write(text));
    const display = open(writes.write);
    return {
      event: display.event,
      say(line) {
        display.say(line);
        writes.flush();
      },
      close() {
        display.close();
        writes.flush();
        if (marked && marks !== undefined) context.raw.stdout.write(marks.close());
      },
    };
  }
}

function debugMessage(summary: string): EngineEvent {
  const diagnostic = { severity: 'debug', code: 'CAIRN-INTERNAL', summary } as const;
  return { t: 'diagnostic', diagnostic, streamId: 0, ephemeral: false };
}

/** Tells whether an event is an error that remains; ephemeral ones are shown only while they last. */
function isError(event: EngineEvent): event is Extract<EngineEvent, { t: 'diagnostic' }> {
  return event.t === 'diagnostic' && !event.ephemeral && event.diagnostic.severity === 'error';
}

function isDoubt(event: EngineEvent): event is Extract<EngineEvent, { t: 'diagnostic' }> {
  return (
    event.t === 'diagnostic' &&
    event.diagnostic.severity === 'warning' &&
    event.diagnostic.code === 'CAIRN-IN-DOUBT'
  );
}

interface RunningStep {
  readonly name: string;
  readonly sinceMs: number;
}

/** Records the running steps, by kind and URN. */
function noteRunning(running: Map<string, RunningStep>, event: EngineEvent): void {
  if (event.t !== 'step-started' && event.t !== 'step-ended' && event.t !== 'step-failed') return;
  const { kind, urn } = event.step;
  const key = `${kind} ${urn}`;
  const name = `${kind} ${urnName(urn)}`;
  if (event.t === 'step-started') running.set(key, { name, sinceMs: performance.now() });
  else running.delete(key);
}

/** Returns a display that shows only messages about interrupts and faults, on stderr. */
function silent(context: CommandContext): Display {
  return { event: () => undefined, say: (line) => context.stderr.write(`${line}\n`), close: () => undefined };
}

/** Returns a display that reports errors on stderr, because the line at the end has no room for them. */
function faultsOnly(context: CommandContext): Display {
  const style = reportStyle(context);
  return {
    ...silent(context),
    event(event) {
      if (event.t !== 'diagnostic' || event.ephemeral) return;
      const { severity } = event.diagnostic;
      if (severity !== 'error' && severity !== 'warning') return;
      context.stderr.write(`${diagnosticLines(event.diagnostic, 1, style).join('\n')}\n`);
    },
  };
}

function changesOf(
  events: readonly EngineEvent[],
  listing: ConstructorParameters<typeof ChangedSteps>[0],
): ChangedSteps {
  const changed = new ChangedSteps(listing);
  for (const event of events) changed.take(event);
  return changed;
}

/** Describes every changed resource, once: the total effect of its steps, and the differences. */
function detailsOf(changed: ChangedSteps, style: DiffStyle, columns: number | undefined): readonly string[] {
  const tree = new WrittenTree();
  return inTreeOrder(changed.all(), changed.rows).flatMap(({ row, step }) => {
    const indent = tree.indent(row, changed.rows);
    return [
      plainLine(row, indent, style.paint, true),
      ...stepDiffLines(step, style).flatMap((text) => fittedLines(`${indent}${text}`, columns)),
    ];
  });
}
