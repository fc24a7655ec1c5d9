import { cairnError, messageOf } from '@cairn/diagnostics';
import { treeOfJson } from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import type { StackChoice } from '../access/stack-choice.js';
import { openStackFile } from '../access/stack-file.js';
import { setConfigValues } from '../config/config-edits.js';
import { configTarget, plainValue } from '../config/config-values.js';
import type { ParsedConfigValue } from '../config/config-values.js';
import type { Ports } from '../ports.js';
import type { TemplateAnswers } from './answers.js';
import type { TemplateSetting } from './template-file.js';

/** The configuration of a new stack. */
export interface NewSettings {
  /** Settings as `key=value`. */
  readonly given: readonly string[];
  /** True if the keys are paths into structures. */
  readonly asPaths: boolean;
  /** Settings that the template asks for, unless they are given. */
  readonly asked: readonly TemplateSetting[];
}

/**
 * Sets the configuration of a new stack: the given settings, then those that the template asks for, with its defaults.
 */
export async function stackSettings(
  ports: Ports,
  choice: StackChoice,
  { given: pairs, asPaths, asked: settings }: NewSettings,
  answers: TemplateAnswers,
): Promise<void> {
  const given = pairs.map(pairOf);
  if (given.length === 0 && settings.length === 0) return;
  const file = await openStackFile(ports, choice);
  const { project } = file;
  const values: ParsedConfigValue[] = given.map(([key, text]) => {
    const secret = settings.some((setting) => setting.secret && sameKey(setting.key, key, project));
    return valueOf(project, key, text, secret, asPaths);
  });
  for (const setting of settings) {
    if (given.some(([key]) => sameKey(setting.key, key, project))) continue;
    const text = await answerTo(answers, setting);
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

function valueOf(
  project: Project,
  key: string,
  text: string,
  secret: boolean,
  asPath: boolean,
): ParsedConfigValue {
  const target = configTarget(key, project, asPath);
  return secret ? { target, secret, tree: text } : plainValue(target, key, text, { plaintext: true });
}

function structureOf(project: Project, key: string, text: string): ParsedConfigValue {
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

/** Returns the answer, or the default if no one can answer. */
async function answerTo(answers: TemplateAnswers, setting: TemplateSetting): Promise<string | undefined> {
  if (answers.setting === undefined) return setting.default;
  const answer = await answers.setting(setting);
  if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'the configuration was not set');
  return answer === '' ? setting.default : answer;
}
