import { askNewPassphrase } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import type { Interaction } from '@cairn/operations/stacks';
import { envFlag } from '@cairn/workspace';
import { askSecret, needsAnswer, readLine } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';

/**
 * Returns the question for the passphrase of a stack, or undefined if it cannot be asked. `CAIRN_TEST_PASSPHRASE` and
 * `PULUMI_TEST_PASSPHRASE` allow it without a terminal [SEC-4].
 */
export function passphraseQuestion(context: CommandContext): Interaction['passphrase'] {
  if (context.terminal.interactive) return (message) => askSecret(context, message);
  return envFlag(context.env, 'TEST_PASSPHRASE') ? (message) => typedLine(context, message) : undefined;
}

async function typedLine(context: CommandContext, message: string): Promise<string | undefined> {
  context.stderr.write(`${message}: `);
  return readLine(context);
}

/** Asks for the new passphrase of a stack: twice on a terminal, or else it reads the first line of stdin [SEC-4]. */
export async function newPassphrase(context: CommandContext): Promise<string> {
  if (context.terminal.interactive)
    return askNewPassphrase((message) => ask(context, message), {
      first: 'Enter the new passphrase to protect config/secrets',
      again: 'Re-enter it to confirm',
      failed: 'nothing was changed',
    });
  const passphrase = (await readLine(context)) ?? '';
  if (passphrase === '') throw needsAnswer('no new passphrase was given', 'it on stdin');
  return passphrase;
}

async function ask(context: CommandContext, message: string): Promise<string> {
  const answer = await askSecret(context, message);
  if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
  return answer;
}
