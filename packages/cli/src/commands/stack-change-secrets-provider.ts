import { EXIT } from '@cairn/diagnostics';
import { changeSecretsProvider } from '@cairn/operations/stacks';
import type { Protection } from '@cairn/operations/stacks';
import { checkSecretsProvider } from '@cairn/workspace';
import { withStack } from '../session/open-stack.js';
import type { Command } from './command-spec.js';

export const run: Command = async ({ args: [provider = ''], flags }, world) => {
  checkSecretsProvider(provider);
  return withStack(world, flags, async (stack) => {
    const by = await changeSecretsProvider(stack, provider, flags.text('config-file'));
    world.stderr.write(
      `${PROTECTED[by](`The secrets of stack ${stack.id.stack} are protected by`, provider)}\n`,
    );
    return EXIT.ok;
  });
};

const PROTECTED: Readonly<Record<Protection, (protectedBy: string, provider: string) => string>> = {
  key: (by, provider) => `${by} ${provider} now`,
  passphrase: (by) => `${by} a passphrase now`,
  'new-passphrase': (by) => `${by} the new passphrase now: set CAIRN_CONFIG_PASSPHRASE to it from here on`,
};
