import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { fullStackName } from '@cairn/backends';
import type { Backend, StackId } from '@cairn/backends';
import { EXIT } from '@cairn/diagnostics';
import { withBackendHere } from '@cairn/operations/stacks';
import { serviceLog, startConsole } from '@cairn/state-server';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { StackFlags } from '../flags/operation.js';
import { withStackForFlags } from '../flows/open-stack.js';
import { portsOf } from '../flows/ports.js';
import { startChildProcess } from '../flows/start-process.js';
import { openServiceStore } from '../flows/service-store.js';
import { stackChoice } from '../flows/stack-choice.js';
import { cairnVersion } from '../flows/version.js';

/** `console`: a link is the only line on stdout. Over a bucket, the console runs here until an interrupt. */
export const run: Command<StackFlags> = async ({ flags }, context) => {
  if (flags.stack !== undefined)
    return withStackForFlags(context, flags, ({ backend, id }) =>
      openConsole(backend, backend.url, context, `?to=${encodeURIComponent(fullStackName(id))}`),
    );
  return withBackendHere(portsOf(context, flags), stackChoice(flags), (backend, url) =>
    openConsole(backend, url, context, ''),
  );
};

/** Opens the console. `query` names the stack that it shows first. */
async function openConsole(
  backend: Backend,
  url: string,
  context: CommandContext,
  query: string,
): Promise<number> {
  const shown = (link: string): void => {
    context.stdout.write(`${link.replace('#', `${query}#`)}\n`);
    context.stderr.write('Open this address in a browser within 5 minutes. It works once.\n');
  };
  if (backend.service === undefined) return overBucket(backend, url, context, shown);
  shown(await backend.service.consoleLink());
  return EXIT.ok;
}

async function overBucket(
  backend: Backend,
  url: string,
  context: CommandContext,
  shown: (link: string) => void,
): Promise<number> {
  const { consolePage } = await import('@cairn/console');
  const store = await openServiceStore(context, { store: url, blobs: undefined });
  const log = serviceLog({
    write: (line) => void (line.includes('"level":50') && context.stderr.write(line)),
  });
  const { now } = context;
  const { link, stop } = await startConsole(
    {
      ...{ store, backend, files: consolePage, user: userInfo().username },
      ...{ now, newId: randomUUID, version: `v${cairnVersion()}` },
      continueChange: (stack, number, how) => continueInBackground(context, url, stack, number, how),
    },
    log,
  );
  shown(link);
  await new Promise<void>((resolve) => {
    const unlisten = context.onInterrupt(() => {
      unlisten();
      resolve();
    });
  });
  await stop();
  return EXIT.ok;
}

/**
 * Runs `cairn resume` or `cairn rollback` from this directory, in a process that outlives the console. The page shows
 * it as any other change. Resolves with the output of a process that ended without a change.
 */
async function continueInBackground(
  { self, env }: CommandContext,
  url: string,
  stack: StackId,
  number: number,
  how: 'resume' | 'rollback',
): Promise<string | undefined> {
  const words = [how, String(number), '--stack', fullStackName(stack), '--yes', '--detach'];
  const child = await startChildProcess(self.command, [...self.start, ...words], {
    cwd: self.directory,
    // The page has shown the plan.
    env: { ...env, CAIRN_BACKEND_URL: url, CAIRN_OPTION_SKIP_PREVIEW: 'true' } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return code === EXIT.ok ? undefined : said.trim();
}
