import { EXIT } from '@cairn/diagnostics';
import { listStacks, unattended, withStack } from '@cairn/operations/stacks';
import type { OpenStack, Ports, StackChoice } from '@cairn/operations/stacks';
import { findProject, loadProject, loadStackFile, shortConfigKey } from '@cairn/workspace';
import { commandTable } from '../commands/table.js';
import { cairnVersion } from '../flows/version.js';
import type { CommandContext } from '../command-context.js';
import { candidatesFor, commandLineWords } from './candidates.js';
import type { Asked } from './candidates.js';

/** Maximum time for which a shell waits, in milliseconds. */
const PATIENCE_MS = 1000;

/**
 * Answers a completion script, one candidate on each line. The script passes `--line TEXT`, or `-- WORD…` with the
 * incomplete word last. On any failure, nothing is printed.
 */
export async function answerCompletion(context: CommandContext): Promise<number> {
  const [how, ...rest] = context.argv.slice(1);
  const words = how === '--line' ? commandLineWords(rest[0] ?? '').slice(1) : rest;
  const { words: known, ask, before, stack } = candidatesFor(words, commandTable);
  const asked = ask === undefined ? [] : await patiently(namesOf(context, ask, stack));
  const typed = words.at(-1) ?? '';
  const answers = [...known, ...asked].map((word) => before + word).filter((word) => word.startsWith(typed));
  context.raw.stdout.write(answers.map((word) => `${word}\n`).join(''));
  return EXIT.ok;
}

/** Returns the names, or none if they take too long or are unavailable. */
function patiently(names: Promise<readonly string[]>): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve([]), PATIENCE_MS);
    names
      .catch(() => [])
      .then((found) => {
        clearTimeout(timer);
        resolve(found);
      });
  });
}

async function namesOf(
  context: CommandContext,
  ask: Asked,
  stack: string | undefined,
): Promise<readonly string[]> {
  const ports: Ports = {
    ...{ env: context.env, cwd: context.cwd, now: context.now, version: cairnVersion(), packageRoots: [] },
    started: { argv: context.argv, recorded: {} },
    onInterrupt: () => () => undefined,
    interaction: unattended,
  };
  const choice: StackChoice = { stack };
  switch (ask) {
    case 'stacks': {
      const stacks = await listStacks(ports, choice, { all: (await findProject(context.cwd)) === undefined });
      return stacks.map(({ name }) => name);
    }
    case 'urns':
      return withStack(ports, choice, urnsOf);
    case 'changes':
      return withStack(ports, choice, async ({ backend, id }) =>
        (await backend.changes(id)).map((change) => String(change.id)),
      );
    case 'config-keys':
      return configKeys(context, await withStack(ports, choice, ({ id }) => Promise.resolve(id.stack)));
  }
}

async function urnsOf({ backend, id }: OpenStack): Promise<readonly string[]> {
  const { deployment } = await backend.read(id, { integrity: 'skip' });
  return (deployment?.resources ?? []).map(({ urn }) => urn);
}

/** Returns the keys of the stack's configuration, and those that the project declares. */
async function configKeys(context: CommandContext, stack: string): Promise<readonly string[]> {
  const project = await loadProject(context.cwd);
  const { settings } = await loadStackFile(project, stack);
  const keys = new Set([...settings.config.keys(), ...project.config.keys()]);
  return [...keys].map((key) => shortConfigKey(key, project.name));
}
