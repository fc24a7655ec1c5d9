import { ORGANIZATION, fullStackName } from '@cairn/backends';
import type { Backend, StackId } from '@cairn/backends';
import { EXIT, cairnError } from '@cairn/diagnostics';
import {
  backendHere,
  nameBeside,
  changeSecretsProvider,
  copyConfig,
  listStacks,
  removeStack,
  renameStack,
  selectStack,
  stackHere,
  stackNames,
  unselectStack,
} from '@cairn/operations/stacks';
import type { ListedStack, Protection } from '@cairn/operations/stacks';
import { goStruct } from '@cairn/state';
import { checkSecretsProvider, isServiceUrl, loadProject } from '@cairn/workspace';
import { createStackForFlags, withStackForFlags } from '../flows/open-stack.js';
import { portsOf } from '../flows/ports.js';
import { isFull, stackChoice } from '../flows/stack-choice.js';
import { formatAge } from '../terminal/duration.js';
import { printJson } from '../terminal/json-output.js';
import { askText, chooseOne, needsAnswer } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import type { StackFlags } from '../flags/operation.js';

/** `stack init` */
export const init: Command<Texts<'copyConfigFrom' | 'stack'> & Switches<'noSelect' | 'yes'>> = async (
  { args, flags },
  context,
) => {
  const name = args[0] ?? flags.stack ?? (await askName(context, flags));
  const from = flags.copyConfigFrom;
  const stack = await createStackForFlags(context, flags, name, { select: !flags.noSelect });
  context.stderr.write(`Created stack ${name}\n`);
  if (from !== undefined)
    await copyConfig(portsOf(context, flags), stackChoice(flags, from), { dest: stack.stack });
  return EXIT.ok;
};

async function askName(context: CommandContext, flags: Switches<'yes'>): Promise<string> {
  await loadProject(context.cwd);
  if (!context.terminal.interactive || flags.yes)
    throw needsAnswer('no name for the new stack', 'the name as an argument');
  const name = await askText(context, 'Name of the stack', 'dev');
  if (name === undefined) throw cairnError('CAIRN-CANCELLED', 'no stack was created');
  return name;
}

/** `stack ls` */
export const list: Command<Switches<'all' | 'json'> & Texts<'organization' | 'project' | 'tag'>> = async (
  { flags },
  context,
) => {
  const ports = portsOf(context, flags);
  const found = await listStacks(ports, stackChoice(flags), {
    all: flags.all,
    project: flags.project,
    tag: flags.tag,
    organization: await organizationIn(context, flags, ports),
  });
  const stacks = found.map((stack) => (isFull(flags) ? { ...stack, name: fullStackName(stack) } : stack));
  if (flags.json) {
    const rows = stacks.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    printJson(context, rows.map(stackJson));
  } else printStacks(context, stacks);
  return EXIT.ok;
};

/** Returns the organization whose stacks are listed. Only a state service has several. */
async function organizationIn(
  context: CommandContext,
  flags: StackFlags & Texts<'organization'>,
  ports: ReturnType<typeof portsOf>,
): Promise<string | undefined> {
  const { organization } = flags;
  if (organization === undefined || organization === ORGANIZATION) return organization;
  if (isServiceUrl((await backendHere(ports, stackChoice(flags))).choice.url)) return organization;
  context.stderr.write(
    `note: there is no organization ${organization}: a backend has one organization, whose stacks are listed\n`,
  );
  return undefined;
}

function stackJson({ name, current, lastUpdate, resources }: ListedStack) {
  return goStruct({
    ...{ name, current },
    ...(lastUpdate === undefined ? {} : { lastUpdate: new Date(lastUpdate).toISOString() }),
    ...(resources === undefined ? {} : { resourceCount: resources }),
  });
}

function printStacks(context: CommandContext, stacks: readonly ListedStack[]): void {
  const width = Math.max(4, ...stacks.map(({ name }) => name.length + 1));
  context.stdout.write(`${'NAME'.padEnd(width)}  ${'LAST UPDATE'.padEnd(16)}  RESOURCES\n`);
  for (const { name, current, resources, lastUpdate } of stacks) {
    const updated =
      resources === undefined || lastUpdate === undefined
        ? 'n/a'
        : formatAge(new Date(lastUpdate), context.now());
    const marked = (name + (current ? '*' : '')).padEnd(width);
    context.stdout.write(`${marked}  ${updated.padEnd(16)}  ${resources ?? 'n/a'}\n`);
  }
}

/** `stack unselect` */
export const unselect: Command = async ({ flags }, context) => {
  if (await unselectStack(portsOf(context, flags), stackChoice(flags)))
    context.stderr.write('Stack was unselected\n');
  return EXIT.ok;
};

