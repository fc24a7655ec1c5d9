import { createInterface } from 'node:readline';
import type { CommonOptions } from '@clack/prompts';
import { cairnError } from '@cairn/diagnostics';
import type { CommandContext } from '../command-context.js';
import { visible } from './controls.js';

/** Options of {@link chooseOne}. */
export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/**
 * Asks with the streams of the context. A signal to terminate answers like an interrupt at the keyboard [CLI-9], so
 * that the caller can release its resources.
 */
async function asking<T>(
  context: CommandContext,
  ask: (options: Pick<CommonOptions, 'input' | 'output' | 'signal'>) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const stop = context.onInterrupt(() => abort.abort());
  try {
    return await ask({ input: context.stdin, output: context.raw.stderr, signal: abort.signal });
  } finally {
    stop();
  }
}

/**
 * Asks a yes-or-no question. The safe answer is the default, and an interrupt answers no. Call it only if interactive.
 */
export async function confirm(context: CommandContext, message: string): Promise<boolean> {
  const { confirm: ask, isCancel } = await import('@clack/prompts');
  const answer = await asking(context, (streams) =>
    ask({ message: visible(message), initialValue: false, ...streams }),
  );
  return isCancel(answer) ? false : answer;
}

/** Asks for one of several answers. Returns undefined if interrupted. */
export async function chooseOne<T extends string>(
  context: CommandContext,
  message: string,
  choices: readonly Choice<T>[],
  initial: T,
): Promise<T | undefined> {
  const { select, isCancel } = await import('@clack/prompts');
  const options = choices.map(({ value, label, hint }) => ({
    value: value as string,
    label: visible(label),
    ...(hint === undefined ? {} : { hint: visible(hint) }),
  }));
  const answer = await asking(context, (streams) =>
    select<string>({ message: visible(message), options, initialValue: initial, ...streams }),
  );
  return isCancel(answer) ? undefined : (answer as T);
}

/** Asks for a line of text. Returns undefined if interrupted. */
export async function askText(
  context: CommandContext,
  message: string,
  placeholder?: string,
): Promise<string | undefined> {
  const { text, isCancel } = await import('@clack/prompts');
  const answer = await asking(context, (streams) =>
    text({
      message: visible(message),
      ...(placeholder === undefined ? {} : { placeholder, defaultValue: placeholder }),
      ...streams,
    }),
  );
  return isCancel(answer) ? undefined : answer;
}

/** Asks for a text without showing it. Returns undefined if interrupted. */
export async function askSecret(context: CommandContext, message: string): Promise<string | undefined> {
  const { password, isCancel } = await import('@clack/prompts');
  const answer = await asking(context, (streams) => password({ message: visible(message), ...streams }));
  return isCancel(answer) ? undefined : answer;
}

/** Returns the error for a question that cannot be asked. It names the flag that would have answered [CLI-3]. */
export function needsAnswer(what: string, flag: string): Error {
  return cairnError('CAIRN-NEEDS-CONFIRMATION', what, {
    hint: `This is not an interactive terminal: pass ${flag}.`,
  });
}

const lines = new WeakMap<object, AsyncIterator<string>>();

/**
 * Returns the next line of stdin, for a question that is answered without a terminal, or undefined at the end. Later
 * lines remain for the next question.
 */
export async function readLine(context: CommandContext): Promise<string | undefined> {
  const stdin = context.stdin as CommandContext['stdin'] & { ref?(): void; unref?(): void };
  let reader = lines.get(stdin);
  if (reader === undefined) {
    reader = createInterface({ input: stdin, crlfDelay: Infinity })[Symbol.asyncIterator]();
    lines.set(stdin, reader);
  }
  stdin.ref?.();
  const { done, value } = await reader.next();
  // A writer that leaves its end open does not keep the command from ending.
  stdin.unref?.();
  return done === true ? undefined : value;
}

/** Returns all of stdin as text, without the trailing line break unless it is `raw`. */
export async function readStdin(
  context: CommandContext,
  { raw = false }: { readonly raw?: boolean } = {},
): Promise<string> {
  const text = (await readBytes(context)).toString('utf8');
  return raw ? text : text.replace(/\r?\n$/, '');
}

/** Returns all of stdin. */
export async function readBytes(context: CommandContext): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of context.stdin) chunks.push(Buffer.from(chunk as Uint8Array | string));
  return Buffer.concat(chunks);
}
