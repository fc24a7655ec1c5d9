import { expectOk } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { provider, Shop, shopProject } from '../support/terraform-shop.js';
import { until } from '../support/until.js';

/** Commands on a provider of Terraform's protocol, which runs in a process of its own. */

const UP = ['up', '--yes', '--skip-preview'];

let box: Sandbox;
beforeAll(async () => {
  box = await shopProject();
});
afterAll(() => box.remove());

test('preview, up, change, replace in both orders, ignored changes, destroy', async () => {
  const shop = Shop.open(box, 'life');
  shop.sells("name: 'a', size: 1", "new Lid('lid', { boxId: one.id, title: 't' });");
  const preview = await shop.ok('preview');
  expect(preview.stdout).toContain('3 to create');
  expect(shop.effects()).toEqual([]);
  await shop.ok(...UP);
  await shop.ok('preview', '--expect-no-changes');

  shop.sells("name: 'a', size: 2", "new Lid('lid', { boxId: one.id, title: 't' });");
  expect((await shop.ok('preview', '--diff')).stdout).toContain('~ size: 1 => 2');
  await shop.ok('preview', '--save-plan', 'plan.json');
  await shop.ok('up', '--yes', '--plan', 'plan.json');

  // Deleted first, together with what was built on it.
  shop.sells("name: 'b', size: 2", "new Lid('lid', { boxId: one.id, title: 't' });");
  const replaced = await shop.ok(...UP);
  expect(replaced.stdout).toContain('replace');
  expect(shop.effects().slice(3)).toEqual([
    'delete boxes_lid-1',
    'delete boxes_box-1',
    'create boxes_box-2',
    'create boxes_lid-2',
  ]);

  shop.sells("name: 'c', size: 2", '', '{ deleteBeforeReplace: false }');
  await shop.ok(...UP);
  expect(shop.effects().slice(7)).toEqual(['create boxes_box-3', 'delete boxes_lid-2', 'delete boxes_box-2']);

  shop.sells("name: 'd', size: 3", '', "{ ignoreChanges: ['name', 'size'] }");
  await shop.ok('preview', '--expect-no-changes');
  await shop.ok('destroy', '--yes', '--skip-preview');
  expect(shop.effects().at(-1)).toBe('delete boxes_box-3');
});

test('drift is found by a refresh and taken back by the next up; a lost object is made again; an object is imported', async () => {
  const shop = Shop.open(box, 'drift');
  shop.sells("name: 'a', size: 1");
  await shop.ok(...UP);
  shop.drift('boxes_box', (json) => json.replace('"size":1', '"size":7'));
  const refreshed = await shop.ok('refresh', '--yes', '--skip-preview');
  expect(refreshed.stdout).toContain('boxes:index:Box one updated');
  expect((await shop.ok('preview', '--diff')).stdout).toContain('~ size: 7 => 1');
  await shop.ok(...UP);
  expect(shop.effects()).toEqual(['create boxes_box-1', 'update boxes_box-1']);

  shop.sells("name: 'a', size: 1", '', "{ import: 'boxes_box-1' }");
  const other = Shop.open(box, 'importing');
  const found = await box.cairn([...UP, '--stack', 'importing'], {
    env: { BOXES_DIRECTORY: shop.folder },
  });
  expect(expectOk(found).stdout).toContain('import');
  expect(other.effects()).toEqual([]);
  expect(shop.effects()).toHaveLength(2);

  shop.sells("name: 'a', size: 1").lose('boxes_box');
  await shop.ok(...UP, '--refresh');
  expect(shop.effects().at(-1)).toBe('create boxes_box-2');
});

