import { cairnError } from '@cairn/diagnostics';
import type { OperationKind } from '@cairn/engine';
import type { Flags } from '../command-spec.js';
import { isAlias } from '../terminal/called-as.js';
import { isTruthy } from '../terminal/manners.js';
import { chooseOne, needsAnswer } from '../terminal/prompt.js';
import type { World } from '../world.js';
import type { PassDisplay } from '../display/open-display.js';

const NAMES: Readonly<Record<OperationKind, string>> = {
  up: 'update',
  destroy: 'destroy',
  refresh: 'refresh',
  import: 'import',
  rollback: 'rollback',
  resolve: 'resolution',
};

/** Whether the question is answered already, by flag or variable [CLI-3]. */
export function isConfirmed({ env }: World, flags: Flags): boolean {
  return (
    (flags.has('yes') && flags.on('yes')) ||
    isTruthy(env['CAIRN_SKIP_CONFIRMATIONS'] ?? env['PULUMI_SKIP_CONFIRMATIONS'])
  );
}

/** Whether nobody has to be asked: whoever leaves the preview out has decided already. */
export function isAgreed(world: World, flags: Flags): boolean {
  return isConfirmed(world, flags) || (flags.has('skip-preview') && flags.on('skip-preview'));
}

/** Nobody can be asked: the flag that answers must be there before anything is locked or planned. */
export function refuseUnconfirmed(world: World, flags: Flags, what = 'this changes resources'): void {
  if (world.terminal.interactive || isAgreed(world, flags)) return;
  const others = ['skip-preview', 'preview-only'].filter((name) => flags.has(name));
  const flag = ['--yes', ...others.map((name) => `--${name}`)].join(' or ');
  // Scripts that know the other tool compare this text.
  if (isAlias(world))
    throw cairnError(
      'CAIRN-NEEDS-CONFIRMATION',
      `${flag} must be passed in to proceed when running in non-interactive mode`,
    );
  throw needsAnswer(`${what} and needs a confirmation`, flag);
}

/** Asks after a preview, unless it is answered already. Details show every changed property and ask again [CLI-11]. */
export async function confirmed(
  world: World,
  flags: Flags,
  display: Pick<PassDisplay, 'details'>,
  kind: OperationKind,
): Promise<boolean> {
  if (isConfirmed(world, flags)) return true;
  for (;;) {
    const answer = await chooseOne(
      world,
      `Do you want to perform this ${NAMES[kind]}?`,
      [
        { value: 'yes', label: 'yes' },
        { value: 'no', label: 'no' },
        { value: 'details', label: 'details', hint: 'every changed property' },
      ] as const,
      'no',
    );
    if (answer !== 'details') return answer === 'yes';
    world.stdout.write(`${display.details().join('\n')}\n\n`);
  }
}
