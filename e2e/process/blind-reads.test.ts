import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { effectsOf, killedAt } from '../support/effect.js';
import { giveStack } from '../support/given-stack.js';

/**
 * Finds out about an update or a delete whose process was killed, with providers that look at their objects, that
 * declare that they do not, and that declare nothing. Every effect is a line in a file.
 */

const UP = ['up', '--yes', '--skip-preview'];
const DESTROY = ['destroy', '--yes', '--skip-preview'];
const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

/** Records one effect; kills the process that asked for it before or after it if `kill.txt` says so, once. */
const EFFECT = `
when=$(cat kill.txt 2>/dev/null)
if [ "$when" = "before $1" ]; then rm kill.txt; kill -9 "$PPID"; exit 1; fi
echo "$1" >> effects.log
if [ "$when" = "after $1" ]; then rm kill.txt; kill -9 "$PPID"; exit 1; fi
printf "made by $1 $2"
`;

const COMMANDS = `
import { readFileSync } from 'node:fs';
import { LocalCommand, LocalFile } from '@cairn/provider-local';
const value = readFileSync('value.txt', 'utf8');
const job = new LocalCommand('job', {
  create: 'exec sh effect.sh create ' + value,
  update: 'exec sh effect.sh update ' + value,
  delete: 'exec sh effect.sh delete',
});
new LocalFile('note', { path: 'note.txt', content: job.stdout });
`;

const note = (box: Sandbox): string => readFileSync(path.join(box.directory, 'note.txt'), 'utf8');

/** Returns the name of the step that a command asks about, with the answers in its lines. */
function asked({ code, stdout }: Finished, answer: string): string {
  expect([code, stdout]).toEqual([10, expect.stringContaining(answer)]);
  return /^([0-9a-f]{8}) \S+ waits/m.exec(stdout)?.[1] ?? '';
}

test('a command: a person says what became of a create, an update and a delete, and what it wrote', async () => {
  const box = sandbox({ 'index.ts': COMMANDS, 'effect.sh': EFFECT, 'value.txt': 'one' });
  boxes.push(box);
  giveStack(box);
  const resolve = (name: string, ...words: string[]) => box.cairn(['change', 'resolve', name, ...words]);

  await killedAt(box, 'after create', UP);
  const waits = await box.cairn(['resume']);
  const create = asked(waits, '--created ID --outputs FILE');
  expect(waits.stdout).toContain('FILE has its outputs as JSON: {"stdout":"…","stderr":"…"}');
  const bare = await resolve(create, '--created', 'job-1');
  expect([bare.code === 0, bare.text]).toEqual([
    false,
    expect.stringContaining('its provider cannot read these outputs of it: stdout, stderr'),
  ]);
  expect(bare.text.match(/cannot read these outputs/g)).toHaveLength(1);
  box.write('half.json', '{ "stdout": "made by create one" }');
  expect((await resolve(create, '--created', 'job-1', '--outputs', 'half.json')).text).toContain(
    'cannot read these outputs of it: stderr',
  );
  box.write('wrong.json', '{ "stdout": 1, "stderr": "" }');
  expect((await resolve(create, '--created', 'job-1', '--outputs', 'wrong.json')).text).toContain(
    'its output "stdout" is of type string',
  );
  box.write('outputs.json', '{ "stdout": "made by create one", "stderr": "" }');
  expectOk(await resolve(create, '--created', 'job-1', '--outputs', 'outputs.json'));
  expectOk(await box.cairn(['resume']));
  expect([effectsOf(box), note(box)]).toEqual([['create'], 'made by create one']);

  box.write('value.txt', 'two');
  await killedAt(box, 'after update', UP);
  const update = asked(await box.cairn(['resume']), '--done --outputs FILE');
  expect(await pending(box)).toEqual(['updating job']);
  expect((await resolve(update, '--created', 'job-2')).code).toBe(2);
  box.write('outputs.json', '{ "stdout": "made by update two", "stderr": "" }');
  expectOk(await resolve(update, '--done', '--outputs', 'outputs.json'));
  expectOk(await box.cairn(['resume']));
  expect([effectsOf(box), note(box)]).toEqual([['create', 'update'], 'made by update two']);

  await killedAt(box, 'before delete', DESTROY);
  const kept = asked(await box.cairn(['rollback', '--yes']), '--not-done');
  expect(await pending(box)).toEqual(['deleting job']);
  expectOk(await resolve(kept, '--not-done'));
  expectOk(await box.cairn(['rollback', '--yes']));
  expect([effectsOf(box), note(box)]).toEqual([['create', 'update'], 'made by update two']);

  await killedAt(box, 'after delete', DESTROY);
  const gone = asked(await box.cairn(['rollback', '--yes']), '--done');
  expect((await resolve(gone, '--done', '--outputs', 'outputs.json')).code).toBe(2);
  expectOk(await resolve(gone, '--done'));
  expectOk(await box.cairn(['rollback', '--yes']));
  expect(effectsOf(box)).toEqual(['create', 'update', 'delete', 'create']);
  expectOk(await box.cairn(DESTROY));
  expect(effectsOf(box).slice(4)).toEqual(['delete']);
});

