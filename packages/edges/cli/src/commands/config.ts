import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import {
  configTarget,
  configValue,
  configValues,
  copyConfig,
  plainValue,
  refreshConfig,
  removeConfigValues,
  refuseDeclaredSecret,
  setConfigValues,
  statedType,
} from '@cairn/operations/stacks';
import type { ParsedConfigValue } from '@cairn/operations/stacks';
import { isJsonObject } from '@cairn/state';
import {
  configText,
  isDeclaredSecret,
  loadProject,
  mapSecrets,
  parseConfigKey,
  shortConfigKey,
  treeOfJson,
} from '@cairn/workspace';
import type { ConfigTarget, Project } from '@cairn/workspace';
import { SECRET_TEXT } from '@cairn/values';
import { configJson } from '../display/config-json.js';
import { openStackFileForFlags } from '../flows/open-stack.js';
import { portsOf } from '../flows/ports.js';
import { stackChoice } from '../flows/stack-choice.js';
import { valueStream } from '../terminal/controls.js';
import { printJson } from '../terminal/json-output.js';
import { stripEscapes } from '../terminal/paint.js';
import { askSecret, askText, needsAnswer, readStdin } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Lists, Switches, Texts } from '../flags/flag-spec.js';

/** `config` */
export const list: Command<Switches<'json' | 'showSecrets'>> = async ({ flags }, context) => {
  const stack = await openStackFileForFlags(context, flags);
  const values = [...(await configValues(stack, { showSecrets: flags.showSecrets }))];
  if (flags.json) {
    printJson(context, Object.fromEntries(values.map(([key, value]) => [key, configJson(value)])));
    return EXIT.ok;
  }
  const rows = values.map(([key, { stored, value = mapSecrets(stored, () => SECRET_TEXT) }]) => {
    return [shortConfigKey(key, stack.project.name), configText(value)] as const;
  });
  const width = Math.max(3, ...rows.map(([key]) => key.length));
  for (const [key, value] of [['KEY', 'VALUE'] as const, ...rows])
    context.stdout.write(`${key.padEnd(width)}  ${value}\n`);
  return EXIT.ok;
};

/** `config get` */
export const get: Command<Switches<'json' | 'path'>> = async ({ args: [key = ''], flags }, context) => {
  const found = await configValue(await openStackFileForFlags(context, flags), key, flags.path);
  if (flags.json) printJson(context, configJson(found), { escapeHtml: true });
  else valueStream(context).write(`${configText(found.value ?? found.stored)}\n`);
  return EXIT.ok;
};

/** `config set` */
export const set: Command<
  Switches<'path' | 'plaintext' | 'project' | 'raw' | 'secret'> & Texts<'secretsProvider' | 'type'>
> = async ({ args: [key = '', given], flags }, context) => {
  const [asSecret, plaintext] = [flags.secret, flags.plaintext];
  const type = statedType(flags.type);
  if (asSecret && plaintext)
    throw cairnError('CAIRN-USAGE', '--secret and --plaintext cannot be given together');
  if (asSecret && type !== undefined && type !== 'string')
    throw cairnError('CAIRN-USAGE', `a secret is a string and cannot be of type ${type}`);
  const stack = flags.project ? undefined : await openStackFileForFlags(context, flags);
  const project = stack?.project ?? (await loadProject(context.cwd));
  const target = configTarget(key, project, flags.path);
  if (plaintext) refuseDeclaredSecret(project, target, key);
  const secret = asSecret || isDeclaredSecret(project, target);
  if (secret && given !== undefined && context.terminal.interactive) {
    context.stderr.write(
      'warning: the shell stores a secret that is passed as an argument in its history; leave it out to be asked for it\n',
    );
  }
  const text = given ?? (await readValue(context, key, { secret, raw: flags.raw }));
  const value = secret ? { target, secret, tree: text } : plainValue(target, key, text, { type, plaintext });
  if (stack !== undefined) {
    await setConfigValues(stack, [value]);
    return EXIT.ok;
  }
  const { setProjectValue } = await import('@cairn/operations/rare');
  await setProjectValue(portsOf(context, flags), project, value, flags.secretsProvider);
  return EXIT.ok;
};

