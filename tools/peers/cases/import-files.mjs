// Lists for `import --file`: those that a preview writes, and the allowed contents of such lists.
import { bring, preview, test, up, urn } from './steps.mjs';

const LIST = 'list.json';
const listing = (body, more) => preview(body, ['--import-file', LIST], { reads: LIST, ...more });
const there = (label) => ({ inputs: { label }, outputs: { label, computed: `computed of ${label}` } });
const list = (resources, more) => ({ [LIST]: JSON.stringify({ resources, ...more }) });

export default [
  test(
    'import-file-of-components',
    up(`const g = new Group('g'); new Thing('old', { label: 'x' }, { parent: g });`),
    listing(
      `const g = new Group('g'); const h = new Group('h', {}, { parent: g }); new Thing('a', { label: 'x' }, { parent: h }); new Thing('b', { label: 'y' }, { parent: g }); new Thing('old', { label: 'x' }, { parent: g });`,
    ),
    bring(['--file', LIST], {
      files: list(
        [
          { type: 'shop:index:Group', name: 'h', parent: 'g', component: true },
          { type: 'probe:index:Thing', name: 'a', id: 'a-there', parent: 'h' },
          { type: 'probe:index:Thing', name: 'b', id: 'b-there', parent: 'g' },
        ],
        { nameTable: { g: urn('shop:index:Group', 'g') } },
      ),
      world: { 'a-there': there('x'), 'b-there': there('y') },
    }),
  ),
  test(
    'import-file-of-names',
    listing(
      `const g = new Group('same'); new Thing('same', {}, { parent: g }); new Detailed('same', {}); new Thing('other', {}); new Group('other'); new Thing('same', {}, { parent: new Group('inner', {}, { parent: g }) }); new Thing('sameThing', {});`,
    ),
    listing(`new Thing('only', { label: 'x' });`, { world: {} }),
  ),
  test(
    'import-file-of-providers',
    up(`new Provider('north', { region: 'n' });`),
    listing(
      `const north = new Provider('north', { region: 'n' }); const south = new Provider('south', { region: 's', token: pulumi.secret('hush') }, { version: '1.2.3' }); new Thing('a', {}, { provider: north }); new Thing('b', {}, { provider: south }); new Thing('c', { label: 'x' }); new Provider('unknown', { region: new Thing('d', { label: 'y' }).computed });`,
    ),
    bring(['--file', LIST], {
      files: list(
        [
          { type: 'probe:index:Thing', name: 'b', id: 'b-there', provider: 'south' },
          { type: 'pulumi:providers:probe', name: 'south', inputs: { region: 's' } },
          { type: 'probe:index:Thing', name: 'a', id: 'a-there', provider: 'north' },
        ],
        { nameTable: { north: urn('pulumi:providers:probe', 'north') } },
      ),
      world: { 'a-there': there('x'), 'b-there': there('y') },
    }),
  ),
];
