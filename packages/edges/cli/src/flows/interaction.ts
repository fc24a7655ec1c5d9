import type { ChangeRow } from '@cairn/backends';
import { unreachable, cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { RESULT_PHRASES } from '@cairn/backends/words';
import type { Interaction, Notice, UserQuestion } from '@cairn/operations/stacks';
import type { StackFlags } from '../flags/operation.js';
import { formatAge } from '../terminal/duration.js';
import { chooseOne, confirm, askSecret, needsAnswer, readLine } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';
import { writeDiagnostics, warnOfSecrets } from '../terminal/tell.js';
import type { EarlierPasses } from './pass-view.js';
import { stackWords } from './stack-choice.js';
import { askNewPassphrase } from '@cairn/crypters';
import { envFlag } from '@cairn/workspace';

/**
 * Returns the interaction with the person at the terminal. The code that displays operations is loaded with the first
 * one.
 */
export function terminalInteraction(context: CommandContext, flags: StackFlags): Interaction {
  const { interactive } = context.terminal;
  const earlier: EarlierPasses = {};
  return {
    attended: interactive,
    passphrase: passphraseQuestion(context),
    newPassphrase: () => newPassphrase(context),
    confirm: (question) => confirm(context, questionText(question)),
    async chooseForUnfinished({ latest, state }) {
      const answer = await chooseOne(
        context,
        `Change ${Number(latest)} is not finished. What do you want to do?`,
        [
          { value: 'resume', label: 'resume', hint: 'continue it' },
          {
            value: 'rollback',
            label: 'roll back',
            hint: 'undo what it has done, after showing what will be done',
          },
          { value: 'start-over', label: 'start over', hint: 'a new update from the current state' },
          { value: 'cancel', label: 'cancel', hint: 'leave everything as it is' },
        ] as const,
        state === 'failed' ? 'start-over' : 'cancel',
      );
      return answer ?? 'cancel';
    },
    async answerDoubts(tasks) {
      const { askInDoubt } = await import('./ask-in-doubt.js');
      return askInDoubt(
        context,
        tasks.filter(({ doubt }) => doubt !== 'creating' || !flags.skipPendingCreates),
      );
    },
    tell: (diagnostics) => writeDiagnostics(context, diagnostics),
    notice: (notice) => tellNotice(context, flags, notice),
    async pass(pass) {
      const { openPassView } = await import('./pass-view.js');
      return openPassView(context, flags, pass, earlier);
    },
  };
}

function questionText({ project, stack }: UserQuestion): string {
  return `Project ${project} has no stack. Create stack ${stack}?`;
}

function warn(line: (text: string) => void, { summary, hint, source }: Diagnostic): void {
  line(`warning: ${summary}`);
  if (source?.line !== undefined) line(`  at ${source.file}:${source.line}`);
  if (hint !== undefined) line(`  hint: ${hint}`);
}

/** Reports completed or awaited work on stderr. */
function tellNotice(context: CommandContext, flags: StackFlags, notice: Notice): void {
  const line = (text: string): void => void context.stderr.write(`${text}\n`);
  switch (notice.t) {
    case 'waiting':
      return line(notice.text);
    case 'login-of-pulumi':
      return line(`Backend ${notice.url}: Pulumi is logged in to it, and Cairn to none (\`cairn login\`)`);
    case 'stack-file':
      return warn(line, notice.warning);
    case 'stack-file-kept':
      return line(`The old file is kept as ${notice.file}`);
    case 'stack-created':
      return line(`Created stack ${notice.stack.stack}`);
    case 'stack-removed':
      return line(`Removed stack ${notice.stack.stack}`);
    case 'passphrase-made':
      return line(
        `No CAIRN_CONFIG_PASSPHRASE given: generated one and stored it in ${notice.file}. Everyone who works on this stack needs it.`,
      );
    case 'state-sealed-anew':
      return line('Encrypted the secrets of the state again, as the stack file requires');
    case 'base-moved':
      return line('Another process has changed the state: the operation begins again on the new state');
    case 'state-kept':
      return line(`The old state is kept in ${notice.place}`);
    case 'secrets-shown':
      return warnOfSecrets(context);
    case 'unfinished':
      return writeDiagnostics(context, [unfinishedNote(notice.row)]);
    case 'overdue':
      return writeDiagnostics(context, [overdueWarning(notice.row, context.now())]);
    case 'nothing-to-do':
      return line(`Nothing to do: ${IDLE[notice.kind === 'destroy' ? 'destroy' : 'up']}`);
    case 'nothing-to-roll-back':
      return writeDiagnostics(context, [nothingToRollBack(notice, stackWords(flags))]);
    default:
      return unreachable(notice);
  }
}

const IDLE = {
  up: 'everything is as the program declares it',
  destroy: 'there is no resource to destroy',
} as const;

/** `stack` contains the words that name the stack in a pasted command. */
function nothingToRollBack(
  { change, earlier }: Notice & { readonly t: 'nothing-to-roll-back' },
  stack: string,
): Diagnostic {
  return {
    severity: 'info',
    code: 'CAIRN-CHANGE-ENDED',
    summary: `change ${change} did nothing: there is nothing to roll back`,
    ...(earlier !== undefined && {
      hint: `Run \`cairn rollback ${earlier.id}${stack}\` to roll back the change before it, or \`cairn changes${stack}\` to list the changes.`,
    }),
  };
}

/** Describes a change that runs or did not end, with the available actions. */
function unfinishedNote({ id, kind, running, result, tasks }: ChangeRow): Diagnostic {
  // A step that was begun and has not ended: its process works on it while the change runs.
  const begun = tasks.doubt === 0 ? '' : `, ${tasks.doubt} ${running ? 'under way' : 'in doubt'}`;
  const counts = `${tasks.done} done${begun}`;
  const what = running ? 'runs' : RESULT_PHRASES[result ?? 'interrupted'];
  return {
    severity: 'info',
    code: 'CAIRN-UNFINISHED',
    summary: `change ${id} (${kind}) ${what}: ${counts}`,
    hint: running
      ? `Run \`cairn follow ${id}\` to follow it, or \`cairn abort ${id}\` to stop it.`
      : `Run \`cairn resume ${id}\` to continue it, \`cairn rollback ${id}\` to roll it back, or \`cairn change ${id}\` to show it.`,
  };
}

/** Returns the repeated warning about an unfinished change that has rested for too long. */
function overdueWarning({ id, spawned }: Pick<ChangeRow, 'id' | 'spawned'>, now: Date): Diagnostic {
  return {
    severity: 'warning',
    code: 'CAIRN-UNFINISHED',
    summary: `change ${id} was begun ${formatAge(new Date(spawned), now)} and is still not finished`,
    hint: `The older it is, the more may have changed since. Run \`cairn resume ${id}\` to continue it, or \`cairn rollback ${id}\` to roll it back.`,
  };
}

/**
 * Returns the question for the passphrase of a stack, or undefined if it cannot be asked. `CAIRN_TEST_PASSPHRASE` and
 * `PULUMI_TEST_PASSPHRASE` allow it without a terminal [SEC-4].
 */
function passphraseQuestion(context: CommandContext): Interaction['passphrase'] {
  if (context.terminal.interactive) return (message) => askSecret(context, message);
  return envFlag(context.env, 'TEST_PASSPHRASE') ? (message) => typedLine(context, message) : undefined;
}

async function typedLine(context: CommandContext, message: string): Promise<string | undefined> {
  context.stderr.write(`${message}: `);
  return readLine(context);
}

/** Asks for the new passphrase of a stack: twice on a terminal, or else it reads the first line of stdin [SEC-4]. */
async function newPassphrase(context: CommandContext): Promise<string> {
  if (context.terminal.interactive)
    return askNewPassphrase((message) => ask(context, message), {
      first: 'Enter the new passphrase to protect config/secrets',
      again: 'Re-enter it to confirm',
      failed: 'nothing was changed',
    });
  const passphrase = (await readLine(context)) ?? '';
  if (passphrase === '') throw needsAnswer('no new passphrase was given', 'it on stdin');
  return passphrase;
}

async function ask(context: CommandContext, message: string): Promise<string> {
  const answer = await askSecret(context, message);
  if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
  return answer;
}
