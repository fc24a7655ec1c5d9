import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import { isJsonObject } from '@cairn/state';
import { parseConfigKey, saveStackFile, setConfig, treeOfJson } from '@cairn/workspace';
import type { Config, ConfigTarget, ConfigTree, Project } from '@cairn/workspace';
import { configTarget, plainTree, refuseSecretLook, secretTree } from '@cairn/operations/stacks';
import { readStdin } from '../terminal/prompt.js';
import type { Command, Flags } from './command-spec.js';
import { openStackFile } from '../session/open-stack.js';

/** One value to be set; a secret one is a text that is still in the clear. */
interface Given {
  readonly target: ConfigTarget;
  readonly secret: boolean;
  readonly tree: ConfigTree;
}

export const run: Command = async ({ flags }, world) => {
  const stack = await openStackFile(world, flags);
  const json = flags.text('json');
  const given = [
    ...flags.list('plaintext').map((pair) => fromPair(flags, stack.project, pair, false)),
    ...flags.list('secret').map((pair) => fromPair(flags, stack.project, pair, true)),
    ...(json === undefined ? [] : fromJson(json === '-' ? await readStdin(world) : json, stack.project)),
  ];
  if (given.length === 0) {
    throw cairnError('CAIRN-USAGE', 'no values were given', {
      hint: 'give --plaintext key=value and --secret key=value as often as needed, or --json with a document',
    });
  }
  const opened = given.some(({ secret }) => secret) ? await stack.secrets() : undefined;
  const file = opened?.file ?? stack.file;
  let config: Config = file.settings.config;
  for (const { target, secret, tree } of given) {
    const stored = secret && opened !== undefined ? secretTree(String(tree), opened.crypter) : tree;
    config = setConfig(config, target, stored);
  }
  await saveStackFile(file, { config });
  return EXIT.ok;
};

function fromPair(flags: Flags, project: Project, pair: string, secret: boolean): Given {
  const at = pair.indexOf('=');
  if (at <= 0) {
    // What was given may be a secret: it is not repeated.
    const flag = secret ? '--secret' : '--plaintext';
    throw cairnError('CAIRN-USAGE', `${flag} needs key=value`, {
      hint: `for example ${flag} region=eu-west-1`,
    });
  }
  const target = configTarget(pair.slice(0, at), project, flags.on('path'));
  const text = pair.slice(at + 1);
  return { target, secret, tree: secret ? text : plainTree(text, target, undefined) };
}

/**
 * The rows of a document as `config --json` prints it [EVT-5]. One without a value, such as a secret that was not
 * shown, is refused.
 */
function fromJson(text: string, project: Project): readonly Given[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (thrown) {
    throw unusable(`it is not JSON: ${messageOf(thrown)}`);
  }
  if (!isJsonObject(parsed)) throw unusable('it is not an object of keys');
  return Object.entries(parsed).map(([key, row]) => {
    const target: ConfigTarget = { key: parseConfigKey(key, project.name), path: [] };
    if (!isJsonObject(row) || typeof row['value'] !== 'string') throw unusable(`"${key}" has no value`);
    const { value, objectValue, secret } = row;
    if (secret === true) return { target, secret: true, tree: value };
    if (objectValue !== undefined) return { target, secret: false, tree: treeOfJson(objectValue) };
    refuseSecretLook(target, key, value);
    return { target, secret: false, tree: value };
  });
}

function unusable(why: string): Error {
  return cairnError('CAIRN-CONFIG-INVALID', `cannot set config from the JSON document: ${why}`, {
    hint: 'give a document as `cairn config --json --show-secrets` prints it',
  });
}
