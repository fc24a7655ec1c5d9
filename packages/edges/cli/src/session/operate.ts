import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { EngineEvent, Resolution, SavedPlan } from '@cairn/engine';
import {
  ImportFileOfPreview,
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
  preview,
  resolveDoubt,
  resourceChanges,
  resume,
  rollBack,
  tellIdle,
  withPrepared,
} from '@cairn/operations';
import type { Ended, Operation, Outcome, PlanRules, Prepared, PreparedChoice } from '@cairn/operations';
import type { Flags } from '../command-spec.js';
import { answerForm } from '../display/answer-form.js';
import type { World } from '../world.js';
import { exitCode } from './conclude.js';
import { isAgreed, refuseUnconfirmed } from './confirm.js';
import { detach, wantsDetach } from './detach.js';
import { writeImportFile } from './import-file.js';
import { conductOf, heedsProject, operationOptions } from './options.js';
import { isOn, stackChoice, textOf } from './stack-choice.js';
import { checkGraphFile } from './pass-documents.js';
import { portsOf } from './ports.js';
import { warnOfSecrets } from '../terminal/tell.js';

/** An operation as a command asks for it. */
type Wanted = Pick<Operation, 'kind' | 'imports'> & {
  readonly flags: Flags;
  /** Show only; nothing is locked or changed. */
  readonly previewOnly: boolean;
};

/**
 * Runs a whole operation: preview, question, the real thing, and what is said about it. Resolves with the exit code.
 */
export async function operate(world: World, wanted: Wanted): Promise<number> {
  const { kind, flags, previewOnly } = wanted;
  refuseContradiction(flags);
  const operation: Operation = {
    kind,
    options: operationOptions(flags),
    imports: wanted.imports,
    projectPolicy: heedsProject(flags),
  };
  checkOperation(operation);
  return withOperationStack(
    world,
    flags,
    async (prepared) => {
      if (previewOnly) return onlyPreview(world, flags, prepared, operation);
      refuseUnconfirmed(world, flags);
      if (wantsDetach(world, flags)) return inBackground(world, flags, prepared, operation);
      const rules = kind === 'up' ? await planRules(world, flags) : {};
      const outcome = await run(prepared, operation, conductOf(world, flags), rules);
      return finish(world, flags, prepared, outcome, operation);
    },
    {
      firstStack: kind === 'up' && !previewOnly ? firstStack(world, flags) : undefined,
      ...withoutProgram(kind, flags),
    },
  );
}

/**
 * A refresh or destroy that does not run the program needs no configuration that the program could use; a destroy needs
 * no project here either.
 */
function withoutProgram(kind: Wanted['kind'], flags: Flags): Pick<PreparedChoice, 'away' | 'unchecked'> {
  const runs = (kind !== 'refresh' && kind !== 'destroy') || isOn(flags, 'run-program');
  return { away: kind === 'destroy' && !runs, unchecked: !runs || isOn(flags, 'skip-config-validation') };
}

/** A preview alone has nothing that could be answered beforehand, and is no preview when that is left out. */
function refuseContradiction(flags: Flags): void {
  if (!isOn(flags, 'preview-only')) return;
  const other = ['yes', 'skip-preview'].find((name) => isOn(flags, name));
  if (other === undefined) return;
  throw cairnError('CAIRN-USAGE', `--${other} and --preview-only cannot be used together`, {
    hint: `Leave --${other} out to see what would be done, or --preview-only to do it.`,
  });
}

/** A project without any stack gets one, after a question where one can be asked. */
function firstStack(world: World, flags: Flags): 'create' | 'ask' | undefined {
  if (flags.on('yes')) return 'create';
  return world.terminal.interactive ? 'ask' : undefined;
}

/**
 * The exit code of an operation that has been shown. Throws CAIRN-UNEXPECTED-CHANGES where none were expected and there
 * are some: nothing of what was shown says that this is a failure.
 */
function codeOfShown(outcome: Outcome): number {
  if (outcome.status !== 'unexpected-changes') return exitCode(outcome);
  const what = outcome.t === 'previewed' ? 'would change' : 'has changed';
  throw cairnError('CAIRN-UNEXPECTED-CHANGES', `no changes were expected, and something ${what}`);
}

