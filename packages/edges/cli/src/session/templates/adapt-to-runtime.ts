import { readFile, writeFile } from 'node:fs/promises';
import { cairnError, isCairnError } from '@cairn/diagnostics';
import { programInfo, withLanguage } from '@cairn/operations';
import type { LanguageTools, ProgramInfo, RuntimeOptionPrompt } from '@cairn/wire';
import { loadProject } from '@cairn/workspace';
import { parseDocument } from 'yaml';
import type { Flags } from '../../command-spec.js';
import { askText, chooseOne, needsAnswer, readLine } from '../../terminal/prompt.js';
import type { World } from '../../world.js';
import { portsOf } from '../ports.js';

type Answer = string | number;

/**
 * Fits a new project to its runtime: asks what the language wants to know, one question after the other until there is
 * none, writes the answers into the project file, and has the language adapt what the template brought. Where nobody
 * can be asked, the defaults are taken. A language that is not there yet asks nothing and adapts nothing.
 */
export async function adaptToRuntime(world: World, flags: Flags, directory: string): Promise<void> {
  const project = await loadProject(directory);
  const { runtime, location } = project;
  if (runtime === undefined) return;
  const info = programInfo(project);
  const use = {
    ...{ runtime: runtime.name, info, project },
    onMessage: ({ text }: { readonly text: string }) => {
      if (world.terminal.debug) world.stderr.write(`${text}\n`);
    },
  };
  await withLanguage(portsOf(world, flags), use, async (language) => {
    const answers = await askedOptions(world, flags, language, info);
    if (Object.keys(answers).length > 0) await writeOptions(location.file, answers);
    await language.template({ ...info, options: { ...info.options, ...answers } }, project.name);
  }).catch((error: unknown) => {
    if (!isCairnError(error) || error.diagnostics[0]?.code !== 'CAIRN-RUNTIME-UNKNOWN') throw error;
  });
}

async function askedOptions(
  world: World,
  flags: Flags,
  language: LanguageTools,
  info: ProgramInfo,
): Promise<Readonly<Record<string, Answer>>> {
  const answers: Record<string, Answer> = {};
  for (;;) {
    const options = { ...info.options, ...answers };
    const prompts = await language.runtimeOptionsPrompts({ ...info, options });
    const open = prompts.filter(({ key }) => !Object.hasOwn(options, key));
    if (open.length === 0) return answers;
    for (const prompt of open) answers[prompt.key] = await answerTo(world, flags, prompt);
  }
}

async function writeOptions(file: string, answers: Readonly<Record<string, Answer>>): Promise<void> {
  const document = parseDocument(await readFile(file, 'utf8'));
  const runtime: unknown = document.get('runtime');
  if (typeof runtime === 'string')
    document.set('runtime', document.createNode({ name: runtime, options: {} }));
  for (const [key, value] of Object.entries(answers)) document.setIn(['runtime', 'options', key], value);
  await writeFile(file, document.toString({ lineWidth: 0 }));
}

async function answerTo(world: World, flags: Flags, prompt: RuntimeOptionPrompt): Promise<Answer> {
  const { key, choices, default: usual } = prompt;
  const [only] = choices;
  if (only !== undefined && choices.length === 1) return only.value;
  const asked = flags.on('yes') ? 'nobody' : whoAnswers(world);
  if (asked === 'nobody') {
    const value = (usual ?? only)?.value;
    if (value === undefined)
      throw needsAnswer(`the runtime wants to know its ${key}`, `--runtime-options ${key}=…`);
    return value;
  }
  const text = asked === 'lines' ? await readLine(world) : await askOne(world, prompt);
  if (text === undefined) throw cairnError('CAIRN-CANCELLED', 'the options of the runtime were not set');
  return valueOf(text, prompt);
}

/** Tests of others have lines of stdin answer, as they would be typed. */
function whoAnswers({ env, terminal }: World): 'somebody' | 'lines' | 'nobody' {
  if (terminal.interactive) return 'somebody';
  return ['1', 'true'].includes(env['PULUMI_TEST_INTERACTIVE'] ?? '') ? 'lines' : 'nobody';
}

async function askOne(
  world: World,
  { key, description, choices, default: usual }: RuntimeOptionPrompt,
): Promise<string | undefined> {
  const question = description === '' ? key : description;
  if (choices.length === 0) return askText(world, question, usual && String(usual.value));
  const listed = choices.map(({ value, label }) => ({ value: String(value), label }));
  return chooseOne(world, question, listed, String((usual ?? choices[0])?.value));
}

/** Refuses what is none of the choices, or no whole number where one is wanted. */
function valueOf(text: string, { key, type, choices, default: usual }: RuntimeOptionPrompt): Answer {
  if (text === '' && usual !== undefined) return usual.value;
  const chosen = choices.find(({ value, label }) => text === String(value) || text === label);
  if (chosen !== undefined) return chosen.value;
  if (choices.length > 0)
    throw cairnError('CAIRN-USAGE', `${key} is one of ${choices.map(({ value }) => value).join(', ')}`);
  if (type === 'integer' && !/^[+-]?\d+$/.test(text))
    throw cairnError('CAIRN-USAGE', `${key} is a whole number, not ${JSON.stringify(text)}`);
  return type === 'integer' ? Number(text) : text;
}
