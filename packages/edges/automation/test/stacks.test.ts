import { existsSync } from 'node:fs';
import { Config, CustomResource } from '@cairn/sdk';
import {
  AutomationError,
  OperationError,
  StackExistsError,
  StackNotFoundError,
  openWorkspace,
} from '../src/index.js';
import { box } from './box.js';

let length = 1;
let protect = false;
const program = () => {
  const pet = new CustomResource('cairn-random:index:Pet', 'pet', { length }, { protect });
  return { pet: pet.outputOf<string>('result'), region: new Config().get('region') };
};

async function workspaceOf(options: object = {}) {
  length = 1;
  protect = false;
  return openWorkspace({ ...box(), project: 'shop', program, ...options });
}

/** Returns the code of the error that a promise rejects with. */
async function codeOf(promise: PromiseLike<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error instanceof AutomationError ? error.code : String(error)),
  );
}

test('stacks are created, selected, listed, renamed and removed; errors say which there are', async () => {
  const workspace = await workspaceOf();
  const stack = await workspace.createStack('dev');
  await expect(workspace.createStack('dev')).rejects.toBeInstanceOf(StackExistsError);
  await expect(workspace.selectStack('prod')).rejects.toBeInstanceOf(StackNotFoundError);
  await workspace.createOrSelectStack('prod');
  await workspace.createOrSelectStack('prod');
  await stack.up();
  const listed = await workspace.listStacks();
  expect(listed.map(({ name, resources }) => [name, (resources ?? 0) > 0])).toEqual([
    ['dev', true],
    ['prod', false],
  ]);
  expect(await codeOf(workspace.removeStack('dev'))).toBe('CAIRN-STACK-NOT-EMPTY');
  const renamed = await stack.rename('test');
  expect([renamed.name, (await renamed.outputs()).pet.secret]).toEqual(['test', false]);
  expect(await codeOf(stack.up())).toBe('CAIRN-STACK-NOT-FOUND');
  await renamed.destroy();
  await workspace.removeStack('test');
  expect((await workspace.listStacks()).map(({ name }) => name)).toEqual(['prod']);
  expect(await codeOf(workspace.createStack('not a name'))).toBe('CAIRN-NAME-INVALID');
  expect(existsSync(workspace.directory)).toBe(true);
  await workspace.close();
  expect(existsSync(workspace.directory)).toBe(false);
});

test('tags are set, listed and removed', async () => {
  const stack = await (await workspaceOf()).createStack('dev');
  await stack.setTag('owner', 'web');
  await stack.setTag('level', '2');
  await stack.removeTag('level');
  expect(await stack.tags()).toMatchObject({ owner: 'web' });
  expect(Object.keys(await stack.tags())).not.toContain('level');
  expect(await codeOf(stack.removeTag('level'))).toBe('CAIRN-USAGE');
  expect(await codeOf(stack.setTag('not a name', 'x'))).toBe('CAIRN-USAGE');
});

test('replacements and deletes are refused where they are not expected, and protection is lifted by an option', async () => {
  let declared = true;
  const workspace = await workspaceOf({ program: () => (declared ? program() : {}) });
  const stack = await workspace.createStack('dev');
  protect = true;
  await stack.up();
  length = 2;
  expect(await codeOf(stack.up({ expectNoReplacements: true }))).toBe('CAIRN-UNEXPECTED-REPLACEMENT');
  expect(await codeOf(stack.up())).toBe('CAIRN-RESOURCE-PROTECTED');
  const { changes } = await stack.up({ ignoreProtect: true, targetReplace: ['**::pet'] });
  expect(changes['create-replacement']).toBe(1);
  declared = false;
  const noDeletes = { ignoreProtect: true, expectNoDeletes: true };
  expect(await codeOf(stack.up(noDeletes))).toBe('CAIRN-UNEXPECTED-DELETE');
  expect(await codeOf(stack.destroy())).toBe('CAIRN-RESOURCE-PROTECTED');
  expect((await stack.destroy({ ignoreProtect: true })).status).toBe('succeeded');
});