async function readValue(
  context: CommandContext,
  key: string,
  { secret, raw }: { readonly secret: boolean; readonly raw: boolean },
): Promise<string> {
  if (context.stdin.isTTY !== true) return readStdin(context, { raw });
  if (!context.terminal.interactive) throw needsAnswer(`no value for ${key}`, 'the value as an argument');
  const answer = secret
    ? await askSecret(context, `Value of ${key}`)
    : await askText(context, `Value of ${key}`);
  if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'nothing was set');
  return answer;
}

/** `config set-all` */
export const setAll: Command<Texts<'json'> & Switches<'path'> & Lists<'plaintext' | 'secret'>> = async (
  { flags: { json, ...flags } },
  context,
) => {
  const stack = await openStackFileForFlags(context, flags);
  const given = [
    ...flags.plaintext.map((pair) => fromPair(flags, stack.project, pair, false)),
    ...flags.secret.map((pair) => fromPair(flags, stack.project, pair, true)),
    ...(json === undefined ? [] : fromJson(json === '-' ? await readStdin(context) : json, stack.project)),
  ];
  if (given.length === 0) {
    throw cairnError('CAIRN-USAGE', 'no values were given', {
      hint: 'Pass --plaintext key=value and --secret key=value as often as needed, or --json with a document.',
    });
  }
  await setConfigValues(stack, given);
  return EXIT.ok;
};

function fromPair(
  flags: Switches<'path'>,
  project: Project,
  pair: string,
  secret: boolean,
): ParsedConfigValue {
  const [key, text] = keyAndText(pair);
  if (key === '' || text === undefined) {
    // The text may be a secret, so the error does not repeat it.
    const flag = secret ? '--secret' : '--plaintext';
    throw cairnError('CAIRN-USAGE', `${flag} needs key=value`, {
      hint: `For example \`${flag} region=eu-west-1\`.`,
    });
  }
  const target = configTarget(key, project, flags.path);
  if (!secret) refuseDeclaredSecret(project, target, key);
  return secret ? { target, secret, tree: text } : plainValue(target, key, text, { plaintext: true });
}

/** Splits a pair at its first `=`. A key that contains one is in quotes: `"a=b"=value`. */
function keyAndText(pair: string): readonly [key: string, text: string | undefined] {
  const quote = pair[0] === '"' || pair[0] === "'" ? pair[0] : '';
  const at = pair.indexOf(`${quote}=`, quote.length);
  return at < 0 ? [pair, undefined] : [pair.slice(quote.length, at), pair.slice(at + quote.length + 1)];
}

/**
 * Reads a document in the form that `config --json` prints [EVT-5]. A row without a value, such as a secret that was
 * not shown, is refused.
 */
function fromJson(text: string, project: Project): readonly ParsedConfigValue[] {
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
    if (isDeclaredSecret(project, target)) return { target, secret: true, tree: value };
    return plainValue(target, key, value);
  });
}

function unusable(why: string): Error {
  return cairnError('CAIRN-CONFIG-INVALID', `cannot set config from the JSON document: ${why}`, {
    hint: 'Pass a document in the form that `cairn config --json --show-secrets` prints.',
  });
}

/** `config rm` and `config rm-all`: they report a missing key, which is not a failure. */
export const remove: Command<Switches<'path'>> = async ({ args, flags }, context) => {
  const stack = await openStackFileForFlags(context, flags);
  const keys = args.filter((key) => key !== undefined);
  for (const key of await removeConfigValues(stack, keys, flags.path))
    context.stderr.write(`configuration key '${stripEscapes(key)}' not found for stack '${stack.stack}'\n`);
  return EXIT.ok;
};

/** `config cp` */
export const copy: Command<Texts<'dest'> & Switches<'path'>> = async ({ args: [key], flags }, context) => {
  const dest = flags.dest;
  if (dest === undefined)
    throw cairnError('CAIRN-USAGE', 'no destination was given', { hint: 'Pass --dest <stack>.' });
  await copyConfig(portsOf(context, flags), stackChoice(flags), { dest, key, asPath: flags.path });
  return EXIT.ok;
};

/** `config refresh` */
export const refresh: Command<Switches<'force'>> = async ({ flags }, context) => {
  const options = { keep: !flags.force };
  const { file, kind } = await refreshConfig(portsOf(context, flags), stackChoice(flags), options);
  context.stderr.write(`${file} has the configuration of the latest ${kind}\n`);
  return EXIT.ok;
};
