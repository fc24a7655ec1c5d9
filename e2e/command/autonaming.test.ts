import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { effectsOf } from '../support/effect.js';
import { giveStack } from '../support/given-stack.js';

/**
 * Names that the stack's configuration makes, in plans and before policies: by a pattern with a random part, and
 * verbatim, where two objects cannot have one name and the old one is deleted first. The provider records its effects.
 */

const PROVIDER = `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const load = (name) => import(pathToFileURL(createRequire(__filename).resolve(name)).href);
const effect = (text) => appendFileSync('effects.log', text + '\\n');
const differing = (changedKeys, replaceKeys) => ({
  changes: changedKeys.length > 0 ? 'some' : 'none',
  ...{ changedKeys, replaceKeys, stableKeys: [], detailedDiff: undefined, deleteBeforeReplace: false },
});
(async () => {
  const { providerService } = await load('@cairn/wire/provider-server');
  const { startServer } = await load('@cairn/wire/server');
  const can = { acceptSecrets: true, acceptResources: true, acceptOutputs: false, supportsPreview: true, supportsAutonaming: true };
  const provider = {
    handshake: async () => can,
    getPluginInfo: async () => ({ version: '1.0.0' }),
    checkConfig: async ({ news }) => ({ inputs: news, failures: [] }),
    diffConfig: async () => differing([], []),
    configure: async () => can,
    check: async ({ news, autonaming }) => ({
      inputs: news.name !== undefined || autonaming === undefined ? news : { ...news, name: autonaming.proposedName },
      failures: [],
    }),
    diff: async ({ oldInputs, news }) => {
      const keys = Object.keys({ ...oldInputs, ...news }).filter((key) => oldInputs[key] !== news[key]);
      return differing(keys, keys.filter((key) => key === 'zone'));
    },
    create: async ({ inputs, preview }) => {
      if (!preview) effect('create ' + inputs.name + ' in ' + inputs.zone);
      return { id: preview ? '' : inputs.name, outputs: inputs, refreshBeforeUpdate: false };
    },
    delete: async ({ oldInputs }) => effect('delete ' + oldInputs.name + ' in ' + oldInputs.zone),
    cancel: async () => undefined,
    close: async () => undefined,
  };
  const server = await startServer({ services: [providerService(provider)] });
  console.log(server.address.split(':').pop());
})();
`;

const program = (zone: string, options = '{}'): string => `
import { CustomResource } from '@cairn/sdk';
new CustomResource('named:index:Host', 'web', { zone: '${zone}' }, ${options});
`;

/** Reports the hosts that it sees, and refuses those that a file names. */
const PACK = `
import { existsSync, readFileSync } from 'node:fs';
import { PolicyPack } from '@pulumi/policy';
new PolicyPack('names', {
  policies: [
    {
      name: 'seen',
      description: 'What is seen.',
      enforcementLevel: 'advisory',
      validateResource: (args, report) => {
        if (args.type === 'named:index:Host')
          report('host ' + args.props.name + ' deleteBeforeReplace ' + args.opts.deleteBeforeReplace);
      },
    },
    {
      name: 'allowed',
      description: 'Names that are allowed.',
      enforcementLevel: 'mandatory',
      validateResource: (args, report) => {
        if (args.type === 'named:index:Host' && existsSync('refused.txt') && args.props.name === readFileSync('refused.txt', 'utf8'))
          report('a host must not be called ' + args.props.name);
      },
    },
  ],
});
`;

let box: Sandbox;
beforeEach(async () => {
  box = sandbox({
    'Cairn.yaml':
      'name: shop\nruntime: nodejs\nmain: index.ts\nplugins:\n  providers:\n    - name: named\n      path: plugin\n',
    'index.ts': program('north'),
    'plugin/package.json': '{}',
    'plugin/pulumi-resource-named': PROVIDER,
  });
  chmodSync(path.join(box.directory, 'plugin', 'pulumi-resource-named'), 0o755);
  giveStack(box);
});
afterEach(() => box.remove());

const effects = (): readonly string[] => effectsOf(box);
const name = (key: string, value: string) =>
  box.cairn(['config', 'set', '--path', `pulumi:autonaming.${key}`, value]);

