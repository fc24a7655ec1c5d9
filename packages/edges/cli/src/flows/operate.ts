import { cairnError } from '@cairn/diagnostics';
import type { EngineEvent, DoubtResolution, SavedPlan } from '@cairn/engine';
import {
  ImportFileOfPreview,
  STRICT_HINT,
  agree,
  checkOperation,
  countKept,
  endedWell,
  endsIdle,
  opened,
  operate as run,
  parseChangeId,
  placedImport,
  planText,
  previewOperation,
  resolveDoubt,
  resourceChanges,
  resumeOperation,
  rollBackOperation,
  tellIdle,
  withPrepared,
} from '@cairn/operations';
import type {
  Ended,
  RequestedOperation,
  Outcome,
  PlanRules,
  Prepared,
  PreparedChoice,
  RunOptions,
} from '@cairn/operations';
import { firstGiven } from '../flags/flag-spec.js';
import type { OperationFlags } from '../flags/operation.js';
import { answerForm } from '../display/answer-form.js';
import type { CommandContext } from '../command-context.js';
import { exitCode } from './conclude.js';
import { isAgreed, refuseUnconfirmed } from './confirm.js';
import { detach, wantsDetach } from './detach.js';
import { writeImportFile } from './import-file.js';
import { runOptionsOf, heedsProject, optionsFromFlags } from './options.js';
import { stackChoice } from './stack-choice.js';
import { checkGraphFile } from './pass-documents.js';
import { portsOf } from './ports.js';
import { warnOfSecrets } from '../terminal/tell.js';

/** An operation as requested by a command. */
type Wanted = Pick<RequestedOperation, 'kind' | 'imports'> & {
  readonly flags: OperationFlags;
  /** True to show a preview only; nothing is locked or changed. */
  readonly previewOnly: boolean;
};

/** Runs a whole operation: preview, question, the run itself, and its report. Resolves with the exit code. */
export async function runOperationCommand(context: CommandContext, wanted: Wanted): Promise<number> {
  const { kind, flags, previewOnly } = wanted;
  refuseContradiction(flags);
  const operation: RequestedOperation = {
    kind,
    options: optionsFromFlags(flags),
    imports: wanted.imports,
    projectPolicy: heedsProject(flags),
  };
  checkOperation(operation);
  return withOperationStack(
    context,
    flags,
    async (prepared) => {
      if (previewOnly) return onlyPreview(context, flags, prepared, operation);
      refuseUnconfirmed(context, flags);
      if (wantsDetach(context, flags)) return inBackground(context, flags, prepared, operation);
      const rules = kind === 'up' ? await planRules(context, flags) : {};
      const { ask } = flags;
      const onPlan: RunOptions['onPlan'] = ask
        ? (plan) => writePlan(context, flags, prepared, ask, plan)
        : undefined;
      const outcome = await run(prepared, operation, { ...runOptionsOf(context, flags), onPlan }, rules);
      return finish(context, flags, prepared, outcome, operation);
    },
    {
      firstStack: kind === 'up' && !previewOnly ? firstStack(context, flags) : undefined,
      ...withoutProgram(kind, flags),
    },
  );
}

/**
 * Relaxes the requirements of an operation without its program. A refresh or destroy then needs no configuration for
 * it, and a destroy needs no project here either.
 */
function withoutProgram(
  kind: Wanted['kind'],
  flags: OperationFlags,
): Pick<PreparedChoice, 'away' | 'unchecked'> {
  const runs = (kind !== 'refresh' && kind !== 'destroy') || flags.runProgram === true;
  return { away: kind === 'destroy' && !runs, unchecked: !runs || flags.skipConfigValidation === true };
}

/**
 * Refuses flags that contradict `--preview-only`. A preview alone asks nothing that could be answered beforehand, and
 * must not be skipped.
 */
function refuseContradiction(flags: OperationFlags): void {
  if (!flags.previewOnly) return;
  const other = firstGiven(flags, ['yes', 'skipPreview']);
  if (other === undefined) return;
  throw cairnError('CAIRN-USAGE', `--${other} and --preview-only cannot be used together`, {
    hint: `Leave --${other} out to see what would be done, or --preview-only to do it.`,
  });
}

/** Tells how to create the first stack of a project without any: after a question if there is a terminal. */
function firstStack(context: CommandContext, flags: OperationFlags): 'create' | 'ask' | undefined {
  if (flags.yes) return 'create';
  return context.terminal.interactive ? 'ask' : undefined;
}