/** Returns the unfinished steps in the state. */
async function pending(box: Sandbox): Promise<readonly string[]> {
  const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout);
  return (deployment.pending_operations ?? []).map(
    ({ type, resource }: { readonly type: string; readonly resource: { readonly urn: string } }) =>
      `${type} ${resource.urn.split('::').at(-1)}`,
  );
}

/** Dynamic providers declare nothing about their reads: `seen` has one that looks, `blind` has none. */
const DYNAMIC = `
import * as pulumi from '@pulumi/pulumi';
const effect = (what: string, name: string, act: () => void): void => {
  const fs = require('fs');
  const when = fs.existsSync('kill.txt') ? fs.readFileSync('kill.txt', 'utf8') : '';
  const die = (): void => { fs.rmSync('kill.txt'); process.kill(process.ppid, 'SIGKILL'); for (;;); };
  if (when === 'before ' + what + ' ' + name) die();
  act();
  fs.appendFileSync('effects.log', what + ' ' + name + '\\n');
  if (when === 'after ' + what + ' ' + name) die();
};
const file = (name: string): string => name + '.object';
const provider = {
  create: async ({ name }: any) => {
    effect('create', name, () => require('fs').writeFileSync(file(name), 'at ' + name));
    return { id: 'id-of-it', outs: { name, address: 'at ' + name } };
  },
  delete: async (id: string, { name }: any) => effect('delete', name, () => require('fs').rmSync(file(name))),
};
const looking = {
  ...provider,
  read: async (id: string, props: any) => {
    const fs = require('fs');
    if (!fs.existsSync('seen.object')) return {} as any;
    return { id, props: { name: 'seen', address: fs.readFileSync('seen.object', 'utf8') } };
  },
};
class Thing extends pulumi.dynamic.Resource {
  constructor(kind: pulumi.dynamic.ResourceProvider, name: string, options?: pulumi.CustomResourceOptions) {
    super(kind, name, { name, address: undefined }, options);
  }
}
const seen = new Thing(looking, 'seen');
new Thing(provider, 'blind', { dependsOn: seen });
`;

test('dynamic providers: who finds the object by its id has looked, and of others a person is asked', async () => {
  const box = sandbox({
    'Pulumi.yaml': 'name: shop\nruntime: nodejs\nmain: index.ts\n',
    'package.json': JSON.stringify({ name: 'shop', private: true, dependencies: { '@pulumi/pulumi': '*' } }),
    'index.ts': DYNAMIC,
  });
  boxes.push(box);
  giveStack(box);
  expectOk(await box.cairn(UP));

  await killedAt(box, 'after delete blind', DESTROY);
  const blind = asked(await box.cairn(['resume']), '--done');
  expectOk(await box.cairn(['change', 'resolve', blind, '--done']));
  await killedAt(box, 'before delete seen', ['resume']);
  expect(expectOk(await box.cairn(['resume'])).text).toMatch(/found out: deleting "seen" .* was not done/);
  expect(effectsOf(box)).toEqual(['create seen', 'create blind', 'delete blind', 'delete seen']);

  expectOk(await box.cairn(UP));
  expectOk(await box.cairn([...DESTROY, '--target', '**blind']));
  await killedAt(box, 'after delete seen', DESTROY);
  expect(expectOk(await box.cairn(['resume'])).text).toMatch(/found out: deleting "seen" .* was done/);
});

