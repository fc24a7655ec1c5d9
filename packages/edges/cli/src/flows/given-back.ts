import { cairnError } from '@cairn/diagnostics';
import type { OpenStack } from '@cairn/operations/stacks';
import { firstGiven } from '../flags/flag-spec.js';
import type { Counts, Switches, Texts } from '../flags/flag-spec.js';
import type { CommandContext } from '../command-context.js';
import { warnOfSecrets } from '../terminal/tell.js';
import { exportedState } from '@cairn/operations/terraform';

/** Flags of an export. */
type ExportFlags = Texts<'to' | 'base'> & Switches<'plain' | 'showSecrets'> & Counts<'version'>;

/** Returns the stack as a state of Terraform, and prints remarks about it. States contain secrets in clear. */
export async function givenBack(
  context: CommandContext,
  flags: ExportFlags,
  stack: OpenStack,
): Promise<Iterable<string>> {
  const to = flags.to;
  if (to !== 'terraform')
    throw cairnError('CAIRN-USAGE', `unknown --to ${to ?? ''}`, { hint: 'Use --to terraform.' });
  const other = firstGiven(flags, ['version', 'plain', 'showSecrets']);
  if (other !== undefined)
    throw cairnError('CAIRN-USAGE', `--${other} cannot be used with --to terraform`, {
      hint: `Leave --${other} out.`,
    });
  const { text, addresses, leftOut, lineage, continuesState } = await exportedState(stack, flags.base);
  warnOfSecrets(context);
  for (const [urn, address] of addresses) context.stderr.write(`${urn} is ${address}\n`);
  for (const line of leftOut) context.stderr.write(`left out: ${line}\n`);
  if (!continuesState)
    context.stderr.write(
      `No state was taken over into this stack: this is the first one of lineage ${lineage}; name the state that it continues with --base.\n`,
    );
  return [text];
}
