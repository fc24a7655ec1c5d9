import { ORGANIZATION, fullStackName } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { EXIT, cairnError } from '@cairn/diagnostics';
import {
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
import { checkSecretsProvider, loadProject } from '@cairn/workspace';
import { createStack, withStack } from '../session/open-stack.js';
import { portsOf } from '../session/ports.js';
import { isFull, stackChoice } from '../session/stack-choice.js';
import { formatAge } from '../terminal/duration.js';
import { printJson } from '../terminal/json-output.js';
import { askText, chooseOne, needsAnswer } from '../terminal/prompt.js';
import type { World } from '../world.js';
import type { Command, Flags } from '../command-spec.js';

/** `stack init` */
export const init: Command = async ({ args, flags }, world) => {
  const name = args[0] ?? flags.text('stack') ?? (await askName(world, flags));
  const from = flags.text('copy-config-from');
  const stack = await createStack(world, flags, name, { select: !flags.on('no-select') });
  world.stderr.write(`Created stack ${name}\n`);
  if (from !== undefined)
    await copyConfig(portsOf(world, flags), stackChoice(flags, from), { dest: stack.stack });
  return EXIT.ok;
};

async function askName(world: World, flags: Flags): Promise<string> {
  await loadProject(world.cwd);
  if (!world.terminal.interactive || flags.on('yes'))
    throw needsAnswer('no name for the new stack', 'the name as an argument');
  const name = await askText(world, 'Name of the stack', 'dev');
  if (name === undefined) throw cairnError('CAIRN-CANCELLED', 'no stack was created');
  return name;
}

/** `stack ls` */
export const list: Command = async ({ flags }, world) => {
  const organization = flags.text('organization');
  if (organization !== undefined && organization !== ORGANIZATION)
    world.stderr.write(
      `note: there is no organization ${organization}: a backend has one, and its stacks are listed\n`,
    );
  const found = await listStacks(portsOf(world, flags), stackChoice(flags), {
    all: flags.on('all'),
    project: flags.text('project'),
    tag: flags.text('tag'),
  });
  const stacks = found.map((stack) => (isFull(flags) ? { ...stack, name: fullStackName(stack) } : stack));
  if (flags.on('json')) {
    const rows = stacks.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    printJson(world, rows.map(stackJson));
  } else printStacks(world, stacks);
  return EXIT.ok;
};

function stackJson({ name, current, lastUpdate, resources }: ListedStack) {
  return goStruct({
    ...{ name, current },
    ...(lastUpdate === undefined ? {} : { lastUpdate: new Date(lastUpdate).toISOString() }),
    ...(resources === undefined ? {} : { resourceCount: resources }),
  });
}

function printStacks(world: World, stacks: readonly ListedStack[]): void {
  const width = Math.max(4, ...stacks.map(({ name }) => name.length + 1));
  world.stdout.write(`${'NAME'.padEnd(width)}  ${'LAST UPDATE'.padEnd(16)}  RESOURCES\n`);
  for (const { name, current, resources, lastUpdate } of stacks) {
    const updated =
      resources === undefined || lastUpdate === undefined
        ? 'n/a'
        : formatAge(new Date(lastUpdate), world.now());
    const marked = (name + (current ? '*' : '')).padEnd(width);
    world.stdout.write(`${marked}  ${updated.padEnd(16)}  ${resources ?? 'n/a'}\n`);
  }
}

/** `stack unselect` */
export const unselect: Command = async ({ flags }, world) => {
  if (await unselectStack(portsOf(world, flags), stackChoice(flags)))
    world.stderr.write('Stack was unselected\n');
  return EXIT.ok;
};

/** `stack select` */
export const select: Command = async ({ args, flags }, world) => {
  const { name: project } = await loadProject(world.cwd);
  const given = args[0] ?? flags.text('stack');
  const name = given === undefined ? await chooseStack(world, flags) : stackHere(world, given, project);
  if (await selectStack(portsOf(world, flags), stackChoice(flags, name))) return EXIT.ok;
  if (!flags.on('create')) {
    throw cairnError('CAIRN-STACK-NOT-FOUND', `no stack named '${name}' found in project '${project}'`, {
      hint: `Create it with \`cairn stack select --create ${name}\`.`,
    });
  }
  await createStack(world, flags, name, { select: true });
  world.stderr.write(`Created stack ${name}\n`);
  return EXIT.ok;
};

async function chooseStack(world: World, flags: Flags): Promise<string> {
  if (!world.terminal.interactive) throw needsAnswer('no stack named', 'the name of the stack');
  const names = await stackNames(portsOf(world, flags), stackChoice(flags));
  const [first] = names;
  if (first === undefined) {
    throw cairnError('CAIRN-STACK-NOT-FOUND', 'this project has no stacks', {
      hint: 'Create one with `cairn stack init dev`.',
    });
  }
  const choices = names.map((name) => ({ value: name, label: name }));
  const answer = await chooseOne(world, 'Stack', choices, first);
  if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'no stack was selected');
  return answer;
}

