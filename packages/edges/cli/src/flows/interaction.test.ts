import { PassThrough, Readable } from 'node:stream';
import type { StackFlags } from '../flags/operation.js';
import type { CommandContext } from '../command-context.js';
import { terminalInteraction } from './interaction.js';

function asker(env: Readonly<Record<string, string>>, typed = '') {
  const context = {
    env,
    stdin: Readable.from([typed]),
    stderr: new PassThrough(),
    terminal: { interactive: false },
    onInterrupt: () => () => undefined,
  };
  return terminalInteraction(context as unknown as CommandContext, {} as StackFlags).passphrase;
}

test('without a terminal nobody is asked for a passphrase', () => expect(asker({})).toBeUndefined());

test.each(['CAIRN_TEST_PASSPHRASE', 'PULUMI_TEST_PASSPHRASE'])(
  '%s has it asked for all the same',
  async (name) => {
    const ask = asker({ [name]: '1' }, 'from stdin\nand again\r\n');
    await expect(ask?.('Passphrase')).resolves.toBe('from stdin');
    await expect(ask?.('Again')).resolves.toBe('and again');
    await expect(ask?.('Again')).resolves.toBeUndefined();
  },
);
