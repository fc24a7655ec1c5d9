import { userInfo } from 'node:os';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { backendHere, cancelOperation, logIn, upgradeBackend, userOf } from '@cairn/operations/stacks';
import { goStruct } from '@cairn/state';
import { logOut, logOutOfAll, readCredentials } from '@cairn/workspace';
import { isConfirmed } from '../session/confirm.js';
import { withStack } from '../session/open-stack.js';
import { BACKEND_ORIGINS } from '../session/backend-origins.js';
import { portsOf } from '../session/ports.js';
import { stackChoice } from '../session/stack-choice.js';
import { tell } from '../terminal/tell.js';
import { printJson } from '../terminal/json-output.js';
import { askText, chooseOne, confirm, needsAnswer } from '../terminal/prompt.js';
import type { World } from '../world.js';
import type { Command, Flags } from '../command-spec.js';

/** `login` */
export const login: Command = async ({ args, flags }, world) => {
  const named = backendNamed(args[0], flags);
  const known = flags.on('interactive') && named === undefined ? await knownBackend(world) : undefined;
  const given = named ?? known ?? flags.text('backend-url');
  const url = await logIn(portsOf(world, flags), stackChoice(flags), given);
  world.stderr.write(`Logged in to ${url}\n`);
  return EXIT.ok;
};

/** Returns the backend that argument and flags name. They must not contradict each other. */
function backendNamed(argument: string | undefined, flags: Flags): string | undefined {
  const cloud = flags.text('cloud-url');
  if ([flags.on('local'), argument !== undefined, cloud !== undefined].filter(Boolean).length > 1) {
    throw cairnError('CAIRN-USAGE', '--local, --cloud-url and a URL cannot be given together', {
      hint: 'Give one of them.',
    });
  }
  return flags.on('local') ? 'file://~' : (argument ?? cloud);
}

/** Asks the user to choose one of the backends used before. */
async function knownBackend(world: World): Promise<string | undefined> {
  const { accounts, current } = await readCredentials(userOf(world));
  const urls = [...accounts.keys()];
  const [first] = urls;
  if (first === undefined) return undefined;
  if (!world.terminal.interactive) throw needsAnswer('no backend named', 'its URL as an argument');
  const choices = urls.map((value) => ({ value, label: value }));
  const chosen = await chooseOne(world, 'Backend', choices, current ?? first);
  if (chosen === undefined) throw cairnError('CAIRN-CANCELLED', 'nobody was logged in');
  return chosen;
}

/** `logout` */
export const logout: Command = async ({ args, flags }, world) => {
  const user = userOf(world);
  if (flags.on('all')) {
    await logOutOfAll(user);
    world.stderr.write('Logged out of every backend\n');
    return EXIT.ok;
  }
  const url =
    backendNamed(args[0], flags) ?? flags.text('backend-url') ?? (await readCredentials(user)).current;
  if (url === undefined) {
    world.stderr.write('Not logged in to any backend\n');
    return EXIT.ok;
  }
  const known = await logOut(user, url);
  world.stderr.write(known ? `Logged out of ${url}\n` : `Not logged in to ${url}\n`);
  return EXIT.ok;
};

/** `whoami` */
export const whoami: Command = async ({ flags }, world) => {
  const user = userInfo().username;
  const { url, origin } = (await backendHere(portsOf(world, flags), stackChoice(flags))).choice;
  if (flags.on('json')) printJson(world, goStruct({ user, url }));
  else if (flags.on('verbose'))
    world.stdout.write(`User: ${user}\nBackend URL: ${url}\nChosen by: ${BACKEND_ORIGINS[origin]}\n`);
  else world.stdout.write(`${user}\n`);
  return EXIT.ok;
};

/** `cancel`: asks first on a terminal. Elsewhere it needs no confirmation, because scripts rely on that. */
export const cancel: Command = ({ args, flags }, world) =>
  withStack(
    world,
    flags,
    async ({ backend, id }) => {
      if (!flags.on('yes') && world.terminal.interactive) {
        const question = `Release the lock of stack ${id.stack}? Whoever still works on it will be cut off.`;
        if (!(await confirm(world, question)))
          throw cairnError('CAIRN-CANCELLED', 'the lock was not released');
      }
      const released = await cancelOperation({ backend, id });
      world.stderr.write(
        released.length === 0
          ? `Stack ${id.stack} is not locked\n`
          : `Released the lock of stack ${id.stack}\n`,
      );
      return EXIT.ok;
    },
    args[0],
  );

/** `state upgrade` */
export const upgrade: Command = async ({ flags }, world) => {
  const { choice } = await backendHere(portsOf(world, flags), stackChoice(flags));
  if (!isConfirmed(world, flags)) {
    if (!world.terminal.interactive) throw needsAnswer('this moves stacks and needs a confirmation', '--yes');
    const question = `Move the stacks of ${choice.url} into their projects? Older versions of other tools will not see them any more`;
    if (!(await confirm(world, question))) throw cairnError('CAIRN-CANCELLED', 'nothing was moved');
  }
  const { moved, warnings } = await upgradeBackend(portsOf(world, flags), choice, {
    projectOf: (stack) => askProject(world, stack),
    onStack: (done, all) => world.stderr.write(`${done} of ${all} stacks\n`),
  });
  tell(world, warnings);
  for (const { project: to, stack } of moved)
    world.stdout.write(`${stack} is now organization/${to}/${stack}\n`);
  if (moved.length + warnings.length === 0) world.stderr.write('There are no stacks of the old layout\n');
  return warnings.length === 0 ? EXIT.ok : EXIT.general;
};

/** Asks for the project of a stack whose state names none. Without a terminal, the stack stays where it is. */
async function askProject(world: World, stack: string): Promise<string | undefined> {
  if (!world.terminal.interactive) return undefined;
  const answer = await askText(world, `Stack ${stack} has no resources. Its project (empty: leave it)`);
  return answer === undefined || answer === '' ? undefined : answer;
}
