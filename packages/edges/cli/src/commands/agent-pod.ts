import path from 'node:path';
import { runPodPart } from '@cairn/agent';
import { EXIT } from '@cairn/diagnostics';
import type { CommandContext } from '../command-context.js';

/** `agent --pod-work`: stdout has lines for the agent that started the pod. */
export async function runPodOf(context: CommandContext, file: string): Promise<number> {
  const { command, words } = context.self;
  await runPodPart(path.resolve(context.cwd, file), {
    folder: context.cwd,
    env: context.env,
    cairn: { command, words: words.slice(0, words.length - context.argv.length) },
    write: (text) => void context.stdout.write(text),
    onStop: (listener) => context.onInterrupt(listener),
  });
  return EXIT.ok;
}
