import { cairnError } from '@cairn/diagnostics';
import type { Interaction } from '@cairn/operations/stacks';
import { envFlag } from '@cairn/workspace';
import { askSecret, needsAnswer, readLine } from '../terminal/prompt.js';
import type { World } from '../world.js';

const ASK_AT_MOST = 3;

/**
 * How the passphrase of a stack is asked for; undefined where it cannot be. `CAIRN_TEST_PASSPHRASE` and
 * `PULUMI_TEST_PASSPHRASE` make it possible without a terminal [SEC-4].
 */
export function passphraseQuestion(world: World): Interaction['passphrase'] {
  if (world.terminal.interactive) return (message) => askSecret(world, message);
  return envFlag(world.env, 'TEST_PASSPHRASE') ? (message) => typedLine(world, message) : undefined;
}

async function typedLine(world: World, message: string): Promise<string | undefined> {
  world.stderr.write(`${message}: `);
  return readLine(world);
}

/**
 * The passphrase that is to protect a stack from now on: from the terminal, where it is asked for twice, or else the
 * first line of stdin [SEC-4].
 */
export async function newPassphrase(world: World): Promise<string> {
  if (world.terminal.interactive) return askTwice(world);
  const passphrase = (await readLine(world)) ?? '';
  if (passphrase === '') throw needsAnswer('no new passphrase was given', 'it on stdin');
  return passphrase;
}

const EMPTY = 'An empty passphrase protects nothing. Type "empty" to use it all the same';

async function askTwice(world: World): Promise<string> {
  let again: string | undefined;
  for (let tried = 0; tried < ASK_AT_MOST; tried++) {
    const message = 'Enter the new passphrase to protect config/secrets';
    const first = await ask(world, again === undefined ? message : `${again} ${message}`);
    const same = first === (await ask(world, 'Re-enter it to confirm'));
    if (same && (first !== '' || (await ask(world, EMPTY)) === 'empty')) return first;
    again = same ? 'The passphrase is empty.' : 'The passphrases differ.';
  }
  throw cairnError('CAIRN-PASSPHRASE-MISSING', 'nothing was changed: the two passphrases differ', {
    hint: 'Run the command again and type the same passphrase twice.',
  });
}

async function ask(world: World, message: string): Promise<string> {
  const answer = await askSecret(world, message);
  if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
  return answer;
}
