import { cairnError } from '@cairn/diagnostics';
import type { OpenStack } from '@cairn/operations/stacks';
import type { Flags } from '../command-spec.js';
import type { CommandContext } from '../command-context.js';
import { warnOfSecrets } from '../terminal/tell.js';
import { exportedState } from '@cairn/operations/terraform';

const NOT_WITH_STATE = ['version', 'plain', 'show-secrets'];

/** Returns the stack as a state of Terraform, and prints remarks about it. States contain secrets in clear. */
export async function givenBack(
  context: CommandContext,
  flags: Flags,
  stack: OpenStack,
): Promise<Iterable<string>> {
  const to = flags.text('to');
  if (to !== 'terraform')
    throw cairnError('CAIRN-USAGE', `--to ${to ?? ''} is not known`, { hint: 'Type --to terraform.' });
  const other = NOT_WITH_STATE.find((name) =>
    name === 'version' ? flags.count(name) !== undefined : flags.on(name),
  );
  if (other !== undefined)
    throw cairnError('CAIRN-USAGE', `--${other} does not go with --to terraform`, {
      hint: `Leave --${other} out.`,
    });
  const { text, addresses, leftOut, lineage, continuesState } = await exportedState(
    stack,
    flags.text('base'),
  );
  warnOfSecrets(context);
  for (const [urn, address] of addresses) context.stderr.write(`${urn} is ${address}\n`);
  for (const line of leftOut) context.stderr.write(`left out: ${line}\n`);
  if (!continuesState)
    context.stderr.write(
      `No state was taken over into this stack: this is the first one of lineage ${lineage}; name the state that it goes on with by --base.\n`,
    );
  return [text];
}
