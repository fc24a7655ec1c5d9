import { cairnError } from '@cairn/diagnostics';
import type { OperationKind } from '@cairn/engine';
import type { StackFlags } from '../flags/operation.js';
import { isAlias } from '../terminal/called-as.js';
import { isTruthy } from '../terminal/terminal-capabilities.js';
import { chooseOne, needsAnswer } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';
import type { PassDisplay } from '../display/pass-display.js';

const NAMES: Readonly<Record<OperationKind, string>> = {
  up: 'update',
  destroy: 'destroy',
  refresh: 'refresh',
  import: 'import',
  rollback: 'rollback',
  resolve: 'resolution',
};

/** Tells whether a flag or variable already answers the question [CLI-3]. */
export function isConfirmed({ env }: CommandContext, flags: StackFlags): boolean {
  return flags.yes === true || isTruthy(env['CAIRN_SKIP_CONFIRMATIONS'] ?? env['PULUMI_SKIP_CONFIRMATIONS']);
}

/** Tells whether no question is needed: a user who skips the preview has already decided. */
export function isAgreed(context: CommandContext, flags: StackFlags): boolean {
  return isConfirmed(context, flags) || flags.skipPreview === true;
}

/**
 * Refuses a command that needs an answer but has no terminal. The flag that answers must be given before anything is
 * locked or planned.
 */
export function refuseUnconfirmed(
  context: CommandContext,
  flags: StackFlags,
  what = 'this changes resources',
): void {
  if (context.terminal.interactive || flags.ask || isAgreed(context, flags)) return;
  const flag = [
    '--yes',
    ...('skipPreview' in flags ? ['--skip-preview'] : []),
    ...('previewOnly' in flags ? ['--preview-only'] : []),
  ].join(' or ');
  // Scripts written for the other tool compare this text.
  if (isAlias(context))
    throw cairnError(
      'CAIRN-NEEDS-CONFIRMATION',
      `${flag} must be passed in to proceed when running in non-interactive mode`,
    );
  throw needsAnswer(`${what} and needs a confirmation`, flag);
}

/**
 * Asks after a preview, unless the question is already answered. Details show every changed property and ask again
 * [CLI-11].
 */
export async function confirmed(
  context: CommandContext,
  flags: StackFlags,
  display: Pick<PassDisplay, 'details'>,
  kind: OperationKind,
): Promise<boolean> {
  if (isConfirmed(context, flags)) return true;
  for (;;) {
    const answer = await chooseOne(
      context,
      `Do you want to perform this ${NAMES[kind]}?`,
      [
        { value: 'yes', label: 'yes' },
        { value: 'no', label: 'no' },
        { value: 'details', label: 'details', hint: 'every changed property' },
      ] as const,
      'no',
    );
    if (answer !== 'details') return answer === 'yes';
    context.stdout.write(`${display.details().join('\n')}\n\n`);
  }
}
