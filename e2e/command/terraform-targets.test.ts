import type { Sandbox } from '../support/cairn.js';
import { Shop, shopProject } from '../support/terraform-shop.js';

/** Operations on a part of the resources of a Terraform provider: the provider receives these only. */

const UP = ['up', '--yes', '--skip-preview'];
const URN = 'urn:pulumi:STACK::shop::boxes:index/';
const program = (size: number, title: string) => `
const one = new Box('one', { name: 'a', size: ${size} });
new Box('two', { name: 'b', size: ${size} });
new Lid('lid', { boxId: one.id, title: '${title}', weight: one.size.apply((size) => size ?? 0) });
`;

let box: Sandbox;
beforeAll(async () => {
  box = await shopProject();
});
afterAll(() => box.remove());

/** A stack with two boxes and a lid on the first, and a program that would change them all. */
async function shopOf(
  name: string,
): Promise<{ readonly shop: Shop; readonly urn: (last: string) => string }> {
  const shop = Shop.open(box, name);
  await shop.runs(program(1, 't')).ok(...UP);
  shop.runs(program(2, 'u'));
  const type = (last: string) => (last === 'lid' ? 'lid:Lid' : 'box:Box');
  return { shop, urn: (last) => `${URN.replace('STACK', name)}${type(last)}::${last}` };
}

test.each([
  ['target', ['two'], ['update boxes_box-2'], ['boxes_box']],
  ['target', ['lid'], ['update boxes_lid-1'], ['boxes_lid']],
  [
    'target-with-dependents',
    ['one'],
    ['update boxes_box-1', 'update boxes_lid-1'],
    ['boxes_box', 'boxes_lid'],
  ],
  ['exclude', ['lid', 'one'], ['update boxes_box-2'], ['boxes_box']],
] as const)('up --%s %j', async (how, names, effects, planned) => {
  const { shop, urn } = await shopOf(`${how}-${names.join('-')}`);
  const before = shop.asked('planResourceChange').length;
  const flag = how === 'exclude' ? '--exclude' : '--target';
  const dependents = how === 'target-with-dependents' ? ['--target-dependents'] : [];
  const words = [...names.flatMap((name) => [flag, urn(name)]), ...dependents];
  const preview = await shop.ok('preview', ...words);
  expect(preview.stdout).toMatch(new RegExp(`\\b${effects.length} to update`));
  await shop.ok(...UP, ...words);
  expect(shop.effects().slice(3).toSorted()).toEqual(effects);
  const asked = shop.asked('planResourceChange').slice(before);
  expect([...new Set(asked.map(({ request }) => request['typeName']))].toSorted()).toEqual(planned);
  // The rest has been left as it was, and the next operation does it.
  await shop.ok(...UP);
  await shop.ok('preview', '--expect-no-changes');
});

test('refresh --target takes over what happened to one, and destroy --target deletes one', async () => {
  const { shop, urn } = await shopOf('parts');
  shop.runs(program(1, 't')).drift('boxes_box', (json) => json.replace('"size":1', '"size":7'));
  const reads = shop.asked('readResource').length;
  await shop.ok('refresh', '--yes', '--skip-preview', '--target', urn('two'));
  expect(shop.asked('readResource')).toHaveLength(reads + 1);
  const { one, two } = await shop.entries();
  expect([one?.outputs?.['size'], two?.outputs?.['size']]).toEqual([1, 7]);

  const refused = await shop.run('destroy', '--yes', '--skip-preview', '--target', urn('one'));
  expect(refused.code).not.toBe(0);
  expect(refused.text).toContain('--target-dependents');
  await shop.ok('destroy', '--yes', '--skip-preview', '--target', urn('one'), '--target-dependents');
  expect(shop.effects().slice(3)).toEqual(['delete boxes_lid-1', 'delete boxes_box-1']);
  expect(Object.keys(await shop.entries())).toContain('two');
});

test('a replacement that is asked for is planned as one', async () => {
  const { shop, urn } = await shopOf('replaced');
  await shop.runs(program(1, 't')).ok(...UP, '--target-replace', urn('two'));
  expect(shop.effects().slice(3)).toEqual(['create boxes_box-3', 'delete boxes_box-2']);
});
