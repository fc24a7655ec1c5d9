import { readdirSync } from 'node:fs';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { EFFECT_WITH_MOMENTS, effectsOf, killedAt } from '../support/effect.js';

/**
 * Kills real processes with SIGKILL at scripted points: before and after a real effect, also while they continue a
 * killed one. Every effect of a command is a line in a file, so that repeated and lost effects show.
 */

/** Commands in a line, each with a file after it. */
const program = (names: readonly string[]): string => `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
let before = [];
for (const name of ${JSON.stringify(names)}) {
  const command = new LocalCommand(name, {
    create: 'exec sh effect.sh create ' + name,
    delete: 'exec sh effect.sh delete ' + name,
  }, { dependsOn: before });
  const file = new LocalFile(name + '-file', { path: name + '.txt', content: name }, { dependsOn: [command] });
  before = [command, file];
}
`;

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const UP = ['up', '--yes', '--skip-preview'];
const ROLLBACK = ['rollback', '--yes'];
jest.setTimeout(300_000);
const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

async function stackWith(source: string): Promise<Sandbox> {
  const box = sandbox({ 'index.ts': source, 'effect.sh': EFFECT_WITH_MOMENTS });
  boxes.push(box);
  giveStack(box);
  return box;
}

const files = (box: Sandbox): readonly string[] =>
  readdirSync(box.directory)
    .filter((name) => /^[a-z]\.txt$/.test(name))
    .sort();

/** Answers for the steps in doubt, as a person who has looked into the file does. */
async function resolved(box: Sandbox, words: readonly string[]): Promise<Finished> {
  const end = await box.cairn(words);
  if (end.code !== 10) return end;
  for (const [, task = '', name = ''] of end.stdout.matchAll(/^([0-9a-f]{8}) (\S+) waits/gm)) {
    const asked = end.stdout.includes(`resolve ${task} --done`) ? 'delete' : 'create';
    const there = effectsOf(box).includes(`${asked} ${name}`);
    expectOk(await box.cairn(['change', 'resolve', task, ...ANSWERS[asked](name, there)]));
  }
  return end;
}

const ANSWERS = {
  create: (name: string, done: boolean) =>
    done ? ['--created', `made-${name}`, '--outputs', `${name}.json`] : ['--not-created'],
  delete: (_name: string, done: boolean) => [done ? '--done' : '--not-done'],
};

describe('an update that is killed around every effect', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = await stackWith(program(NAMES));
    for (const name of NAMES) box.write(`${name}.json`, JSON.stringify({ stdout: name, stderr: '' }));
  });

  test('goes on each time, and makes everything once', async () => {
    let words: readonly string[] = UP;
    for (const name of NAMES) {
      for (const when of ['before', 'after']) {
        await killedAt(box, `${when} create ${name}`, words);
        await resolved(box, ['resume']);
        words = ['resume'];
      }
    }
    expectOk(await box.cairn(['resume']));
    expect(effectsOf(box)).toEqual(NAMES.map((name) => `create ${name}`));
    expect(files(box)).toEqual(NAMES.map((name) => `${name}.txt`));
  });
});

describe('a rollback that is killed around every effect', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = await stackWith(program(NAMES));
    expectOk(await box.cairn(UP));
  });

  test('goes on each time, and deletes everything in reverse order', async () => {
    // A finished change has to be named; its rollback that was stopped does not.
    let words: readonly string[] = ['rollback', '1', '--yes'];
    for (const name of NAMES.toReversed()) {
      for (const when of ['before', 'after']) {
        await killedAt(box, `${when} delete ${name}`, words);
        words = ROLLBACK;
        expect((await resolved(box, ROLLBACK)).code).toBe(10);
      }
    }
    expectOk(await box.cairn(ROLLBACK));
    const deleted = effectsOf(box).filter((line) => line.startsWith('delete'));
    expect(deleted).toEqual(NAMES.toReversed().map((name) => `delete ${name}`));
    expect(files(box)).toEqual([]);
  });
});
