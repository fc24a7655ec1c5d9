import { hostname } from 'node:os';
import path from 'node:path';
import { parseAgentFile } from '@cairn/agent';
import type { AgentConfig } from '@cairn/agent';
import { cairnError } from '@cairn/diagnostics';
import { readTextFile } from '@cairn/files';
import { userOf } from '@cairn/operations/stacks';
import { chooseBackend, directoryUrl } from '@cairn/workspace';
import type { CommandContext } from '../command-context.js';
import { firstGiven } from '../flags/flag-spec.js';
import type { Texts } from '../flags/flag-spec.js';

/** Flag of all commands of the agent. */
export type AgentFlags = Texts<'config'>;

/** Flags of commands that ask the agent of a file, or a service. */
export type ServedFlags = Texts<'config' | 'service'>;

/** Flags that mean something for the agents of a service alone. */
const OF_SERVICE = ['org', 'pool', 'name', 'places', 'state', 'localSources', 'pulls'] as const;

/** Refuses flags of a service for the agent of a file, and the other way round. Returns the address of the service. */
export function serviceOf(
  flags: Partial<ServedFlags> & { readonly [Flag in (typeof OF_SERVICE)[number]]?: unknown },
): string | undefined {
  const wrong = firstGiven(flags, flags.service === undefined ? OF_SERVICE : ['config']);
  if (wrong === undefined) return flags.service;
  if (flags.service !== undefined)
    throw cairnError('CAIRN-USAGE', `--${wrong} cannot be used with --service`, {
      hint: 'The service keeps the settings of its stacks: leave one of the flags out.',
    });
  throw cairnError('CAIRN-USAGE', `--${wrong} needs --service`, {
    hint: 'Name the address of the state service with --service, or leave the flag out.',
  });
}

/** Reads the file of the agent. */
export async function readAgentFile({ cwd }: CommandContext, flags: AgentFlags): Promise<AgentConfig> {
  const file = path.resolve(cwd, flags.config ?? 'agent.yaml');
  const text = await readTextFile(file);
  if (text !== undefined) return parseAgentFile(text, file, hostname());
  throw cairnError('CAIRN-USAGE', `cannot find the file of the agent: there is no ${file}`, {
    hint: 'Name it with --config, or write it: docs/agent.md has an example.',
  });
}

/** Returns the backend of the agent's user, for processes that have another home [CFG-13]. */
export async function backendOfUser(context: CommandContext): Promise<string> {
  const user = userOf(context);
  const { url } = await chooseBackend(user, undefined);
  return url.replace(/^file:\/\/~(?=\/|$)/, () => directoryUrl(user.userHome));
}
