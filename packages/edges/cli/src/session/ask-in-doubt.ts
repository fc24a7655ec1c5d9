import { urnName } from '@cairn/addresses';
import type { Resolution, WaitingTask } from '@cairn/engine';
import { askText, chooseOne } from '../terminal/prompt.js';
import type { PropertyMap } from '@cairn/values';
import type { World } from '../world.js';
import { exampleOutputs, readOutputsFile } from './outputs-file.js';

/** Asks a person at the terminal what became of a step in doubt; undefined when the person does not know. */
export async function askInDoubt(world: World, task: WaitingTask): Promise<Resolution | undefined> {
  const { urn, why, doubt } = task;
  if (doubt === 'updating' || doubt === 'deleting') return askWhetherDone(world, task, doubt);
  const answer = await chooseOne(
    world,
    `Was ${urnName(urn)} created? ${why}`,
    [
      { value: 'created', label: 'created', hint: 'it exists; its id is asked for next' },
      { value: 'not-created', label: 'not created', hint: 'it does not exist, and may be created again' },
      { value: 'leave', label: 'leave it', hint: 'it stays in doubt' },
    ] as const,
    'leave',
  );
  if (answer === 'not-created') return answer;
  if (answer !== 'created') return undefined;
  const id = await askText(world, `Id of ${urnName(urn)}`);
  if (id === undefined || id.trim() === '') return undefined;
  const told = await askOutputs(world, task);
  return told === undefined ? undefined : { created: id.trim(), ...told };
}

/**
 * The outputs of an object where its provider cannot read them, from a file; undefined when they are needed and the
 * person gives none.
 */
async function askOutputs(
  world: World,
  { urn, outputs }: WaitingTask,
): Promise<{ readonly outputs?: PropertyMap } | undefined> {
  if (outputs === undefined) return {};
  const isNeeded = outputs.needed === 'always';
  const when = isNeeded ? '' : ', empty where its provider can read them';
  const question = `File with the outputs of ${urnName(urn)}, as JSON: ${exampleOutputs(outputs.names)}${when}`;
  const file = await askText(world, question);
  if (file === undefined || file.trim() === '') return isNeeded ? undefined : {};
  return { outputs: await readOutputsFile(file.trim(), world.cwd) };
}

async function askWhetherDone(
  world: World,
  task: WaitingTask,
  doubt: 'updating' | 'deleting',
): Promise<Resolution | undefined> {
  const { urn, why } = task;
  const what = doubt === 'updating' ? 'updated' : 'deleted';
  const answer = await chooseOne(
    world,
    `Was ${urnName(urn)} ${what}? ${why}`,
    [
      { value: 'done', label: what, hint: 'it is not done again' },
      { value: 'not-done', label: `not ${what}`, hint: 'it may be done again' },
      { value: 'leave', label: 'leave it', hint: 'it stays in doubt' },
    ] as const,
    'leave',
  );
  if (answer === 'not-done') return answer;
  if (answer !== 'done') return undefined;
  const told = await askOutputs(world, task);
  return told === undefined ? undefined : { done: true, ...told };
}
