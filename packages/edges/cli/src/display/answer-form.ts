import { cairnError } from '@cairn/diagnostics';
import type { StackFlags } from '../flags/operation.js';
import { isTruthy } from '../terminal/terminal-capabilities.js';
import type { CommandContext } from '../command-context.js';

/**
 * Form of an operation's output on stdout [EVT-1] [EVT-3]. By default it is text for a terminal. With `--json` it is
 * one event on each line, or one document for a preview unless a stream is requested. With `--output json` it is one
 * line at the end.
 */
export type AnswerForm = 'text' | 'events' | 'digest' | 'line';

/** Returns the form of the output. Throws CAIRN-USAGE if the flags contradict each other. */
export function answerForm(
  context: Pick<CommandContext, 'env'>,
  flags: StackFlags,
  which: 'preview' | 'run',
): AnswerForm {
  const output = flags.output ?? 'default';
  if (output !== 'default' && output !== 'json') {
    throw cairnError('CAIRN-USAGE', `--output ${output} is neither default nor json`);
  }
  if (output === 'json' && flags.json) {
    throw cairnError('CAIRN-USAGE', '--json and --output json cannot be given together', {
      hint: '--json writes every event or the whole preview, --output json one line at the end.',
    });
  }
  if (output === 'json') return 'line';
  if (!flags.json) return 'text';
  return which === 'preview' && !streamsPreview(context) ? 'digest' : 'events';
}

function streamsPreview({ env }: Pick<CommandContext, 'env'>): boolean {
  const name = 'ENABLE_STREAMING_JSON_PREVIEW';
  return isTruthy(env[`CAIRN_${name}`] ?? env[`PULUMI_${name}`]);
}
