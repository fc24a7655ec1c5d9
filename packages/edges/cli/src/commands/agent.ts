import { runAgent } from '@cairn/agent';
import { EXIT } from '@cairn/diagnostics';
import { parseListenAddress } from '../flows/listen-address.js';
import { readAgentFile } from '../flows/agent-file.js';
import type { AgentFlags } from '../flows/agent-file.js';
import { cairnVersion } from '../flows/version.js';
import { visible } from '../terminal/controls.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';

/** `agent`: runs until an interrupt. The log is on stderr, and the way in which it ended is the only line on stdout. */
export const run: Command<AgentFlags & Switches<'json' | 'once'> & Texts<'listen'>> = async (
  { flags },
  context,
) => {
  const config = await readAgentFile(context, flags);
  const { command, words } = context.self;
  const end = await runAgent(
    config,
    {
      env: context.env,
      version: cairnVersion(),
      cairn: { command, words: words.slice(0, words.length - context.argv.length) },
      log: flags.json ? jsonLog(context) : textLog(context),
      onStop: (listener) => context.onInterrupt(listener),
      listen: flags.listen === undefined ? undefined : parseListenAddress(flags.listen, 'listen'),
    },
    flags.once,
  );
  context.stdout.write(`${end}\n`);
  return EXIT.ok;
};

type Log = (text: string, facts?: Readonly<Record<string, string>>) => void;

function textLog({ stderr, now }: CommandContext): Log {
  return (text, facts = {}) => {
    const shown = Object.entries(facts).flatMap(([name, value]) =>
      value === '' ? [] : [`${name}=${value}`],
    );
    stderr.write(`${now().toISOString()} ${visible([text, ...shown].join('  '))}\n`);
  };
}

function jsonLog({ stderr, now }: CommandContext): Log {
  return (text, facts = {}) => {
    stderr.write(`${JSON.stringify({ time: now().toISOString(), message: text, ...facts })}\n`);
  };
}