/** What follows an operation, and its exit code. */
async function finish(
  world: World,
  flags: Flags,
  prepared: Prepared,
  outcome: Outcome,
  operation = outcome.t === 'ended' ? outcome.operation : undefined,
): Promise<number> {
  if (outcome.t === 'ended' && endedWell(outcome)) {
    const { imports, options } = outcome.operation;
    if (imports !== undefined && options.generateCode === true) {
      const { generateCode } = await import('./generate-code.js');
      await generateCode(world, prepared, await placedImport(prepared, imports), {
        out: options.out,
        json: isOn(flags, 'json'),
      });
    }
    if (options.excludeProtected === true && answerForm(world, flags, 'run') === 'text')
      world.stdout.write(await keptText(prepared, outcome));
  }
  if (outcome.status === 'succeeded' && operation !== undefined && leavesEmpty(operation))
    await tellEmpty(world, flags, prepared);
  return codeOfShown(outcome);
}

/** True if nothing but protected resources can be left of the stack, so that its state is small. */
function leavesEmpty({ kind, options }: Operation): boolean {
  const { remove, targets = [], excludes = [] } = options;
  return kind === 'destroy' && remove !== true && targets.length === 0 && excludes.length === 0;
}

/** A destroy that has left nothing names what removes the stack itself, for people. */
async function tellEmpty(world: World, flags: Flags, prepared: Prepared): Promise<void> {
  if (answerForm(world, flags, 'run') !== 'text') return;
  const { backend, id } = prepared;
  const { deployment } = await backend.read(id);
  if ((deployment?.resources ?? []).length > 0) return;
  world.stdout.write(
    `The stack ${id.stack} has no resources any more. Its history and configuration are kept; ` +
      `\`cairn stack rm ${id.stack}\` removes it.\n`,
  );
}

/** What a destroy that keeps protected resources has left. */
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
  world: World,
  flags: Flags,
  prepared: Prepared,
  operation: Operation,
): Promise<number> {
  const file = operation.kind === 'up' ? flags.text('save-plan') : undefined;
  const list = textOf(flags, 'import-file');
  const imports = new ImportFileOfPreview();
  const heed = list === undefined ? undefined : (event: EngineEvent) => imports.take(event);
  const wants = { make: file !== undefined, heed };
  const shown = await preview(prepared, operation, conductOf(world, flags), wants);
  if (file !== undefined && shown.result.plan !== undefined)
    await writePlan(world, flags, prepared, file, shown.result.plan);
  if (list !== undefined && shown.result.summary.result === 'succeeded')
    await writeImportFile(world, prepared, list, imports.file());
  return codeOfShown(shown);
}

/**
 * Shows the preview and asks here, and leaves the rest to a process in the background. Stdout stays free for the
 * change's id.
 */
async function inBackground(
  world: World,
  flags: Flags,
  prepared: Prepared,
  operation: Operation,
): Promise<number> {
  const asks = !isAgreed(world, flags);
  await opened(prepared);
  if (asks && !isOn(flags, 'skip-preview')) {
    const ports = portsOf({ ...world, stdout: world.stderr }, flags);
    const conduct = conductOf(world, flags);
    const shown = await preview({ ...prepared, ports }, operation, conduct, { asks });
    if (shown.result.summary.result !== 'succeeded') return exitCode(shown);
    if (endsIdle(shown, operation)) {
      tellIdle(prepared, operation);
      return exitCode(shown);
    }
    await agree(shown, conduct);
  }
  return detach(world, flags, prepared.id, { answered: asks });
}

/**
 * `up --plan FILE` takes no step that the plan does not have; `up --strict` none that its own preview has not shown.
 * Throws CAIRN-USAGE when there is no such file, or no preview to be held to.
 */
async function planRules(world: World, flags: Flags): Promise<PlanRules> {
  const name = flags.text('plan');
  const plan = name === undefined ? undefined : { name, text: await textOfPlan(world, name) };
  const strict = flags.on('strict');
  const without = unshown(world, flags);
  if (strict && without !== undefined)
    throw cairnError('CAIRN-USAGE', `--strict needs the preview that ${without} leaves out`, {
      hint: 'Save a plan with `cairn preview --save-plan FILE` and follow it with `cairn up --plan FILE`.',
    });
  return { plan, strict };
}