test('a create that fails with an object is told, kept, and replaced by the next up', async () => {
  const shop = Shop.open(box, 'tainted');
  const diagnostics = [{ summary: 'Half a box', detail: 'The lid is missing.', attribute: ['size'] }];
  shop.sells("name: 'a', size: 1").misbehaves({ call: 'applyResourceChange', times: 1, diagnostics });
  const failed = await shop.run(...UP);
  expect(failed.code).not.toBe(0);
  expect(failed.text).toContain('CAIRN-RESOURCE-INIT-FAILED');
  expect(failed.text).toContain('size: Half a box: The lid is missing.');
  shop.behaves();
  expect((await shop.ok('preview')).stdout).toContain('1 to replace');
  await shop.ok(...UP);
  expect(shop.effects()).toEqual(['create boxes_box-1', 'delete boxes_box-1', 'create boxes_box-2']);
  await shop.ok('preview', '--expect-no-changes');
});

test('a plan that breaks the contract ends a preview with provider, resource, path and rule, before anything is done', async () => {
  const shop = Shop.open(box, 'broken');
  shop.sells("name: 'a', size: 1");
  await shop.ok(...UP);
  // The second plan of the replacement is the one that is broken.
  const rule = { call: 'planResourceChange', skip: 1, change: { 'plannedState.size': 9 } };
  shop.sells("name: 'b', size: 1").misbehaves(rule);
  const refused = await shop.run(...UP);
  expect(refused.code).not.toBe(0);
  expect(refused.text).toContain('CAIRN-TERRAFORM-PLAN');
  expect(refused.text).toMatch(
    /provider boxes, urn:\S+::one: \.size: the planned value is not the configured one \[TFC-5 CONFIG_MISMATCH\]/,
  );
  expect(shop.effects()).toEqual(['create boxes_box-1']);
});

test('a rollback asks for the plan of the way back, changes back in place, and holds where that takes a replacement', async () => {
  const shop = Shop.open(box, 'back');
  shop.sells("name: 'a', size: 1");
  await shop.ok(...UP);
  const fails = {
    call: 'applyResourceChange',
    type: 'boxes_lid',
    answer: { diagnostics: [{ summary: 'No lids' }] },
  };
  const lid = "new Lid('lid', { boxId: one.id });";
  shop.sells("name: 'a', size: 2", lid).misbehaves(fails);
  const back = await shop.run(...UP, '--on-error', 'rollback');
  expect(back.text).toContain('No lids');
  expect([back.code, shop.effects().slice(1)]).toEqual([11, ['update boxes_box-1', 'update boxes_box-1']]);

  const oneWay = {
    call: 'planResourceChange',
    type: 'boxes_box',
    skip: 2,
    change: { requiresReplace: [['size']] },
  };
  shop.misbehaves(fails, oneWay);
  const held = await shop.run(...UP, '--on-error', 'rollback');
  expect(held.code).not.toBe(0);
  expect(held.code).not.toBe(11);
  expect(shop.effects().slice(3)).toEqual(['update boxes_box-1']);
});

test('an apply during which the provider crashes leaves its object in doubt, with what the crash wrote', async () => {
  const shop = Shop.open(box, 'crash');
  const rule = {
    call: 'applyResourceChange',
    times: 1,
    fault: 'crash',
    when: 'after',
    text: 'box overboard',
  };
  shop.sells("name: 'a', size: 1").misbehaves(rule);
  const crashed = await shop.run(...UP);
  expect(crashed.code).not.toBe(0);
  expect(crashed.text).toContain('CAIRN-PLUGIN-DIED');
  expect(crashed.text).toContain('panic: box overboard');
  expect(crashed.text).toMatch(/in doubt: create \S+::one/);
  shop.behaves();
  // Nothing is made twice in silence.
  const again = await shop.run(...UP);
  expect(again.code).not.toBe(0);
  expect(shop.effects()).toEqual(['create boxes_box-1']);
});

