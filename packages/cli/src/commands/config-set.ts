import { EXIT, cairnError } from '@cairn/diagnostics';
import { saveStackFile, setConfig } from '@cairn/workspace';
import { configTarget, plainTree, refuseSecretLook, secretTree, statedType } from '@cairn/operations/stacks';
import { askSecret, askText, needsAnswer, readStdin } from '../terminal/prompt.js';
import type { World } from '../world.js';
import type { Command } from './command-spec.js';
import { openStackFile } from '../session/open-stack.js';

export const run: Command = async ({ args, flags }, world) => {
  const [keyText = '', valueArgument] = args;
  const secret = flags.on('secret');
  const type = statedType(flags.text('type'));
  if (secret && flags.on('plaintext'))
    throw cairnError('CAIRN-USAGE', '--secret and --plaintext cannot be given together');
  if (secret && type !== undefined && type !== 'string')
    throw cairnError('CAIRN-USAGE', `a secret is a string and cannot be of type ${type}`);
  const stack = await openStackFile(world, flags);
  const target = configTarget(keyText, stack.project, flags.on('path'));
  if (secret && valueArgument !== undefined) {
    world.stderr.write(
      'warning: the shell keeps a secret given as an argument in its history; leave it out to be asked for it\n',
    );
  }
  const value = valueArgument ?? (await readValue(world, keyText, secret));
  if (!secret && !flags.on('plaintext')) refuseSecretLook(target, keyText, value);
  const opened = secret ? await stack.secrets() : undefined;
  const tree = opened === undefined ? plainTree(value, target, type) : secretTree(value, opened.crypter);
  const file = opened?.file ?? stack.file;
  await saveStackFile(file, { config: setConfig(file.settings.config, target, tree) });
  return EXIT.ok;
};

async function readValue(world: World, key: string, secret: boolean): Promise<string> {
  if (world.stdin.isTTY !== true) return readStdin(world);
  if (!world.terminal.interactive) throw needsAnswer(`no value for ${key}`, 'the value as an argument');
  const answer = secret ? await askSecret(world, `Value of ${key}`) : await askText(world, `Value of ${key}`);
  if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'nothing was set');
  return answer;
}
