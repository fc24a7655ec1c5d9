import { performance } from 'node:perf_hooks';
import type { OperationKind } from '@cairn/engine';
import { isAlias } from '../terminal/called-as.js';
import { every, liveScreen } from '../terminal/live-screen.js';
import { paintFor } from '../terminal/paint.js';
import type { CommandContext } from '../command-context.js';
import type { StackFlags } from '../flags/operation.js';
import { stepDiffLines } from './diff/step-diff.js';
import { AnswerDisplay } from './answer-display.js';
import type { CiMarks } from './ci-marks.js';
import type { Display } from './display.js';
import type { ExchangeSteps } from './exchange-steps.js';
import { GatheredDisplay } from './gathered-writes.js';
import { JsonEventLines } from './json-events.js';
import { LiveDisplay } from './live-display.js';
import { OperationView } from './operation-view.js';
import { PassDisplay } from './pass-display.js';
import { pageLine } from './page-line.js';
import { passStyle } from './pass-style.js';
import type { PassStyle } from './pass-style.js';
import { PlainDisplay } from './plain-display.js';
import { PreviewDigest } from './preview-digest.js';
import { ResultLine } from './result-line.js';
import type { RowModel } from './rows.js';

/** Facts about the operation for the display. */
interface ShownOperation {
  readonly kind: OperationKind;
  /** Replaces the title by kind. */
  readonly title?: string;
  readonly flags: StackFlags;
  /** Steps of the pass in the exchange format. */
  readonly exchange: ExchangeSteps;
  /** Marks of the CI system for the log. */
  readonly marks?: CiMarks | undefined;
  /** True if changes are kept, for files about them. */
  readonly keepsChanges?: boolean | undefined;
  /** Number of resources that an earlier pass has seen. */
  readonly expected?: number | undefined;
  /** Address of the page of its change, if there is one. */
  readonly page?: string | undefined;
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
  const style = passStyle(context, operation, which);
  const { form, planning, listing, unicode } = style;
  // A person who is asked after a preview can look at the details.
  const keepsChanges = operation.keepsChanges === true || (planning && context.terminal.interactive);
  const view = new OperationView({
    ...{ listing, keepsChanges, cwd: context.cwd, unicode },
    keepsRows: keepsChanges || form === 'text',
  });
  if (form !== 'text') return new PassDisplay(dataDisplay(context, operation, style), view, style);
  writeTitle(context, operation, stack, which);
  const shown = style.live ? liveTree : plainLines;
  return new PassDisplay(shown(context, operation, style, view.rows), view, style);
}

/** Returns the display of a pass whose output is for programs. */
function dataDisplay(
  context: CommandContext,
  { kind, flags, exchange, page }: ShownOperation,
  style: PassStyle,
): Display {
  const { showSecrets } = style;
  const showSames = flags.showSames === true;
  const toStderr = (text: string): void => void context.stderr.write(text);
  if (style.form === 'line') return new AnswerDisplay(new ResultLine(showSames), toStderr, style.report);
  if (style.form === 'digest') {
    const showReplacementSteps = flags.showReplacementSteps === true;
    const suppressOutputs = flags.suppressOutputs === true;
    const options = { operation: kind, exchange, showSecrets, showSames, showReplacementSteps };
    return new AnswerDisplay(new PreviewDigest({ ...options, suppressOutputs }), toStderr);
  }
  const options = { showSecrets, operation: kind, exchange, page, internal: false };
  const { now } = context;
  const ours = !isAlias(context);
  return gathered(context, (write) => new JsonEventLines({ ...options, ours, now, write }));
}

function gathered(
  context: CommandContext,
  open: (write: (text: string) => void) => Display,
  closed?: () => void,
): Display {
  return new GatheredDisplay((text) => context.stdout.write(text), open, closed);
}

function writeTitle(
  context: CommandContext,
  { kind, title, flags, marks, page }: ShownOperation,
  stack: string,
  which: 'preview' | 'run',
): void {
  const first = kind !== 'refresh' && flags.refresh ? ', refreshing first' : '';
  const mark = flags.emoji && context.terminal.unicode ? EMOJIS[which] : '';
  const text = `${mark}${title ?? TITLES[kind][which]} (${stack})${first}:`;
  const link = pageLine(page, flags);
  if (marks === undefined) {
    context.stdout.write(`${paintFor(context.terminal.colour).bold(text)}\n${link}`);
    return;
  }
  // A log folds what is between its marks.
  context.stdout.write(link);
  context.raw.stdout.write(marks.open(text));
}

function liveTree(
  context: CommandContext,
  { kind, expected }: ShownOperation,
  { report, unicode, planning, showSecrets, listing }: PassStyle,
  rows: RowModel,
): Display {
  const { paint } = report;
  return new LiveDisplay({
    ...report,
    screen: liveScreen(context.raw.stdout, context.env),
    ...{ rows, unicode, urns: listing.urns, planning, expected, every },
    nowMs: () => performance.now(),
    detailsOf: (row) =>
      !planning && kind === 'refresh' && row.step.kind === 'refresh'
        ? stepDiffLines(row.step, { paint, showSecrets, unicode })
        : [],
  });
}

function plainLines(
  context: CommandContext,
  { flags, marks }: ShownOperation,
  { report, listing, unicode, brief, showSecrets, planning, columns }: PassStyle,
  rows: RowModel,
): Display {
  const options = {
    ...report,
    ...{ rows, listing, unicode, brief, showSecrets, planning, every },
    diff: flags.diff === true,
    diffColumns: columns,
    suppressProgress: flags.suppressProgress === true,
    full: flags.showFullOutput === true,
    showReplacementSteps: flags.showReplacementSteps === true,
    nowMs: () => performance.now(),
  };
  const closed = marks && (() => void context.raw.stdout.write(marks.close()));
  return gathered(context, (write) => new PlainDisplay({ ...options, write }), closed);
}