/**
 * It has a schema, and declares nothing about its reads, which look at the object if `looks.txt` is there, else echo.
 */
const SILENT = `#!${process.execPath}
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const load = (name) => import(pathToFileURL(createRequire(__filename).resolve(name)).href);
(async () => {
  const { providerService } = await load('@cairn/wire/provider-server');
  const { startServer } = await load('@cairn/wire/server');
  const can = { acceptSecrets: true, acceptResources: true, acceptOutputs: false, supportsPreview: true, supportsAutonaming: false };
  const properties = { name: { type: 'string' }, address: { type: 'string' } };
  const hosts = { 'silent:index:Host': { properties, required: ['name', 'address'], inputProperties: { name: { type: 'string' } } } };
  const provider = {
    handshake: async () => can,
    getPluginInfo: async () => ({ version: '1.0.0' }),
    getSchema: async () => JSON.stringify({ name: 'silent', version: '1.0.0', resources: hosts }),
    checkConfig: async ({ news }) => ({ inputs: news, failures: [] }),
    configure: async () => can,
    check: async ({ news }) => ({ inputs: news, failures: [] }),
    create: async ({ inputs, preview }) => {
      if (preview) return { id: '', outputs: inputs, refreshBeforeUpdate: false };
      fs.appendFileSync('effects.log', 'create\\n');
      if (fs.existsSync('kill.txt')) { fs.rmSync('kill.txt'); process.kill(process.ppid, 'SIGKILL'); for (;;); }
      return { id: 'host-1', outputs: { ...inputs, address: '10.0.0.1' }, refreshBeforeUpdate: false };
    },
    read: async ({ id, inputs, state }) => ({
      id, inputs,
      outputs: fs.existsSync('looks.txt') ? { ...inputs, address: '10.0.0.1' } : state,
      refreshBeforeUpdate: false,
    }),
    delete: async () => undefined,
    cancel: async () => undefined,
    close: async () => undefined,
  };
  const server = await startServer({ services: [providerService(provider)] });
  console.log(server.address.split(':').pop());
})();
`;

test.each(['looks', 'only echoes'])(
  'a provider that does not say how it reads, and %s: the printed answer works as printed, or says what to add',
  async (what) => {
    const box = sandbox({
      'Cairn.yaml':
        'name: shop\nruntime: nodejs\nmain: index.ts\nplugins:\n  providers:\n    - name: silent\n      path: plugin\n',
      'index.ts': `import { CustomResource } from '@cairn/sdk';
new CustomResource('silent:index:Host', 'web', { name: 'web' });`,
      'plugin/package.json': '{}',
      'plugin/pulumi-resource-silent': SILENT,
      ...(what === 'looks' ? { 'looks.txt': '' } : {}),
    });
    boxes.push(box);
    chmodSync(path.join(box.directory, 'plugin', 'pulumi-resource-silent'), 0o755);
    giveStack(box);
    await killedAt(box, 'after create', UP);
    const asks = await box.cairn(['resume']);
    expect([asks.code, asks.stdout]).toEqual([10, expect.stringMatching(/--created ID +# it was created/)]);
    expect(asks.stdout).toContain(
      'add --outputs FILE where its provider cannot read them: FILE has its outputs as JSON: {"address":"…"}',
    );
    const answer = /cairn (change resolve \S+ --created) ID/.exec(asks.stdout)?.[1]?.split(' ') ?? [];
    const pasted = await box.cairn([...answer, 'host-1']);
    if (what !== 'looks') {
      expect([pasted.code === 0, pasted.text]).toEqual([
        false,
        expect.stringContaining('cannot read these outputs of it: address'),
      ]);
      expect(pasted.text).toMatch(
        /--created ID --outputs FILE +# .* FILE has its outputs as JSON: \{"address":"…"\}/,
      );
      box.write('outputs.json', '{ "address": "10.0.0.1" }');
      expectOk(await box.cairn([...answer, 'host-1', '--outputs', 'outputs.json']));
    } else expectOk(pasted);
    expectOk(await box.cairn(['resume']));
    expect(effectsOf(box)).toEqual(['create']);
    expect(expectOk(await box.cairn(['stack', 'export'])).stdout).toContain('"address": "10.0.0.1"');
  },
);
