import type { StackId } from '@cairn/backends';
import { checkedProjectName, loadProject } from '@cairn/workspace';
import type { StackChoice } from '../access/stack-choice.js';
import type { Ports } from '../ports.js';
import { installProject } from '../projects/install-project.js';
import { createStack } from '../stacks/create-stack.js';
import { adaptToRuntime } from './adapt-to-runtime.js';
import type { TemplateAnswers } from './answers.js';
import { stackSettings } from './stack-settings.js';
import type { NewSettings } from './stack-settings.js';
import type { Template } from './template-file.js';
import { writeTemplate } from './write-template.js';

/** A project to be made from a template. */
interface ProjectFromTemplate {
  readonly template: Template;
  /** Absolute. */
  readonly directory: string;
  readonly name: string;
  readonly description: string;
  readonly runtimeOptions: Readonly<Record<string, string>>;
  /** Overwrites existing files with those of the template. */
  readonly force: boolean;
  /** Its first stack, which is selected. Defaults to none. */
  readonly stack?: FirstStack | undefined;
  /** Installs plugins, packages and dependencies. */
  readonly install: boolean;
  /** Called once the files exist, and once the stack exists. */
  readonly made?: ((made: 'project' | 'stack') => void) | undefined;
}

/** First stack of a new project. */
export interface FirstStack extends Pick<NewSettings, 'given' | 'asPaths'> {
  readonly name: string;
  /** Choice of its backend; its stack is ignored. */
  readonly choice: StackChoice;
  readonly secretsProvider?: string | undefined;
}

/** Installs everything in the required versions, four plugins at a time. */
const ALL = {
  ...{ reinstall: false, exact: false, parallel: 4 },
  ...{ plugins: true, dependencies: true, versionTools: false },
};

/**
 * Makes a project from a template: its files, the options of its language, its first stack with the settings that the
 * template asks for, and everything it needs. Resolves with the stack.
 */
export async function projectFromTemplate(
  ports: Ports,
  { template, directory, stack, force, install, made, ...project }: ProjectFromTemplate,
  answers: TemplateAnswers,
): Promise<StackId | undefined> {
  const there = { ...ports, cwd: directory };
  const name = checkedProjectName(project.name);
  await writeTemplate(template, directory, { ...project, name }, force);
  made?.('project');
  await adaptToRuntime(there, directory, answers);
  const created = stack && (await firstStack(there, stack, template.config, answers, made));
  if (install) await installProject(there, await loadProject(directory), ALL);
  return created;
}

/** Creates and selects the first stack of the project in `ports.cwd`, and sets its configuration. */
export async function firstStack(
  ports: Ports,
  { name, choice, secretsProvider, ...settings }: FirstStack,
  asked: NewSettings['asked'],
  answers: TemplateAnswers,
  made?: ProjectFromTemplate['made'],
): Promise<StackId> {
  const id = await createStack(ports, name, { ...choice, select: true, secretsProvider });
  made?.('stack');
  await stackSettings(ports, { ...choice, stack: name }, { ...settings, asked }, answers);
  return id;
}