/**
 * Returns the exit code of a displayed operation. Throws CAIRN-UNEXPECTED-CHANGES if there are changes although none
 * were expected: nothing in the display reports that as a failure.
 */
function codeOfShown(outcome: Outcome): number {
  if (outcome.status !== 'unexpected-changes') return exitCode(outcome);
  const what = outcome.t === 'previewed' ? 'would change' : 'has changed';
  throw cairnError('CAIRN-UNEXPECTED-CHANGES', `no changes were expected, but something ${what}`);
}

/** Runs the work that follows an operation, and returns its exit code. */
async function finish(
  context: CommandContext,
  flags: OperationFlags,
  prepared: Prepared,
  outcome: Outcome,
  operation = outcome.t === 'ended' ? outcome.operation : undefined,
): Promise<number> {
  if (outcome.t === 'ended' && endedWell(outcome)) {
    const { imports, options } = outcome.operation;
    if (imports !== undefined && options.generateCode === true) {
      const { generateCode } = await import('./generate-code.js');
      await generateCode(context, prepared, await placedImport(prepared, imports), {
        out: options.out,
        json: flags.json === true,
      });
    }
    if (options.excludeProtected === true && answerForm(context, flags, 'run') === 'text')
      context.stdout.write(await keptText(prepared, outcome));
  }
  if (outcome.status === 'succeeded' && operation !== undefined && leavesEmpty(operation))
    await tellEmpty(context, flags, prepared);
  return codeOfShown(outcome);
}

/** True if only protected resources can remain in the stack, so that its state is small. */
function leavesEmpty({ kind, options }: RequestedOperation): boolean {
  const { remove, targets = [], excludes = [] } = options;
  return kind === 'destroy' && remove !== true && targets.length === 0 && excludes.length === 0;
}

/** After a destroy that left nothing, names the command that removes the stack itself. */
async function tellEmpty(context: CommandContext, flags: OperationFlags, prepared: Prepared): Promise<void> {
  if (answerForm(context, flags, 'run') !== 'text') return;
  const { backend, id } = prepared;
  const { deployment } = await backend.read(id);
  if ((deployment?.resources ?? []).length > 0) return;
  context.stdout.write(
    `The stack ${id.stack} no longer has resources. Its history and configuration are kept; ` +
      `\`cairn stack rm ${id.stack}\` removes it.\n`,
  );
}

/** Describes the resources left by a destroy that keeps protected ones. */
async function keptText({ backend, id }: Prepared, { result }: Ended): Promise<string> {
  const { delete: deleted = 0 } = resourceChanges(result.summary);
  const kept = await countKept(backend, id);
  const done =
    deleted > 0
      ? 'All unprotected resources were destroyed.'
      : 'There were no unprotected resources to destroy.';
  return `${done}${kept === 0 ? '' : ` There are still ${kept} protected resources, with those that they need.`}\n`;
}

async function onlyPreview(
  context: CommandContext,
  flags: OperationFlags,
  prepared: Prepared,
  operation: RequestedOperation,
): Promise<number> {
  const file = operation.kind === 'up' ? flags.savePlan : undefined;
  const list = flags.importFile;
  const imports = new ImportFileOfPreview();
  const onEvent = list === undefined ? undefined : (event: EngineEvent) => imports.take(event);
  const wants = { make: file !== undefined, onEvent };
  const shown = await previewOperation(prepared, operation, runOptionsOf(context, flags), wants);
  if (file !== undefined && shown.result.plan !== undefined)
    await writePlan(context, flags, prepared, file, shown.result.plan);
  if (list !== undefined && shown.result.summary.result === 'succeeded')
    await writeImportFile(context, prepared, list, imports.file());
  return codeOfShown(shown);
}

/**
 * Shows the preview and asks here, and leaves the rest to a process in the background. Stdout is reserved for the
 * change's id.
 */
async function inBackground(
  context: CommandContext,
  flags: OperationFlags,
  prepared: Prepared,
  operation: RequestedOperation,
): Promise<number> {
  const asks = !isAgreed(context, flags);
  await opened(prepared);
  if (asks && !flags.skipPreview) {
    const ports = portsOf({ ...context, stdout: context.stderr }, flags);
    const runOptions = runOptionsOf(context, flags);
    const shown = await previewOperation({ ...prepared, ports }, operation, runOptions, { asks });
    if (shown.result.summary.result !== 'succeeded') return exitCode(shown);
    if (endsIdle(shown, operation)) {
      tellIdle(prepared, operation);
      return exitCode(shown);
    }
    await agree(shown, runOptions);
  }
  return detach(context, flags, prepared.id, { answered: asks });
}

