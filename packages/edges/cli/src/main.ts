import { homedir } from 'node:os';
import path from 'node:path';
import { statSync } from 'node:fs';
import { AddressError } from '@cairn/addresses';
import { EXIT, cairnError, exitStatus, exitStatusFor, isCairnError, messageOf } from '@cairn/diagnostics';
import type { ExitDetail } from '@cairn/diagnostics';
import { openHome } from '@cairn/workspace/home';
import type { CommandSpec } from './command-spec.js';
import type { StackFlags } from './flags/operation.js';
import { parseCommandLine } from './commands/parse.js';
import { commandTable } from './commands/table.js';
import { ANSWER_WORD } from './commands/completion.js';
import { levelOf, wantedOf } from './observe/wanted.js';
import type { Observation } from './observe/observation.js';
import { writeDiagnostics } from './terminal/tell.js';
import { guarded } from './terminal/controls.js';
import { exitDetail } from './terminal/exit-detail.js';
import { detectTerminal } from './terminal/terminal-capabilities.js';
import { errorText, reportStyle } from './terminal/report.js';
import { signalsOf } from './terminal/signals.js';
import type { CommandContext } from './command-context.js';

/** The process without the values that the command line decides. */
type ProcessIo = Omit<CommandContext, 'terminal' | 'raw'>;

/**
 * Runs one command line and resolves with its exit code [CLI-10]. Never throws: errors are written to stderr in the
 * four-part shape.
 */
export async function runCli(io: ProcessIo, table: readonly CommandSpec[] = commandTable): Promise<number> {
  let context = contextFor(io, undefined);
  let detail: ExitDetail = 'as-pulumi';
  let observation: Observation | undefined;
  let early: CommandContext['early'];
  let spec: CommandSpec | undefined;
  let code: number = EXIT.ok;
  try {
    if (io.argv[0] === ANSWER_WORD) return await completed(context);
    detail = exitDetail(io.env);
    const parsed = parseCommandLine(table, io.argv, io.env);
    if (parsed.t === 'text') {
      (parsed.exitCode === EXIT.ok ? context.stdout : context.stderr).write(parsed.text);
      return exitStatus(parsed.exitCode, detail);
    }
    const { flags } = parsed.invocation;
    spec = parsed.spec;
    context = contextFor(io, flags);
    writeDiagnostics(context, openHome({ env: context.env, userHome: context.env['HOME'] ?? homedir() }));
    observation = await observe(context, parsed.spec, flags);
    context = { ...context, observer: observation?.observer };
    early = await parsed.spec.early?.(parsed.invocation, context);
    context = { ...context, early };
    const run = await parsed.spec.load();
    code = exitStatus(await run(parsed.invocation, context), detail);
    return code;
  } catch (thrown) {
    const error = ofBadName(thrown);
    context.stderr.write(errorText(error, reportStyle(context)));
    code = exitCodeOf(error, detail, spec);
    return code;
  } finally {
    await early?.end();
    await observation?.close(code);
  }
}

/** Starts the observation of the command, if it was requested. Otherwise none of its code is loaded. */
async function observe(
  context: CommandContext,
  spec: CommandSpec,
  flags: StackFlags,
): Promise<Observation | undefined> {
  const wanted = wantedOf(context, flags);
  if (wanted === undefined) return undefined;
  const { startObservation } = await import('./observe/observation.js');
  return startObservation(context, spec.path.join(' '), wanted);
}

/** Answers a completion script, which never receives an error. */
async function completed(context: CommandContext): Promise<number> {
  try {
    const { answerCompletion } = await import('./completion/answer.js');
    return await answerCompletion(context);
  } catch {
    return EXIT.ok;
  }
}

/** Converts the error for an invalid name, URN or type: it is the user's mistake, not a bug. */
function ofBadName(thrown: unknown): unknown {
  return thrown instanceof AddressError
    ? cairnError('CAIRN-NAME-INVALID', messageOf(thrown), {}, thrown)
    : thrown;
}

/** Returns the exit code for anything that was thrown. The first diagnostic decides. */
function exitCodeOf(error: unknown, detail: ExitDetail, spec: CommandSpec | undefined): number {
  if (!isCairnError(error)) return EXIT.internal;
  const first = error.diagnostics[0];
  if (first?.code === 'CAIRN-NEEDS-CONFIRMATION' && spec?.unconfirmed === 'general' && detail !== 'fine')
    return EXIT.general;
  return first === undefined ? EXIT.general : exitStatusFor(first.code, detail);
}

function contextFor(io: ProcessIo, flags: StackFlags | undefined): CommandContext {
  const { stdout, stderr } = io;
  const terminal = detectTerminal({
    env: io.env,
    stdinTty: io.stdin.isTTY === true,
    stdoutTty: io.stdout.isTTY === true,
    stderrTty: io.stderr.isTTY === true,
    nonInteractive: flags?.nonInteractive ?? false,
    color: colourChoice(flags?.color),
    // A command may have a flag of this name with a text.
    json: flags?.json === true,
    debug: flags !== undefined && (flags.debug || levelOf(flags) > 0),
  });
  return {
    ...io,
    cwd: directoryFor(io.cwd, flags?.cwd),
    stdout: guarded(stdout, terminal.colour),
    stderr: guarded(stderr, terminal.colour),
    raw: { stdout, stderr },
    terminal,
  };
}

function colourChoice(text: string | undefined): 'auto' | 'always' | 'never' {
  if (text === undefined || text === 'auto' || text === 'always' || text === 'never') return text ?? 'auto';
  if (text === 'raw') return 'never';
  throw cairnError('CAIRN-USAGE', `unsupported color option: ${JSON.stringify(text)}`, {
    hint: 'Use auto, always, never or raw.',
  });
}

function directoryFor(cwd: string, flag: string | undefined): string {
  if (flag === undefined) return cwd;
  const directory = path.resolve(cwd, flag);
  if (!isDirectory(directory)) throw cairnError('CAIRN-USAGE', `--cwd ${flag} is not a directory`);
  return directory;
}

function isDirectory(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch {
    return false;
  }
}

/** Runs the command line of this process and sets its exit code. */
export async function runProcess(): Promise<void> {
  // A reader that has seen enough (`cairn … | head`) closes the pipe. That is not an error, and nothing more is
  // written.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  const code = await runCli({
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    argv: process.argv.slice(2),
    onInterrupt: signalsOf(process),
    now: () => new Date(),
    self: {
      command: process.execPath,
      words: [...process.execArgv, ...process.argv.slice(1)],
      start: [...process.execArgv, ...process.argv.slice(1, 2)],
      directory: process.cwd(),
      calledAs: path.parse(process.argv[1] ?? '').name,
    },
    announce,
  });
  process.exitCode = code;
}

/** Sends the message once, and disconnects: the parent may already be gone. */
function announce(change: string): void {
  if (process.send === undefined || !process.connected) return;
  process.send({ change }, () => {
    if (process.connected) process.disconnect();
  });
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
