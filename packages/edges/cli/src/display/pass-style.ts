import type { OperationKind } from '@cairn/engine';
import { isAlias } from '../terminal/called-as.js';
import { reportStyle } from '../terminal/report.js';
import type { ReportStyle } from '../terminal/report.js';
import { terminalColumns } from '../terminal/terminal-size.js';
import type { CommandContext } from '../command-context.js';
import type { StackFlags } from '../flags/operation.js';
import { answerForm } from './answer-form.js';
import type { AnswerForm } from './answer-form.js';
import type { Listing } from './rows.js';

/** Style of a pass, chosen once from the terminal, the flags and the kind of operation. */
export interface PassStyle {
  readonly form: AnswerForm;
  readonly planning: boolean;
  /** True for a live tree on a terminal. */
  readonly live: boolean;
  /** True if errors are only named when they happen. */
  readonly brief: boolean;
  /** True if doubts are reported at the end only. */
  readonly holdsDoubts: boolean;
  readonly listing: Listing;
  readonly showSecrets: boolean;
  readonly unicode: boolean;
  /** Width of the terminal for rows and differences. Undefined if there is none. */
  readonly columns: number | undefined;
  readonly report: ReportStyle;
}

/** Chooses the style of a pass. Throws CAIRN-USAGE if the flags contradict each other. */
export function passStyle(
  context: CommandContext,
  { kind, flags }: { readonly kind: OperationKind; readonly flags: StackFlags },
  which: 'preview' | 'run',
): PassStyle {
  const { redraw, unicode, interactive } = context.terminal;
  const planning = which === 'preview';
  const inLines = flags.diff || flags.showReplacementSteps;
  const live = redraw && !inLines;
  return {
    form: answerForm(context, flags, which),
    planning,
    live,
    // Scripts written for the other tool look for the whole text of an error when it happens. An operation without a
    // list of failures at its end would otherwise report nothing until then.
    brief: live || (!isAlias(context) && kind !== 'resolve'),
    holdsDoubts: !planning && !interactive,
    listing: {
      showSames: flags.showSames === true,
      showReads: flags.showReads === true,
      urns: flags.urns === true,
    },
    showSecrets: flags.showSecrets === true,
    unicode,
    columns: redraw ? terminalColumns(context.stdout, context.env) - 1 : undefined,
    report: reportStyle(context),
  };
}
