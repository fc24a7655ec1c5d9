import { visible } from '../terminal/controls.js';
import type { CommandContext } from '../command-context.js';

/** Writes lines of the log of an agent, with facts. */
type Log = (text: string, facts?: Readonly<Record<string, string>>) => void;

/** Returns the log of an agent on stderr, as text or as lines of JSON. */
export function agentLog({ stderr, now }: CommandContext, isJson: boolean): Log {
  return (text, facts = {}) => {
    if (isJson)
      return void stderr.write(`${JSON.stringify({ time: now().toISOString(), message: text, ...facts })}\n`);
    const shown = Object.entries(facts).flatMap(([name, value]) =>
      value === '' ? [] : [`${name}=${value}`],
    );
    stderr.write(`${now().toISOString()} ${visible([text, ...shown].join('  '))}\n`);
  };
}
