import { EXIT, cairnError } from '@cairn/diagnostics';
import {
  accountAt,
  backendHere,
  cancelOperation,
  logIn,
  upgradeBackend,
  userOf,
} from '@cairn/operations/stacks';
import { goStruct } from '@cairn/state';
import { backendAddress, isServiceUrl, logOut, logOutOfAll, readCredentials } from '@cairn/workspace';
import { isConfirmed } from '../flows/confirm.js';
import { exchangeOf } from '../flows/oidc-exchange.js';
import type { OidcFlags } from '../flows/oidc-exchange.js';
import { withStackForFlags } from '../flows/open-stack.js';
import { BACKEND_ORIGINS } from '../flows/backend-origins.js';
import { portsOf } from '../flows/ports.js';
import { stackChoice } from '../flows/stack-choice.js';
import { writeDiagnostics } from '../terminal/tell.js';
import { printJson } from '../terminal/json-output.js';
import { askSecret, askText, chooseOne, confirm, needsAnswer } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';

/** `login` */
export const login: Command<
  Texts<'cloudUrl' | OidcFlags> & Switches<'browser' | 'interactive' | 'local'>
> = async ({ args, flags }, context) => {
  const named = backendNamed(args[0], flags);
  const known = flags.interactive && named === undefined ? await knownBackend(context) : undefined;
  const given = named ?? known ?? flags.backendUrl;
  const askToken = context.terminal.interactive ? () => askSecret(context, 'Access token') : undefined;
  if (flags.browser && (given === undefined || !isServiceUrl(given)))
    throw cairnError('CAIRN-USAGE', 'cannot sign in with a browser: the backend is not a state service', {
      hint: 'Give the address of the service.',
    });
  const source = {
    ask: askToken,
    exchange: await exchangeOf(context, flags),
    given: flags.browser ? await browserToken(context, given as string) : undefined,
  };
  const { url, username } = await logIn(portsOf(context, flags), stackChoice(flags), given, source);
  context.stderr.write(`Logged in to ${url}${username === undefined ? '' : ` as ${username}`}\n`);
  return EXIT.ok;
};

/** The server that waits for a browser is loaded when one is used. */
async function browserToken(context: CommandContext, url: string): Promise<string> {
  const { tokenFromBrowser } = await import('../flows/browser-login.js');
  return tokenFromBrowser(context, url);
}

/** Returns the backend that argument and flags name. They must not contradict each other. */
function backendNamed(
  argument: string | undefined,
  flags: Texts<'cloudUrl'> & Switches<'local'>,
): string | undefined {
  const cloud = flags.cloudUrl;
  if ([flags.local, argument !== undefined, cloud !== undefined].filter(Boolean).length > 1) {
    throw cairnError('CAIRN-USAGE', '--local, --cloud-url and a URL cannot be given together', {
      hint: 'Give one of them.',
    });
  }
  return flags.local ? 'file://~' : (argument ?? cloud);
}

/** Asks the user to choose one of the backends used before. */
async function knownBackend(context: CommandContext): Promise<string | undefined> {
  const { accounts, current } = await readCredentials(userOf(context));
  const urls = [...accounts.keys()];
  const [first] = urls;
  if (first === undefined) return undefined;
  if (!context.terminal.interactive) throw needsAnswer('no backend named', 'its URL as an argument');
  const choices = urls.map((value) => ({ value, label: value }));
  const chosen = await chooseOne(context, 'Backend', choices, current ?? first);
  if (chosen === undefined) throw cairnError('CAIRN-CANCELLED', 'no backend was chosen');
  return chosen;
}

/** `logout` */
export const logout: Command<Switches<'all' | 'local'> & Texts<'cloudUrl'>> = async (
  { args, flags },
  context,
) => {
  const user = userOf(context);
  if (flags.all) {
    await logOutOfAll(user);
    context.stderr.write('Logged out of every backend\n');
    return EXIT.ok;
  }
  const named = backendNamed(args[0], flags) ?? flags.backendUrl ?? (await readCredentials(user)).current;
  if (named === undefined) {
    context.stderr.write('Not logged in to any backend\n');
    return EXIT.ok;
  }
  const url = backendAddress(named);
  const known = await logOut(user, url);
  context.stderr.write(known ? `Logged out of ${url}\n` : `Not logged in to ${url}\n`);
  return EXIT.ok;
};

/** `whoami` */
export const whoami: Command<Switches<'json' | 'verbose'>> = async ({ flags }, context) => {
  const ports = portsOf(context, flags);
  const { url, origin } = (await backendHere(ports, stackChoice(flags))).choice;
  const { username: user, organizations } = await accountAt(ports, url);
  if (flags.json)
    printJson(context, goStruct({ user, ...(organizations.length === 0 ? {} : { organizations }), url }));
  else if (flags.verbose)
    context.stdout.write(
      `User: ${user}\n${organizations.length === 0 ? '' : `Organizations: ${organizations.join(', ')}\n`}` +
        `Backend URL: ${url}\nChosen by: ${BACKEND_ORIGINS[origin]}\n`,
    );
  else context.stdout.write(`${user}\n`);
  return EXIT.ok;
};

/** `cancel`: asks first on a terminal. Elsewhere it needs no confirmation, because scripts rely on that. */
export const cancel: Command<Switches<'yes'>> = ({ args, flags }, context) =>
  withStackForFlags(
    context,
    flags,
    async ({ backend, id }) => {
      if (!flags.yes && context.terminal.interactive) {
        const question = `Release the lock of stack ${id.stack}? Operations that still work on it will be cut off.`;
        if (!(await confirm(context, question)))
          throw cairnError('CAIRN-CANCELLED', 'the lock was not released');
      }
      const released = await cancelOperation({ backend, id });
      context.stderr.write(
        released ? `Released the lock of stack ${id.stack}\n` : `Stack ${id.stack} is not locked\n`,
      );
      return EXIT.ok;
    },
    args[0],
  );

/** `state upgrade` */
export const upgrade: Command = async ({ flags }, context) => {
  const { choice } = await backendHere(portsOf(context, flags), stackChoice(flags));
  if (!isConfirmed(context, flags)) {
    if (!context.terminal.interactive)
      throw needsAnswer('this moves stacks and needs a confirmation', '--yes');
    const question = `Move the stacks of ${choice.url} into their projects? Older versions of other tools will no longer see them`;
    if (!(await confirm(context, question))) throw cairnError('CAIRN-CANCELLED', 'nothing was moved');
  }
  const { moved, warnings } = await upgradeBackend(portsOf(context, flags), choice, {
    projectOf: (stack) => askProject(context, stack),
    onStack: (done, all) => context.stderr.write(`${done} of ${all} stacks\n`),
  });
  writeDiagnostics(context, warnings);
  for (const { project: to, stack } of moved)
    context.stdout.write(`${stack} is now organization/${to}/${stack}\n`);
  if (moved.length + warnings.length === 0) context.stderr.write('No stacks have the old layout\n');
  return warnings.length === 0 ? EXIT.ok : EXIT.general;
};

/** Asks for the project of a stack whose state names none. Without a terminal, the stack stays where it is. */
async function askProject(context: CommandContext, stack: string): Promise<string | undefined> {
  if (!context.terminal.interactive) return undefined;
  const answer = await askText(
    context,
    `Stack ${stack} has no resources. Project to move it to (empty: do not move it)`,
  );
  return answer === undefined || answer === '' ? undefined : answer;
}