test('a provider that keeps its word is found to, from the first up to the last', async () => {
  const shop = Shop.open(box, 'strict');
  const inputs =
    "name: 'a', size: 0.5, tags: { k: 'v' }, walls: [{ side: 'left' }], stickers: [{ text: 's' }], lock: { kind: 'k' }";
  shop.sells(inputs);
  const strict = ['--yes', '--strict-providers'];
  const said = [await shop.ok('up', ...strict), await shop.ok('up', ...strict, '--expect-no-changes')];
  said.push(await shop.ok('refresh', ...strict));
  shop.sells(inputs.replace('0.5', '1e21').replace("'left'", "'right'"));
  said.push(await shop.ok('up', ...strict));
  shop.sells(inputs.replace("'a'", "'b'"));
  said.push(await shop.ok('up', ...strict));
  for (const { text } of said) expect(text).not.toContain('PROVIDER-CONTRACT');
});

test('a killed command: a resume asks what became of the create, and goes on', async () => {
  const shop = Shop.open(box, 'killed');
  shop.sells("name: 'a', size: 1", "new Lid('lid', { boxId: one.id });");
  shop.misbehaves({ call: 'applyResourceChange', type: 'boxes_lid', times: 1, fault: 'hang', when: 'after' });
  const running = shop.start(...UP);
  await until(() => shop.effects().includes('create boxes_lid-1'));
  running.process.kill('SIGKILL');
  await running.finished;
  shop.behaves();
  const waits = await shop.run('resume');
  expect(waits.code).toBe(10);
  const [, task = ''] = /^([0-9a-f]{8}) lid waits/m.exec(waits.stdout) ?? [];
  await shop.ok('change', 'resolve', task, '--not-created');
  await shop.ok('resume');
  expect(shop.effects()).toEqual(['create boxes_box-1', 'create boxes_lid-1', 'create boxes_lid-2']);
  await shop.ok('preview', '--expect-no-changes');
});

test('what packages do not offer is refused by name', async () => {
  const asked = ['package', 'get-schema', 'terraform-provider', provider];
  const { description } = JSON.parse(expectOk(await box.cairn(asked)).stdout) as { description: string };
  expect(description).toContain('list resource boxes_box; action boxes_press; state store boxes_cellar');
  const shop = Shop.open(box, 'refused');
  const using = (type: string) =>
    shop.runs(`
import { CustomResource } from '@cairn/sdk';
import { Provider } from '@cairn-sdks/boxes';
new CustomResource('boxes:index/${type}', 'x', {}, { provider: new Provider('p') });`);
  const said = (type: string, what: string) =>
    `the package boxes has no resource type boxes:index/${type}${what}`;
  for (const [type, what] of [
    ['press:Press', ': boxes_press is an action of the Terraform provider, which packages do not offer'],
    [
      'cellar:Cellar',
      ': boxes_cellar is a state store of the Terraform provider, which packages do not offer',
    ],
    ['nothing:Nothing', '\n'],
  ] as const) {
    const refused = await using(type).run('preview');
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain(said(type, what));
  }
});

test('each configuration has a process of its own; one that is not known yet is not sent, and what it would say is open [TFB-2]', async () => {
  const shop = Shop.open(box, 'configured');
  shop.runs(`
import { Provider } from '@cairn-sdks/boxes';
const first = new Box('first', { name: 'a' });
new Box('second', { name: 'b', material: 'oak' }, { provider: new Provider('p', { token: first.label }) });
`);
  const tokens = () =>
    shop.asked('configureProvider').map(({ request }) => (request['config'] as { token?: unknown }).token);
  const preview = await shop.ok('preview', '--json');
  expect(tokens()).toEqual([null]);
  expect(preview.stdout).toContain('::second');
  expect(shop.asked('planResourceChange')).toHaveLength(1);
  await shop.ok(...UP);
  const { first, second } = await shop.entries();
  const label = first?.outputs?.['label'];
  expect(typeof label).toBe('string');
  expect(tokens().slice(1).toSorted()).toEqual([label, null].toSorted());
  expect(second?.outputs).toMatchObject({ name: 'b', material: 'oak' });
});
