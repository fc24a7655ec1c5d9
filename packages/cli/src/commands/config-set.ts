import { EXIT, cairnError } from '@cairn/diagnostics';
import {
  coerceText,
  looksLikeSecret,
  parseConfigKey,
  parseConfigPath,
  saveStackFile,
  secureText,
  setConfig,
} from '@cairn/workspace';
import { openStackFile } from '../session/stack-file.js';
import { askSecret, askText, needsAnswer, readStdin } from '../terminal/prompt.js';
import type { World } from '../world.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) => {
  const [keyText = '', valueArgument] = args;
  const stack = await openStackFile(world, flags);
  const secret = flags.on('secret');
  const target = flags.on('path')
    ? parseConfigPath(keyText, stack.project.name)
    : { key: parseConfigKey(keyText, stack.project.name), path: [] };
  if (secret && flags.on('plaintext'))
    throw cairnError('CAIRN-USAGE', '--secret and --plaintext cannot be given together');
  if (secret && valueArgument !== undefined) {
    world.stderr.write(
      'warning: the shell keeps a secret given as an argument in its history; leave it out to be asked for it\n',
    );
  }
  const value = valueArgument ?? (await readValue(world, keyText, secret));
  if (!secret && !flags.on('plaintext') && looksLikeSecret(target.key, value)) {
    throw cairnError(
      'CAIRN-CONFIG-INVALID',
      `the value of ${keyText} looks like a secret and would be stored in the clear`,
      {
        hint: 'add --secret to encrypt it, or --plaintext if it is none',
      },
    );
  }
  const opened = secret ? await stack.secrets() : undefined;
  const tree =
    opened !== undefined
      ? secureText(value, opened.crypter)
      : target.path.length > 0
        ? coerceText(value)
        : value;
  await saveStackFile(opened?.file ?? stack.file, {
    config: setConfig((opened?.file ?? stack.file).settings.config, target, tree),
  });
  return EXIT.ok;
};

async function readValue(world: World, key: string, secret: boolean): Promise<string> {
  if (world.stdin.isTTY !== true) return readStdin(world);
  if (!world.terminal.interactive) throw needsAnswer(`no value for ${key}`, 'the value as an argument');
  const answer = secret ? await askSecret(world, `Value of ${key}`) : await askText(world, `Value of ${key}`);
  if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'nothing was set');
  return answer;
}