/** `stack rename` */
export const rename: Command = ({ args: [given = ''], flags }, world) =>
  withStack(world, flags, async (stack) => {
    await requireProject(world, stack.id);
    const renamed = await renameStack(stack, given);
    world.stdout.write(`Renamed ${stack.id.stack} to ${nameBeside(renamed, stack.id)}\n`);
    world.stderr.write('Its history, backups, tags and changes have gone with it\n');
    if (renamed.project !== stack.id.project)
      world.stderr.write(
        `It is a stack of project ${renamed.project} now: write that name into the project file, and in front of keys of its configuration that begin with ${stack.id.project}:\n`,
      );
    return EXIT.ok;
  });

/**
 * Ensures that the command runs in the project of the stack, because it also changes the stack's configuration file.
 * Throws CAIRN-PROJECT-MISSING elsewhere.
 */
async function requireProject(world: World, { project, stack }: StackId): Promise<void> {
  const { name } = await loadProject(world.cwd);
  if (name === project) return;
  throw cairnError(
    'CAIRN-PROJECT-MISSING',
    `this is the project ${name}, and stack ${stack} is of ${project}`,
    {
      hint: 'Run the command in the directory of that project, or name it with --cwd: the configuration file of the stack is there.',
    },
  );
}

/** `stack rm` */
export const remove: Command = ({ args, flags }, world) =>
  withStack(
    world,
    flags,
    async (stack) => {
      const { id } = stack;
      if (!flags.on('yes')) {
        if (!world.terminal.interactive)
          throw needsAnswer(`removing stack ${id.stack} needs a confirmation`, '--yes');
        const typed = await askText(world, `Remove stack ${id.stack} and its history? Type its name`);
        if (typed !== id.stack) throw cairnError('CAIRN-CANCELLED', 'the stack was not removed');
      }
      await removeStack(stack, {
        force: flags.on('force'),
        backups: flags.on('remove-backups'),
        preserveConfig: flags.on('preserve-config'),
      });
      world.stderr.write(`Removed stack ${id.stack}\n`);
      return EXIT.ok;
    },
    args[0],
  );

/** `stack change-secrets-provider` */
export const protectAnew: Command = async ({ args: [provider = ''], flags }, world) => {
  checkSecretsProvider(provider);
  await loadProject(world.cwd);
  return withStack(world, flags, async (stack) => {
    await requireProject(world, stack.id);
    const by = await changeSecretsProvider(stack, provider);
    world.stderr.write(
      `${PROTECTED[by](`The secrets of stack ${stack.id.stack} are protected by`, provider)}\n`,
    );
    return EXIT.ok;
  });
};

const PROTECTED: Readonly<Record<Protection, (protectedBy: string, provider: string) => string>> = {
  key: (by, provider) => `${by} ${provider} now`,
  passphrase: (by) => `${by} a passphrase now`,
  'new-passphrase': (by) => `${by} the new passphrase now: set CAIRN_CONFIG_PASSPHRASE to it from here on`,
};
