import path from 'node:path';
import { FileProblems, MapReader, parseYaml } from '@cairn/workspace';
import { readExecutorMap } from './read-executor.js';
import type { ExecutorSettings } from './read-executor.js';

/**
 * Parses a file with the executor of all runs of an agent. Its keys are those of `executor` in the agent's file. Fails
 * with `CAIRN-AGENT-INVALID`.
 */
export function parseExecutorFile(text: string, file: string): ExecutorSettings {
  const problems = new FileProblems(file, 'executor file', 'CAIRN-AGENT-INVALID');
  const { root } = parseYaml(text, problems);
  if (root?.kind !== 'map')
    return problems.fail({ line: 1, column: 1 }, 'it must be a map of keys', 'Write at least kind:.');
  const settings = readExecutorMap(new MapReader(root, '', problems), path.dirname(file));
  problems.check();
  return settings;
}
