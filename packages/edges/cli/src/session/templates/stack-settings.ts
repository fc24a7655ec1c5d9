import { cairnError, messageOf } from '@cairn/diagnostics';
import { configTarget, openStackFile, plainValue, setConfigValues } from '@cairn/operations/stacks';
import type { GivenValue } from '@cairn/operations/stacks';
import { treeOfJson } from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import type { Flags } from '../../command-spec.js';
import { askSecret, askText } from '../../terminal/prompt.js';
import type { World } from '../../world.js';
import { portsOf } from '../ports.js';
import { stackChoice } from '../stack-choice.js';
import type { TemplateSetting } from './template-file.js';

/** Sets the configuration of a new stack: what the flags give, then what the template asks for, with its defaults. */
export async function stackSettings(
  world: World,
  flags: Flags,
  stack: string,
  settings: readonly TemplateSetting[],
): Promise<void> {
  const given = flags.list('config').map(pairOf);
  if (given.length === 0 && settings.length === 0) return;
  const file = await openStackFile(portsOf(world, flags), stackChoice(flags, stack));
  const { project } = file;
  const asPath = flags.on('config-path');
  const values: GivenValue[] = given.map(([key, text]) => {
    const secret = settings.some((setting) => setting.secret && sameKey(setting.key, key, project));
    return valueOf(project, key, text, secret, asPath);
  });
  for (const setting of settings) {
    if (given.some(([key]) => sameKey(setting.key, key, project))) continue;
    const text = await answerTo(world, flags, setting);
    if (text === undefined || text === '') continue;
    values.push(
      setting.structured && !setting.secret
        ? structureOf(project, setting.key, text)
        : valueOf(project, setting.key, text, setting.secret, false),
    );
  }
  if (values.length > 0) await setConfigValues(file, values);
}

function pairOf(pair: string): readonly [key: string, text: string] {
  const at = pair.indexOf('=');
  if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
  throw cairnError('CAIRN-USAGE', '--config takes key=value');
}

function sameKey(a: string, b: string, project: Project): boolean {
  const key = (text: string) => configTarget(text, project, false).key;
  return key(a) === key(b);
}

function valueOf(project: Project, key: string, text: string, secret: boolean, asPath: boolean): GivenValue {
  const target = configTarget(key, project, asPath);
  return secret ? { target, secret, tree: text } : plainValue(target, key, text, { plaintext: true });
}

function structureOf(project: Project, key: string, text: string): GivenValue {
  try {
    return { target: configTarget(key, project, false), secret: false, tree: treeOfJson(JSON.parse(text)) };
  } catch (error) {
    throw cairnError(
      'CAIRN-USAGE',
      `${key} is a list or a map and has to be given as JSON`,
      { causes: [messageOf(error)] },
      error,
    );
  }
}

/** What somebody types, or the default where nobody can be asked. */
async function answerTo(
  world: World,
  flags: Flags,
  { key, description, default: usual, secret }: TemplateSetting,
): Promise<string | undefined> {
  if (flags.on('yes') || !world.terminal.interactive) return usual;
  const question = description === '' ? key : `${key} (${description})`;
  const answer = secret ? await askSecret(world, question) : await askText(world, question, usual);
  if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'the configuration was not set');
  return answer === '' ? usual : answer;
}
