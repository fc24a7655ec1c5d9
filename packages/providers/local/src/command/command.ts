import { randomBytes } from 'node:crypto';
import path from 'node:path';
import process from 'node:process';
import { ProviderError, defineResource, s, withoutOwnSecrets } from '@cairn/provider-sdk';
import type { HandlerContext, ValuesOf } from '@cairn/provider-sdk';
import { runCommand } from './run-command.js';
import type { CommandRequest } from './run-command.js';

const inputs = {
  create: s
    .string({ minLength: 1 })
    .describe('Run when the resource is created, and when it changes and update is not given.'),
  update: s.string({ minLength: 1 }).optional().describe('Run when an input changes.'),
  delete: s.string({ minLength: 1 }).optional().describe('Run when the resource is deleted.'),
  triggers: s
    .array(s.any())
    .optional()
    .replaceOnChange()
    .describe('Arbitrary values. When one changes, Cairn runs create again, then delete for the old values.'),
  stdin: s.string().optional().describe('Standard input of the command.'),
  environment: s.map(s.string()).optional().describe('Variables added to the environment of Cairn.'),
  directory: s
    .string({ minLength: 1 })
    .optional()
    .describe('Working directory, relative to the directory of the program, which is the default.'),
  interpreter: s
    .array(s.string(), { minItems: 1 })
    .optional()
    .describe(
      'Command that runs the text, which is its last argument; a POSIX shell with -c gets it in a variable. Default: a shell.',
    ),
};

const outputs = {
  stdout: s.string().describe('Standard output of the last create or update, without the trailing newline.'),
  stderr: s.string().describe('Its standard error, without the trailing newline.'),
};

type Inputs = ValuesOf<typeof inputs>;
type Outputs = ValuesOf<typeof outputs>;

const TAIL_LINES = 10;
const REVEALED = ['create', 'update', 'stdin', 'environment'] as const;

/** Variable that passes the text of a command to a POSIX shell. */
const TEXT = 'CAIRN_COMMAND_TEXT';
/** Script of the shell: it runs the text, without the variable. Every user of the machine can read command lines. */
const RUN_TEXT = `eval "unset ${TEXT}; $${TEXT}"`;

/** Commands run when a resource is created, changed and deleted. The id is random. Import is not supported. */
export const commandResource = defineResource({
  description: 'Commands run at create, update and delete. `customTimeouts` limits how long each may take.',
  inputs,
  outputs,
  compares: 'arguments',
  reveals: { stdout: REVEALED, stderr: REVEALED },

  create: async (given, context) => ({
    id: randomBytes(8).toString('hex'),
    outputs: await run('create', given.create, given, undefined, context),
  }),

  update: async (old, given, context) => {
    // Only commands of later steps changed: there is nothing to do yet.
    if (onlyDeleteChanged(old.inputs, given)) return old.outputs;
    return run('update', given.update ?? given.create, given, old.outputs, context);
  },

  delete: async ({ inputs: given, outputs: last }, context) => {
    if (given.delete !== undefined) await run('delete', given.delete, given, last, context);
  },
});

function onlyDeleteChanged(old: Inputs, given: Inputs): boolean {
  const rest = (all: Inputs): string => JSON.stringify({ ...all, delete: undefined, update: undefined });
  return rest(old) === rest(given) && old.update === given.update;
}

async function run(
  phase: 'create' | 'update' | 'delete',
  command: string,
  given: Inputs,
  last: Outputs | undefined,
  context: HandlerContext,
): Promise<Outputs> {
  const result = await runCommand({
    ...startOf(interpreterOf(given), command, environmentOf(given, last), context),
    directory: path.resolve(context.programDirectory, given.directory ?? '.'),
    stdin: given.stdin,
    signal: context.signal,
  });
  if (result.exitCode !== 0) {
    const how =
      result.exitCode === undefined
        ? `was ended by ${result.endedBy}`
        : `exited with code ${result.exitCode}`;
    // The command itself failed, which is known, so the resource is not in doubt.
    throw new ProviderError(
      'ABORTED',
      context.redact(`the ${phase} command ${how}${tail(result.stderr || result.stdout)}`),
    );
  }
  return { stdout: trimEnd(result.stdout), stderr: trimEnd(result.stderr) };
}

function interpreterOf({ interpreter }: Inputs): readonly string[] {
  if (interpreter !== undefined) return interpreter;
  return process.platform === 'win32' ? ['cmd', '/C'] : ['/bin/sh', '-c'];
}

/**
 * Returns the start of a command. A shell gets the text in a variable, so that it is not on the command line; any other
 * interpreter gets it as an argument.
 */
function startOf(
  interpreter: readonly string[],
  command: string,
  environment: Record<string, string | undefined>,
  context: HandlerContext,
): Pick<CommandRequest, 'line' | 'environment'> {
  if (isPosixShell(interpreter))
    return { line: [...interpreter, RUN_TEXT], environment: { ...environment, [TEXT]: command } };
  if (context.redact(command) !== command)
    context.log.warning(
      `the command contains a secret, which ${interpreter[0] ?? ''} gets on its command line, where other users can read it; use environment or stdin`,
    );
  return { line: [...interpreter, command], environment };
}

/** Tells whether the interpreter takes a script of a POSIX shell as its last argument. */
function isPosixShell(interpreter: readonly string[]): boolean {
  const name = path.basename(interpreter[0] ?? '');
  return /^(?:ba|da|a|k|z)?sh$/.test(name) && /^-[a-z]*c$/.test(interpreter.at(-1) ?? '');
}

/**
 * Returns the environment of a command. With `last`, it passes the output of the previous command to update and delete.
 */
function environmentOf(
  { environment }: Inputs,
  last: Outputs | undefined,
): Record<string, string | undefined> {
  const former =
    last === undefined ? {} : { CAIRN_COMMAND_STDOUT: last.stdout, CAIRN_COMMAND_STDERR: last.stderr };
  return { ...withoutOwnSecrets(process.env), ...former, ...environment };
}

function tail(text: string): string {
  const lines = trimEnd(text).split('\n');
  const shown = lines.slice(-TAIL_LINES).join('\n');
  if (shown === '') return '';
  return lines.length > TAIL_LINES ? `; its last lines:\n${shown}` : `:\n${shown}`;
}

function trimEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}
