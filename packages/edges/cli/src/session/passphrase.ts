import { askNewPassphrase } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import type { Interaction } from '@cairn/operations/stacks';
import { envFlag } from '@cairn/workspace';
import { askSecret, needsAnswer, readLine } from '../terminal/prompt.js';
import type { World } from '../world.js';

/**
 * Returns the question for the passphrase of a stack, or undefined if it cannot be asked. `CAIRN_TEST_PASSPHRASE` and
 * `PULUMI_TEST_PASSPHRASE` allow it without a terminal [SEC-4].
 */
export function passphraseQuestion(world: World): Interaction['passphrase'] {
  if (world.terminal.interactive) return (message) => askSecret(world, message);
  return envFlag(world.env, 'TEST_PASSPHRASE') ? (message) => typedLine(world, message) : undefined;
}

async function typedLine(world: World, message: string): Promise<string | undefined> {
  world.stderr.write(`${message}: `);
  return readLine(world);
}

/** Asks for the new passphrase of a stack: twice on a terminal, or else it reads the first line of stdin [SEC-4]. */
export async function newPassphrase(world: World): Promise<string> {
  if (world.terminal.interactive)
    return askNewPassphrase((message) => ask(world, message), {
      first: 'Enter the new passphrase to protect config/secrets',
      again: 'Re-enter it to confirm',
      failed: 'nothing was changed',
    });
  const passphrase = (await readLine(world)) ?? '';
  if (passphrase === '') throw needsAnswer('no new passphrase was given', 'it on stdin');
  return passphrase;
}

async function ask(world: World, message: string): Promise<string> {
  const answer = await askSecret(world, message);
  if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
  return answer;
}
