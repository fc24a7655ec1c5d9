import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { cairnCommand, expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { makePipes, release, written } from '../support/pipes.js';
import { EFFECT_WITH_MOMENTS, effectsOf } from '../support/effect.js';

/** Several steps in doubt at once, and answers to them, as they are pasted into a shell. */

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

const NAMES = ['a', 'b', "it's c"];
const program = `
import { LocalCommand } from '@cairn/provider-local';
for (const name of ${JSON.stringify(NAMES)})
  new LocalCommand(name, { create: 'sh create.sh "' + name + '"', delete: 'echo "delete ' + name + '" >> effects.log' });
`;
/** The last one to come writes to the pipe, when all have begun. */
const CREATE = `test -e go.txt || {
  echo "$1" >> begun.txt
  test $(wc -l < begun.txt) -lt ${NAMES.length} || echo ready > ready.pipe
  exec cat never.pipe
}
echo "create $1" >> effects.log
`;

const UP = ['up', '--yes', '--skip-preview'];
const ROLLBACK = ['rollback', '--yes', '--skip-preview'];

const effects = (box: Sandbox): readonly string[] => effectsOf(box).toSorted();

interface Pasted {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a printed line as it is, in a shell that finds the command under its name. */
async function paste(box: Sandbox, line: string): Promise<Pasted> {
  const bin = path.join(box.home, 'bin');
  box.write('../home/bin/cairn', `#!/bin/sh\nexec '${process.execPath}' '${cairnCommand}' "$@"\n`);
  const child = spawn('sh', ['-c', `chmod +x '${bin}/cairn'; ${line}`], {
    cwd: box.directory,
    env: { ...box.env, PATH: `${bin}:${box.env['PATH']}` } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}

/** Printed lines, in order, of the commands that begin so. */
const lines = (text: string, start: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith(start));

interface Exported {
  readonly deployment: {
    readonly resources: readonly {
      readonly urn: string;
      readonly id?: string;
      readonly dependencies?: readonly string[];
    }[];
  };
}

test('several creates in doubt have names that stay, and the printed lines answer for what they name', async () => {
  const box = sandbox({ 'index.ts': program, 'create.sh': CREATE });
  boxes.push(box);
  makePipes(box, 'ready.pipe', 'never.pipe');
  giveStack(box);
  const running = box.start(['up', '--yes', '--skip-preview', '--parallel', '4']);
  await written(box, 'ready.pipe', running);
  running.process.kill('SIGKILL');
  await running.finished;
  box.write('go.txt', '');
  const waits = await box.cairn(['resume']);
  expect(waits.code).toBe(10);
  const created = lines(waits.stdout, 'cairn change resolve').filter((line) => line.includes('--created'));
  const titles = [...waits.stdout.matchAll(/^([0-9a-f]{8}) (.+) waits:/gm)];
  expect(titles.map(([, , name]) => name).sort()).toEqual(NAMES);
  expect(created.map((line) => line.split(' ')[3])).toEqual(titles.map(([, name]) => name));

  // Cairn cannot read what a command has written: the file that the lines name has it.
  box.write('FILE', '{ "stdout": "", "stderr": "" }');
  // Unchanged, it names no object, and nothing is recorded.
  const [first = '', second = '', third = ''] = created;
  expect(await paste(box, first)).toMatchObject({
    code: 2,
    text: expect.stringContaining('ID is a placeholder'),
  });
  // Cairn asks for its outputs, once.
  const bare = await paste(box, first.replace('ID', 'id-1').replace(' --outputs FILE', ''));
  expect([bare.code, bare.text.match(/error\[/g), bare.text]).toEqual([
    4,
    ['error['],
    expect.stringContaining('--created id-1 --outputs FILE`'),
  ]);
  expect(await paste(box, first.replace('ID', 'id-1'))).toMatchObject({ code: 0 });
  // An object has one entry.
  const twice = await paste(box, second.replace('ID', 'id-1'));
  expect([twice.code === 0, twice.text]).toEqual([
    false,
    expect.stringContaining('"id-1" already belongs to the stack'),
  ]);
  // A settled step takes no second answer.
  const again = await paste(box, first.replace('ID', 'id-9'));
  expect([again.code, again.text]).toEqual([1, expect.stringContaining(`${titles[0]?.[1]} is not in doubt`)]);
  expect(await paste(box, second.replace('ID', 'id-2'))).toMatchObject({ code: 0 });
  // The URN of the resource is a name as well.
  const urn = `urn:pulumi:dev::shop::cairn-local:index:Command::${titles[2]?.[2]}`;
  const quoted = `'${urn.replaceAll("'", `'\\''`)}'`;
  const last = third.replace(/resolve \S+/, () => `resolve ${quoted}`).replace('ID', 'id-3');
  const settled = await paste(box, last);
  expect(settled).toMatchObject({ code: 0 });
  const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as Exported;
  const ids = new Map(deployment.resources.map(({ urn: each, id }) => [each.split('::').at(-1), id]));
  expect(titles.map(([, , name = '']) => ids.get(name))).toEqual(['id-1', 'id-2', 'id-3']);

  const [resume = ''] = lines(settled.text, 'cairn resume');
  expect(await paste(box, resume)).toMatchObject({ code: 0 });
  const [rollback = ''] = lines(settled.text, 'cairn rollback').map((line) => line.replace(' #', ' --yes #'));
  expect(effects(box)).toEqual([]);
  // A later change continues the one that it named; the line is the same.
  expect(await paste(box, rollback)).toMatchObject({ code: 0 });
  expect(effects(box)).toEqual(NAMES.map((name) => `delete ${name}`));
});

describe('a finished update that replaced something is rolled back, and killed while it makes the original again', () => {
  const replaced = (version: number): string => `
import { LocalCommand } from '@cairn/provider-local';
const call = (verb) => 'exec sh effect.sh ' + verb;
const below = new LocalCommand('below', { create: call('create below-${version}'), delete: call('delete below-${version}'), triggers: [${version}] });
new LocalCommand('user', { create: call('create user'), update: call('update user'), delete: call('delete user'), environment: { OF: below.stdout } });
`;
  test.each(['after', 'before'])('%s the effect', async (when) => {
    const box = sandbox({ 'index.ts': replaced(1), 'effect.sh': EFFECT_WITH_MOMENTS });
    boxes.push(box);
    giveStack(box);
    expectOk(await box.cairn(UP));
    box.write('index.ts', replaced(2));
    expectOk(await box.cairn(UP));
    box.write('kill.txt', `${when} create below-1`);
    expect((await box.process(['rollback', '2', '--yes', '--skip-preview'])).signal).toBe('SIGKILL');
    const waits = await box.cairn(ROLLBACK);
    expect(waits.code).toBe(10);
    const answer = lines(waits.stdout, 'cairn change resolve').find((line) =>
      line.includes(when === 'after' ? '--created' : '--not-created'),
    );
    box.write('FILE', JSON.stringify({ stdout: 'below-1', stderr: '' }));
    expect(await paste(box, (answer ?? '').replace('ID', 'made-again'))).toMatchObject({ code: 0 });
    const end = expectOk(await box.cairn(ROLLBACK));
    expect(end.stderr).not.toContain('error[');
    const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as Exported;
    const names = deployment.resources.map(({ urn }) => urn.split('::').at(-1));
    expect(names.slice(-2)).toEqual(['below', 'user']);
    expect(deployment.resources.at(-2)?.id === 'made-again').toBe(when === 'after');
    const counts = effects(box).filter((line) => line.endsWith('below-1') || line.endsWith('below-2'));
    expect(counts).toEqual([
      ...['create below-1', 'create below-1', 'create below-2'],
      ...['delete below-1', 'delete below-2'],
    ]);
    box.write('index.ts', replaced(1));
    expectOk(await box.cairn(['preview', '--expect-no-changes']));
  });
});

describe('an update that dropped a command and what depended on it, killed while it deletes the command, is rolled back', () => {
  const first = `
import { LocalCommand, LocalDirectory } from '@cairn/provider-local';
const call = (verb) => 'exec sh effect.sh ' + verb;
const a = new LocalCommand('a', { create: call('create a'), delete: call('delete a') });
new LocalDirectory('d', { path: 'd' }, { dependsOn: [a] });
`;
  const second = `
import { LocalDirectory } from '@cairn/provider-local';
new LocalDirectory('d', { path: 'd' });
`;

  test.each(['after', 'before'])('%s the effect', async (when) => {
    const box = sandbox({ 'index.ts': first, 'effect.sh': EFFECT_WITH_MOMENTS });
    boxes.push(box);
    giveStack(box);
    expectOk(await box.cairn(UP));
    box.write('index.ts', second);
    box.write('kill.txt', `${when} delete a`);
    expect((await box.process(UP)).signal).toBe('SIGKILL');
    const waits = await box.cairn(ROLLBACK);
    expect(waits.code).toBe(10);
    // Cairn asks again however often, and makes nothing of an unknown outcome.
    expect((await box.cairn(ROLLBACK)).code).toBe(10);
    const [answer = ''] = lines(waits.stdout, 'cairn change resolve').filter((line) =>
      line.includes(when === 'after' ? '--done' : '--not-done'),
    );
    const settled = await paste(box, answer);
    expect(settled).toMatchObject({ code: 0 });
    const [rollback = ''] = lines(settled.text, 'cairn rollback').map((line) =>
      line.replace(' #', ' --yes #'),
    );
    const end = await paste(box, rollback);
    expect(end).toMatchObject({ code: 0, text: expect.not.stringContaining('error[') });
    expect(effects(box)).toEqual(when === 'after' ? ['create a', 'create a', 'delete a'] : ['create a']);
    const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as Exported;
    const [a, d] = deployment.resources.slice(-2);
    expect(d?.dependencies).toEqual([a?.urn]);
    expect(a?.urn).toMatch(/::a$/);
    box.write('index.ts', first);
    expectOk(await box.cairn(['preview', '--expect-no-changes']));
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));
    expect(effects(box).filter((line) => line === 'delete a')).toHaveLength(when === 'after' ? 2 : 1);
  });
});

/** Deletes never answer; a look reports that it looks, and waits while `slow.txt` is there. */
const LOOKING = `
import * as pulumi from '@pulumi/pulumi';
const provider = {
  create: async ({ name }: any) => {
    const fs = require('fs');
    fs.writeFileSync(name + '.object', '');
    fs.appendFileSync('effects.log', 'create ' + name + '\\n');
    return { id: name, outs: { name } };
  },
  read: async (id: string) => {
    const fs = require('fs');
    if (fs.existsSync('slow.txt')) {
      fs.writeFileSync('reading.pipe', id);
      fs.readFileSync('go.pipe');
    }
    return fs.existsSync(id + '.object') ? { id, props: { name: id } } : ({} as any);
  },
  delete: async (id: string) => {
    const fs = require('fs');
    fs.rmSync(id + '.object');
    fs.appendFileSync('effects.log', 'delete ' + id + '\\n');
    if (!fs.existsSync('a.object') && !fs.existsSync('b.object')) fs.writeFileSync('deleted.pipe', id);
    await new Promise(() => setInterval(() => undefined, 1000));
  },
};
class Thing extends pulumi.dynamic.Resource {
  constructor(name: string) { super(provider, name, { name }); }
}
new Thing('a');
new Thing('b');
`;

test('a rollback that is stopped while it finds out: what it had not come to is still to be found out', async () => {
  const box = sandbox({
    'index.ts': LOOKING,
    'package.json': '{"name":"shop","private":true,"dependencies":{"@pulumi/pulumi":"*"}}',
  });
  boxes.push(box);
  makePipes(box, 'deleted.pipe', 'reading.pipe', 'go.pipe');
  giveStack(box);
  expectOk(await box.cairn(UP));
  const destroying = box.start(['destroy', '--yes', '--skip-preview', '--parallel', '2']);
  await written(box, 'deleted.pipe', destroying);
  destroying.process.kill('SIGKILL');
  await destroying.finished;

  box.write('slow.txt', '');
  const stopped = box.start([...ROLLBACK, '--parallel', '1']);
  await written(box, 'reading.pipe', stopped);
  stopped.process.kill('SIGINT');
  await stopped.shown('interrupted: no further step starts');
  rmSync(path.join(box.directory, 'slow.txt'));
  release(box, 'go.pipe');
  const end = await stopped.finished;
  expect([end.code, end.text]).toEqual([8, expect.stringMatching(/found out: deleting "[ab]"/)]);

  expectOk(await box.cairn(ROLLBACK));
  expect(effects(box)).toEqual(['create a', 'create a', 'create b', 'create b', 'delete a', 'delete b']);
  const { code, text } = await box.cairn(['preview', '--expect-no-changes', '--refresh']);
  expect([code, text]).toEqual([0, expect.stringContaining('3 unchanged')]);
});

const TWO_SITES = `
import { ComponentResource } from '@cairn/sdk';
import { LocalCommand } from '@cairn/provider-local';
class Site extends ComponentResource {
  constructor(name: string, check: string) {
    super('shop:web:Site', name);
    const run = (what: string) => 'exec sh effect.sh ' + what + ' ' + name;
    const page = new LocalCommand(name, { create: run('create'), delete: run('delete') }, { parent: this });
    new LocalCommand(name + '-check', { create: check }, { parent: this, dependsOn: [page] });
  }
}
new Site('left', 'exit 3');
new Site('right', 'true');
`;

test('an isolated update that is killed in its rollback waits when it is resumed, and says so', async () => {
  const box = sandbox({ 'index.ts': TWO_SITES, 'effect.sh': EFFECT_WITH_MOMENTS });
  boxes.push(box);
  giveStack(box);
  box.write('kill.txt', 'after delete left');
  const killed = await box.cairn([...UP, '--isolate', 'component', '--on-error', 'rollback']);
  expect([killed.code, killed.text]).toEqual([null, expect.anything()]);

  const waits = await box.cairn(['resume']);
  expect([waits.code, waits.text]).toEqual([10, expect.stringContaining('left waits:')]);
  // The delete was done; what the other site was at, when it had not come to its end, is said not to be.
  const answers = lines(waits.stdout, 'cairn change resolve').filter((line) =>
    /--done|--not-created/.test(line),
  );
  expect(answers.join('\n')).toContain('--done');
  for (const line of answers) expect([0, 10]).toContain((await paste(box, line)).code);
  // The other site gets whole. The rollback of this one is finished, and nothing of it is tried again.
  const ended = await box.cairn(['resume']);
  expect([ended.code, ended.text]).toEqual([1, expect.stringContaining('CAIRN-UNFINISHED')]);
  expect(ended.text).not.toContain('PROGRAM-CHANGED');
  expect(effects(box)).toEqual(['create left', 'create right', 'delete left']);
  const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as Exported;
  const names = deployment.resources.map(({ urn }) => urn.split('::').at(-1));
  expect(names).toContain('right-check');
  expect(names).not.toContain('left');
});
