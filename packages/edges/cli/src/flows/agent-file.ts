import { hostname } from 'node:os';
import path from 'node:path';
import { parseAgentFile } from '@cairn/agent';
import type { AgentConfig } from '@cairn/agent';
import { cairnError } from '@cairn/diagnostics';
import { readTextFile } from '@cairn/files';
import type { CommandContext } from '../command-context.js';
import type { Texts } from '../flags/flag-spec.js';

/** Flag of all commands of the agent. */
export type AgentFlags = Texts<'config'>;

/** Flags of commands that ask the agent of a file, or a service. */
export type ServedFlags = Texts<'config' | 'service'>;

/** Reads the file of the agent. */
export async function readAgentFile({ cwd }: CommandContext, flags: AgentFlags): Promise<AgentConfig> {
  const file = path.resolve(cwd, flags.config ?? 'agent.yaml');
  const text = await readTextFile(file);
  if (text !== undefined) return parseAgentFile(text, file, hostname());
  throw cairnError('CAIRN-USAGE', `cannot find the file of the agent: there is no ${file}`, {
    hint: 'Name it with --config, or write it: docs/agent.md has an example.',
  });
}