/** The flag because of which no preview is shown before an update. */
function unshown(world: World, flags: Flags): string | undefined {
  const named = ['skip-preview', 'json'].find((name) => flags.on(name));
  if (named !== undefined) return `--${named}`;
  return answerForm(world, flags, 'run') === 'text' ? undefined : '--output json';
}

function textOfPlan(world: World, file: string): Promise<string> {
  return readFile(path.resolve(world.cwd, file), 'utf8').catch((error: unknown) => {
    throw cairnError(
      'CAIRN-USAGE',
      `open ${file}: cannot read the plan`,
      { causes: [messageOf(error)], hint: 'Plans are written by `cairn preview --save-plan FILE`.' },
      error,
    );
  });
}

/** Writes a plan. Only the user may read it. */
async function writePlan(
  world: World,
  flags: Flags,
  prepared: Prepared,
  file: string,
  plan: SavedPlan,
): Promise<void> {
  const text = await planText(prepared, plan, flags.on('show-secrets'));
  await writeFile(path.resolve(world.cwd, file), text, { mode: 0o600 }).catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot write the plan ${file}`, { causes: [messageOf(error)] }, error);
  });
  world.stderr.write(`Saved the plan; follow it with: cairn up --plan ${file}\n`);
}

/** `cairn resume [ID]`: goes on with the stack's newest change where it stopped. Resolves with the exit code. */
export async function resumeChange(world: World, flags: Flags, id: string | undefined): Promise<number> {
  const number = id === undefined ? undefined : parseChangeId(id);
  const now = operationOptions(flags);
  return withOperationStack(world, flags, async (prepared) => {
    if (wantsDetach(world, flags)) return detach(world, flags, prepared.id, { answered: false });
    return finish(world, flags, prepared, await resume(prepared, number, now, conductOf(world, flags)));
  });
}

/**
 * `cairn rollback [ID]`: takes the newest change back, whether it stopped, failed or is done: shows what will be done
 * and what cannot, asks, and does it. Resolves with the exit code.
 */
export async function rollBackChange(world: World, flags: Flags, id: string | undefined): Promise<number> {
  const number = id === undefined ? undefined : parseChangeId(id);
  const options = operationOptions(flags);
  return withOperationStack(world, flags, async (prepared) => {
    const previewOnly = flags.on('preview-only');
    if (!previewOnly) refuseUnconfirmed(world, flags);
    if (wantsDetach(world, flags)) return detach(world, flags, prepared.id, { answered: false });
    const conduct = { ...conductOf(world, flags), previewOnly };
    const going = { options, projectPolicy: heedsProject(flags) };
    return finish(world, flags, prepared, await rollBack(prepared, number, going, conduct));
  });
}

/**
 * `cairn change resolve NAME --created ID | --not-created | --done | --not-done`: records what a person says about one
 * step in doubt, and nothing else. `key`: any name of it. Resolves with the exit code.
 */
export function resolveTask(world: World, flags: Flags, key: string, answer: Resolution): Promise<number> {
  return withOperationStack(world, flags, async (prepared) =>
    exitCode(await resolveDoubt(prepared, key, answer, conductOf(world, flags))),
  );
}

/** Runs something with a stack that is ready for operations. That secrets are shown is said first. */
export async function withOperationStack<T>(
  world: World,
  flags: Flags,
  run: (prepared: Prepared) => Promise<T>,
  choice: Pick<PreparedChoice, 'away' | 'firstStack' | 'unchecked'> = {},
): Promise<T> {
  await checkGraphFile(flags);
  const all: PreparedChoice = {
    ...stackChoice(flags),
    ...choice,
    secretsProvider: textOf(flags, 'secrets-provider'),
    config: flags.has('config') ? flags.list('config') : [],
    client: textOf(flags, 'client'),
    configPaths: isOn(flags, 'config-path'),
  };
  return withPrepared(portsOf(world, flags), all, (prepared) => {
    if (isOn(flags, 'show-secrets')) warnOfSecrets(world);
    return run(prepared);
  });
}