/** `stack select` */
export const select: Command<Switches<'create'> & Texts<'stack'>> = async ({ args, flags }, context) => {
  const { name: project } = await loadProject(context.cwd);
  const given = args[0] ?? flags.stack ?? (await chooseStack(context, flags));
  const { stack: name } = stackHere(context, given, project);
  if (await selectStack(portsOf(context, flags), stackChoice(flags, given))) return EXIT.ok;
  if (!flags.create) {
    throw cairnError('CAIRN-STACK-NOT-FOUND', `no stack named '${name}' found in project '${project}'`, {
      hint: `Create it with \`cairn stack select --create ${name}\`.`,
    });
  }
  await createStackForFlags(context, flags, given, { select: true });
  context.stderr.write(`Created stack ${name}\n`);
  return EXIT.ok;
};

async function chooseStack(context: CommandContext, flags: StackFlags): Promise<string> {
  if (!context.terminal.interactive) throw needsAnswer('no stack named', 'the name of the stack');
  const names = await stackNames(portsOf(context, flags), stackChoice(flags));
  const [first] = names;
  if (first === undefined) {
    throw cairnError('CAIRN-STACK-NOT-FOUND', 'this project has no stacks', {
      hint: 'Create one with `cairn stack init dev`.',
    });
  }
  const choices = names.map((name) => ({ value: name, label: name }));
  const answer = await chooseOne(context, 'Stack', choices, first);
  if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'no stack was selected');
  return answer;
}

/** `stack rename` */
export const rename: Command = ({ args: [given = ''], flags }, context) =>
  withStackForFlags(context, flags, async (stack) => {
    await requireProject(context, stack.id);
    const renamed = await renameStack(stack, given);
    context.stdout.write(`Renamed ${stack.id.stack} to ${nameBeside(renamed, stack.id)}\n`);
    const parts = await renamedParts(stack.backend, renamed);
    context.stderr.write(`Its ${parts} were renamed too\n`);
    if (renamed.project !== stack.id.project)
      context.stderr.write(
        `It now belongs to project ${renamed.project}: use that name in the project file, and in keys of its configuration that begin with ${stack.id.project}:\n`,
      );
    return EXIT.ok;
  });

/** Lists what follows a stack to its new name: a service has no backups, and not every one keeps changes. */
async function renamedParts(backend: Backend, renamed: StackId): Promise<string> {
  if (backend.bucket !== undefined) return 'history, backups, tags and changes';
  return (await backend.newestChange(renamed)) === undefined
    ? 'history and tags'
    : 'history, tags and changes';
}

/**
 * Ensures that the command runs in the project of the stack, because it also changes the stack's configuration file.
 * Throws CAIRN-PROJECT-MISSING elsewhere.
 */
async function requireProject(context: CommandContext, { project, stack }: StackId): Promise<void> {
  const { name } = await loadProject(context.cwd);
  if (name === project) return;
  throw cairnError('CAIRN-PROJECT-MISSING', `stack ${stack} belongs to project ${project}, not to ${name}`, {
    hint: 'Run the command in the directory of that project, or name it with --cwd: the configuration file of the stack is there.',
  });
}

/** `stack rm` */
export const remove: Command<Switches<'force' | 'preserveConfig' | 'removeBackups' | 'yes'>> = (
  { args, flags },
  context,
) =>
  withStackForFlags(
    context,
    flags,
    async (stack) => {
      const { id } = stack;
      if (!flags.yes) {
        if (!context.terminal.interactive)
          throw needsAnswer(`removing stack ${id.stack} needs a confirmation`, '--yes');
        const typed = await askText(context, `Remove stack ${id.stack} and its history? Type its name`);
        if (typed !== id.stack) throw cairnError('CAIRN-CANCELLED', 'the stack was not removed');
      }
      await removeStack(stack, {
        force: flags.force,
        backups: flags.removeBackups,
        preserveConfig: flags.preserveConfig,
      });
      context.stderr.write(`Removed stack ${id.stack}\n`);
      return EXIT.ok;
    },
    args[0],
  );

/** `stack change-secrets-provider` */
export const replaceSecretsProvider: Command = async ({ args: [provider = ''], flags }, context) => {
  checkSecretsProvider(provider);
  await loadProject(context.cwd);
  return withStackForFlags(context, flags, async (stack) => {
    await requireProject(context, stack.id);
    const by = await changeSecretsProvider(stack, provider);
    context.stderr.write(
      `${PROTECTED[by](`The secrets of stack ${stack.id.stack} are protected by`, provider)}\n`,
    );
    return EXIT.ok;
  });
};

const PROTECTED: Readonly<Record<Protection, (protectedBy: string, provider: string) => string>> = {
  key: (by, provider) => `${by} ${provider} now`,
  passphrase: (by) => `${by} a passphrase now`,
  service: (by) => `${by} the state service now`,
  'new-passphrase': (by) => `${by} the new passphrase now: set CAIRN_CONFIG_PASSPHRASE to it from now on`,
};