/**
 * Returns the rules of a plan. `up --plan FILE` takes no step that is not in the plan; `up --strict` takes none that
 * its own preview did not show. Throws CAIRN-USAGE if there is no such file, or no preview to compare with.
 */
async function planRules(context: CommandContext, flags: OperationFlags): Promise<PlanRules> {
  const name = flags.plan;
  const plan =
    name === undefined ? undefined : { name, text: await (await planFiles()).readPlan(context, name) };
  const strict = flags.strict === true || flags.ask !== undefined;
  const without = unshown(context, flags);
  if (strict && without !== undefined)
    throw cairnError('CAIRN-USAGE', `--strict needs the preview that ${without} leaves out`, {
      hint: STRICT_HINT,
    });
  return { plan, strict };
}

/** Returns the flag that suppresses the preview before an update. */
function unshown(context: CommandContext, flags: OperationFlags): string | undefined {
  const named = firstGiven(flags, ['skipPreview', 'json']);
  if (named !== undefined) return `--${named}`;
  return answerForm(context, flags, 'run') === 'text' ? undefined : '--output json';
}

const planFiles = () => import('./saved-plans.js');

/** Writes a plan. Only the user may read it. */
async function writePlan(
  context: CommandContext,
  flags: OperationFlags,
  prepared: Prepared,
  file: string,
  plan: SavedPlan,
): Promise<void> {
  const { savePlan } = await planFiles();
  return savePlan(context, file, await planText(prepared, plan, flags.showSecrets), file === flags.ask);
}

/** `cairn resume [ID]`: continues the stack's newest change where it stopped. Resolves with the exit code. */
export async function resumeChange(
  context: CommandContext,
  flags: OperationFlags,
  id: string | undefined,
): Promise<number> {
  const number = id === undefined ? undefined : parseChangeId(id);
  const now = optionsFromFlags(flags);
  return withOperationStack(context, flags, async (prepared) => {
    if (wantsDetach(context, flags)) return detach(context, flags, prepared.id, { answered: false });
    return finish(
      context,
      flags,
      prepared,
      await resumeOperation(prepared, number, now, runOptionsOf(context, flags)),
    );
  });
}

/**
 * `cairn rollback [ID]`: undoes the newest change, whether it stopped, failed or is complete. It shows what can and
 * cannot be undone, asks, and does it. Resolves with the exit code.
 */
export async function rollBackChange(
  context: CommandContext,
  flags: OperationFlags,
  id: string | undefined,
): Promise<number> {
  const number = id === undefined ? undefined : parseChangeId(id);
  const options = optionsFromFlags(flags);
  return withOperationStack(context, flags, async (prepared) => {
    const { previewOnly = false } = flags;
    if (!previewOnly) refuseUnconfirmed(context, flags);
    if (wantsDetach(context, flags)) return detach(context, flags, prepared.id, { answered: false });
    const runOptions = { ...runOptionsOf(context, flags), previewOnly };
    const going = { options, projectPolicy: heedsProject(flags) };
    return finish(context, flags, prepared, await rollBackOperation(prepared, number, going, runOptions));
  });
}

/**
 * `cairn change resolve NAME --created ID | --not-created | --done | --not-done`: records a person's answer about one
 * step in doubt, and does nothing else. `key` is any name of the step. Resolves with the exit code.
 */
export function resolveTask(
  context: CommandContext,
  flags: OperationFlags,
  key: string,
  answer: DoubtResolution,
): Promise<number> {
  return withOperationStack(context, flags, async (prepared) =>
    exitCode(await resolveDoubt(prepared, key, answer, runOptionsOf(context, flags))),
  );
}

/** Runs work with a stack that is ready for operations. If secrets are shown, it warns of that first. */
export async function withOperationStack<T>(
  context: CommandContext,
  flags: OperationFlags,
  run: (prepared: Prepared) => Promise<T>,
  choice: Pick<PreparedChoice, 'away' | 'firstStack' | 'unchecked'> = {},
): Promise<T> {
  await checkGraphFile(flags);
  const all: PreparedChoice = {
    ...stackChoice(flags),
    ...choice,
    secretsProvider: flags.secretsProvider,
    config: flags.config ?? [],
    client: flags.client,
    configPaths: flags.configPath === true,
  };
  return withPrepared(portsOf(context, flags), all, (prepared) => {
    if (flags.showSecrets) warnOfSecrets(context);
    return run(prepared);
  });
}
