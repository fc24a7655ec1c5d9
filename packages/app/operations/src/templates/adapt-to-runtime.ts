import { readFile, writeFile } from 'node:fs/promises';
import { cairnError, isCairnError } from '@cairn/diagnostics';
import type { LanguageTools, ProgramInfo, RuntimeOptionPrompt } from '@cairn/wire';
import { loadProject } from '@cairn/workspace';
import { parseDocument } from 'yaml';
import { programInfo } from '../access/program-info.js';
import { withLanguage } from '../languages/languages.js';
import { passedOn } from '../making.js';
import type { Ports } from '../ports.js';
import type { TemplateAnswers } from './answers.js';

type Answer = string | number;

/**
 * Adapts a new project to its runtime. Asks the language's questions, one after the other until there are none, writes
 * the answers into the project file, and lets the language adapt the files of the template. Without answers the
 * defaults apply. A language that is not installed yet asks nothing and adapts nothing.
 */
export async function adaptToRuntime(
  ports: Ports,
  directory: string,
  answers: TemplateAnswers,
): Promise<void> {
  const project = await loadProject(directory);
  const { runtime, location } = project;
  if (runtime === undefined) return;
  const info = programInfo(project);
  const onMessage = passedOn(ports);
  const use = {
    ...{ runtime: runtime.name, info, project },
    onMessage: ({ text }: { readonly text: string }) => onMessage({ severity: 'debug', text }),
  };
  await withLanguage(ports, use, async (language) => {
    const chosen = await askedOptions(answers, language, info);
    if (Object.keys(chosen).length > 0) await writeOptions(location.file, chosen);
    await language.template({ ...info, options: { ...info.options, ...chosen } }, project.name);
  }).catch((error: unknown) => {
    if (!isCairnError(error) || error.diagnostics[0]?.code !== 'CAIRN-RUNTIME-UNKNOWN') throw error;
  });
}

async function askedOptions(
  asked: TemplateAnswers,
  language: LanguageTools,
  info: ProgramInfo,
): Promise<Readonly<Record<string, Answer>>> {
  const answers: Record<string, Answer> = {};
  for (;;) {
    const options = { ...info.options, ...answers };
    const prompts = await language.runtimeOptionsPrompts({ ...info, options });
    const open = prompts.filter(({ key }) => !Object.hasOwn(options, key));
    if (open.length === 0) return answers;
    for (const prompt of open) answers[prompt.key] = await answerTo(asked, prompt);
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

async function answerTo({ runtimeOption }: TemplateAnswers, prompt: RuntimeOptionPrompt): Promise<Answer> {
  const { key, choices, default: usual } = prompt;
  const [only] = choices;
  if (only !== undefined && choices.length === 1) return only.value;
  if (runtimeOption === undefined) {
    const value = (usual ?? only)?.value;
    if (value !== undefined) return value;
    throw cairnError('CAIRN-NEEDS-CONFIRMATION', `the runtime needs a value for ${key}`, {
      hint: `Pass --runtime-options ${key}=VALUE: Cairn cannot ask here.`,
    });
  }
  const text = await runtimeOption(prompt);
  if (text === undefined) throw cairnError('CAIRN-CANCELLED', 'the options of the runtime were not set');
  return valueOf(text, prompt);
}

/** Parses an answer. Refuses one that is none of the choices, or no whole number where one is required. */
function valueOf(text: string, { key, type, choices, default: usual }: RuntimeOptionPrompt): Answer {
  if (text === '' && usual !== undefined) return usual.value;
  const chosen = choices.find(({ value, label }) => text === String(value) || text === label);
  if (chosen !== undefined) return chosen.value;
  if (choices.length > 0)
    throw cairnError('CAIRN-USAGE', `${key} must be one of ${choices.map(({ value }) => value).join(', ')}`);
  if (type === 'integer' && !/^[+-]?\d+$/.test(text))
    throw cairnError('CAIRN-USAGE', `${key} must be a whole number, not ${JSON.stringify(text)}`);
  return type === 'integer' ? Number(text) : text;
}