interface Plan {
  readonly resourcePlans: Readonly<
    Record<
      string,
      { readonly steps: readonly string[]; readonly goal: { readonly deleteBeforeReplace?: boolean } }
    >
  >;
}
const planOf = (file: string) => {
  const { resourcePlans } = JSON.parse(readFileSync(path.join(box.directory, file), 'utf8')) as Plan;
  return Object.entries(resourcePlans).find(([urn]) => urn.endsWith('::web'))?.[1];
};

test('a name with a random part is the one that the plan was made with, every time', async () => {
  expectOk(await name('pattern', '${stack}-${name}-${hex(8)}'));
  expectOk(await box.cairn(['preview', '--save-plan', 'plan.json']));
  const planned = /dev-web-[0-9a-f]{8}/.exec(
    readFileSync(path.join(box.directory, 'plan.json'), 'utf8'),
  )?.[0];
  expect(planned).toBeDefined();
  expectOk(await box.cairn(['up', '--yes', '--plan', 'plan.json']));
  expect(effects()).toEqual([`create ${planned} in north`]);

  // Another object of the same resource has another name: both can be there at once.
  box.write('index.ts', program('south'));
  expectOk(await box.cairn(['preview', '--save-plan', 'next.json']));
  expect(planOf('next.json')?.goal.deleteBeforeReplace).toBeUndefined();
  expectOk(await box.cairn(['up', '--yes', '--plan', 'next.json']));
  const [, created, deleted] = effects();
  expect(created).toMatch(/^create dev-web-[0-9a-f]{8} in south$/);
  expect(created).not.toContain(planned);
  expect(deleted).toBe(`delete ${planned} in north`);
});

test('where names collide the plan has the old object go first, and is followed, whatever the program says', async () => {
  expectOk(await name('mode', 'verbatim'));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  box.write('index.ts', program('south', '{ deleteBeforeReplace: false }'));
  expectOk(await box.cairn(['preview', '--save-plan', 'plan.json']));
  expect(planOf('plan.json')).toMatchObject({
    steps: ['delete-replaced', 'replace', 'create-replacement'],
    goal: { deleteBeforeReplace: true },
  });
  expectOk(await box.cairn(['up', '--yes', '--plan', 'plan.json']));
  expect(effects()).toEqual(['create web in north', 'delete web in north', 'create web in south']);

  // The plan was made for names that collide; with others the operation would do something else.
  box.write('index.ts', program('west'));
  expectOk(await box.cairn(['preview', '--save-plan', 'plan.json']));
  expectOk(await box.cairn(['config', 'rm', '--path', 'pulumi:autonaming.mode']));
  expectOk(await name('pattern', '${name}-${hex(4)}'));
  const refused = await box.cairn(['up', '--yes', '--plan', 'plan.json']);
  expect([refused.code === 0, refused.text]).toEqual([false, expect.stringContaining('violates plan')]);
  expect(effects()).toHaveLength(3);
});

test('policies see the name and that the old object goes first, and can refuse it', async () => {
  const pack = path.join(box.directory, '..', 'pack');
  mkdirSync(pack);
  writeFileSync(path.join(pack, 'PulumiPolicy.yaml'), 'runtime: nodejs\n');
  writeFileSync(
    path.join(pack, 'package.json'),
    JSON.stringify({ name: 'names', version: '0.0.1', private: true }),
  );
  writeFileSync(path.join(pack, 'index.ts'), PACK);
  const under = ['--policy-pack', '../pack'];

  expectOk(await name('pattern', 'x-${name}'));
  const preview = expectOk(await box.cairn(['preview', ...under]));
  expect(preview.text).toContain('host x-web deleteBeforeReplace true');
  const up = expectOk(await box.cairn(['up', '--yes', '--skip-preview', ...under]));
  expect(up.text).toContain('host x-web deleteBeforeReplace true');

  expectOk(await name('pattern', 'y-${name}'));
  box.write('index.ts', program('south'));
  writeFileSync(path.join(pack, 'refused.txt'), 'y-web');
  const refused = await box.cairn(['up', '--yes', '--skip-preview', ...under]);
  expect([refused.code, refused.text]).toEqual([5, expect.stringContaining('must not be called y-web')]);
  expect(effects()).toEqual(['create x-web in north']);
});