test('a directory of one project is not taken for another', async () => {
  const first = await workspaceOf();
  const { directory } = first;
  expect(await codeOf(openWorkspace({ ...box(), project: 'mill', program, directory }))).toBe(
    'CAIRN-PROJECT-INVALID',
  );
  expect((await openWorkspace({ ...box(), directory })).project).toBe('shop');
  expect(await codeOf(openWorkspace({ ...box(), project: 'a/b', program }))).toBe('CAIRN-NAME-INVALID');
});

test('configuration: texts, structures and secrets, one after the other also when they are set at once', async () => {
  const workspace = await workspaceOf();
  const { config } = await workspace.createStack('dev');
  await Promise.all([
    config.set('region', 'eu'),
    config.set('size', 3),
    config.set('db', { port: 5432, hosts: ['a', 'b'] }),
    config.setAll({ token: { secret: 'very-secret-1' }, 'aws:region': 'eu-west-1' }),
  ]);
  await config.set('db.port', '5433', { path: true });
  expect(await config.getAll()).toEqual({
    'aws:region': { value: 'eu-west-1', secret: false },
    'shop:db': { value: '{"hosts":["a","b"],"port":5433}', secret: false },
    'shop:region': { value: 'eu', secret: false },
    'shop:size': { value: '3', secret: false },
    'shop:token': { value: undefined, secret: true },
  });
  expect((await config.getAll({ showSecrets: true }))['shop:token']?.value).toBe('very-secret-1');
  expect(await config.get('token')).toEqual({ value: 'very-secret-1', secret: true });
  expect(await config.get('db.hosts[1]', { path: true })).toEqual({ value: 'b', secret: false });
  await config.remove('size', 'region', 'nothing');
  expect([await config.get('size'), await config.get('region')]).toEqual([undefined, undefined]);
});

test('a plan of a preview holds an up to it; history and changes tell what was done, and rollback undoes it', async () => {
  const workspace = await workspaceOf();
  const stack = await workspace.createStack('dev');
  const { plan } = await stack.preview({ plan: true });
  expect((await stack.preview()).plan).toBeUndefined();
  length = 2;
  expect(await codeOf(stack.up({ plan }))).toBe('CAIRN-PLAN-VIOLATED');
  length = 1;
  const { outputs } = await stack.up({ plan, message: 'by its plan' });
  length = 2;
  expect(await codeOf(stack.up({ expectNoChanges: true }))).toBe('CAIRN-UNEXPECTED-CHANGES');
  const history = await stack.history();
  expect(history.map(({ kind, message }) => [kind, message]).at(-2)).toEqual(['update', 'by its plan']);
  const changes = await stack.changes();
  const { number } = changes.at(-1) ?? { number: 0 };
  expect(changes.at(-1)).toMatchObject({
    kind: 'up',
    result: 'succeeded',
    running: false,
    unfinished: false,
  });
  expect(await codeOf(stack.rollback())).toBe('CAIRN-NEEDS-CONFIRMATION');
  expect((await stack.rollback({ change: number })).status).toBe('succeeded');
  expect(typeof outputs.pet.value).toBe('string');
  expect(await codeOf(stack.resume())).toBe('CAIRN-CHANGE-ENDED');
  expect(await codeOf(stack.resume({ change: 7 }))).toBe('CAIRN-CHANGE-UNKNOWN');
});

test('a state is exported and imported; an object is taken over', async () => {
  const workspace = await workspaceOf();
  const stack = await workspace.createStack('dev');
  const { outputs } = await stack.up();
  const document = await stack.exportState();
  await stack.destroy();
  await stack.importState(document);
  expect((await stack.outputs()).pet.value).toBe(outputs.pet.value);

  const other = await workspace.createStack('other');
  expect(await codeOf(other.importState(document))).toBe('CAIRN-STATE-INTEGRITY');
  const item = { type: 'cairn-random:index:Pet', name: 'taken', id: 'calm-otter' };
  const taken = await other.import([item], { protect: false });
  expect([taken.kind, taken.changes.import]).toEqual(['import', 1]);
  const failed: unknown = await other
    .import([{ ...item, type: 'cairn-random:index:Nothing' }])
    .catch((e: unknown) => e);
  expect(failed).toBeInstanceOf(OperationError);
});
