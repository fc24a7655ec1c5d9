import { runAgent } from '@cairn/agent';
import { EXIT } from '@cairn/diagnostics';
import { parseListenAddress } from '../flows/listen-address.js';
import { backendOfUser, readAgentFile, serviceOf } from '../flows/agent-file.js';
import { cairnVersion } from '../flows/version.js';
import type { Command } from '../command-spec.js';
import type { agentFlags } from '../flags/agent.js';
import type { FlagValues } from '../flags/flag-spec.js';
import { agentLog } from './agent-log.js';

/** `agent`: runs until an interrupt. The log is on stderr, and the way in which it ended is the only line on stdout. */
export const run: Command<FlagValues<typeof agentFlags>> = async ({ flags }, context) => {
  if (flags.podWork !== undefined) return (await import('./agent-pod.js')).runPodOf(context, flags.podWork);
  const service = serviceOf(flags);
  if (service !== undefined) return (await import('./agent-service.js')).runAgentOf(context, service, flags);
  const config = await readAgentFile(context, flags);
  const { command, words } = context.self;
  const end = await runAgent(
    config,
    {
      env: { ...context.env, CAIRN_DEFAULT_BACKEND_URL: await backendOfUser(context) },
      version: cairnVersion(),
      cairn: { command, words: words.slice(0, words.length - context.argv.length) },
      log: agentLog(context, flags.json),
      onStop: (listener) => context.onInterrupt(listener),
      listen: flags.listen === undefined ? undefined : parseListenAddress(flags.listen, 'listen'),
    },
    flags.once,
  );
  context.stdout.write(`${end}\n`);
  return EXIT.ok;
};
