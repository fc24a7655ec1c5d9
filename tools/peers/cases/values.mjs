// Values, outputs, secrets, configuration, output of programs, and other kinds of resources.
import { bring, destroy, preview, prints, refresh, run, test, thing, up, urn } from './steps.mjs';

/** The component that the provider makes. */
const MADE = `class Made extends pulumi.ComponentResource {
  constructor(name, opts) { super('probe:index:Made', name, { inside: undefined }, opts, true); }
}
`;

const DYNAMIC = `
const provider = {
  async check(olds, news) { return { inputs: { ...news, checked: true } }; },
  async diff(id, olds, news) { return { changes: olds.v !== news.v || olds.w !== news.w, replaces: olds.v !== news.v ? ['v'] : [], stables: ['s'], deleteBeforeReplace: news.first }; },
  async create(inputs) { if (inputs.fail) throw new Error('said: ' + inputs.fail); return { id: 'dyn-' + inputs.v, outs: { ...inputs, made: 'made ' + inputs.v } }; },
  async update(id, olds, news) { return { outs: { ...news, made: 'updated ' + news.w } }; },
  async read(id, props) { return { id, props: { ...props, seen: true } }; },
  async delete() {},
};
class Dynamic extends pulumi.dynamic.Resource { constructor(name, props, opts) { super(provider, name, { made: undefined, ...props }, opts); } }
`;

const EXOTIC = `{ empty: '', nothing: null, zero: 0, minus: -1.5, large: 1e21, small: 1e-7, yes: true, no: false, list: [], map: {}, nested: [[], [{}], { a: [null] }],
  'a.b': 1, 'with space': 2, 'ключ': 'значение', html: '<a href="x">&</a>', lines: 'one\\ntwo\\r\\n', ends: '\\u2028\\u0085\\u0000', emoji: '😀', long: 'x'.repeat(3000), date: '2020-01-01T00:00:00Z' }`;

export default [
  test(
    'exotic-values',
    up(`const a = new Thing('a', ${EXOTIC}); exports.all = ${EXOTIC}; exports.label = a.urn;`),
    run('stack', 'output', '--json'),
    prints('stack', 'output', '--shell'),
    preview(`new Thing('a', { ...${EXOTIC}, zero: 1, list: [1] });`),
    run('stack', 'export'),
  ),
  test(
    'assets',
    up(
      `new Thing('a', { text: new pulumi.asset.StringAsset('hello'), file: new pulumi.asset.FileAsset('./package.json'), both: new pulumi.asset.AssetArchive({ a: new pulumi.asset.StringAsset('a'), 'd/b': new pulumi.asset.FileAsset('package.json') }), folder: new pulumi.asset.FileArchive('./folder') });`,
    ),
    preview(undefined),
    run('stack', 'export'),
  ),
  test(
    'secrets',
    up(
      `const s = pulumi.secret('hush hush'); const a = new Thing('a', { label: s, token: 't', deep: { list: [1, s] } }); exports.s = s; exports.sealed = a.sealed; exports.computed = a.computed; exports.plain = 'plain';`,
    ),
    preview(
      `const s = pulumi.secret('hush again'); const a = new Thing('a', { label: s, token: 't2' }); exports.s = s;`,
    ),
    up(undefined),
    run('stack', 'output', '--json'),
    run('stack', 'output', '--json', '--show-secrets'),
    run('stack', 'export', '--show-secrets'),
    prints('stack', 'output', 's'),
  ),
  test(
    'secret-to-plain',
    up(`new Thing('a', { label: pulumi.secret('x') });`),
    preview(`new Thing('a', { label: 'x' });`),
    up(undefined),
    refresh(),
  ),
  test(
    'outputs',
    up(
      `exports.a = 1; exports.b = { deep: [1, 'two'] }; exports.none = undefined; exports.nil = null; exports.later = Promise.resolve('p');`,
    ),
    run('stack', 'output', '--json'),
    prints('stack', 'output', 'b'),
    preview(`exports.a = 2;`),
    up(undefined),
    up(''),
    run('stack', 'output', '--json'),
  ),
  test(
    'said',
    up(
      `console.log('said: one'); console.log(''); console.error('said: two'); process.stdout.write('said: a\\nsaid: b'); `,
    ),
    up(
      `pulumi.log.info('said: info'); pulumi.log.warn('said: warning'); new Thing('a', {}).urn.apply(() => pulumi.log.info('said: of a resource', new Group('g')));`,
    ),
    preview(`console.log('said: in a preview\\nsaid: two lines'); process.stdout.write('said: unended');`),
    up(`pulumi.log.error('said: an error');`),
  ),
  test(
    'component',
    up(
      `const g = new Group('g', { size: 1, list: ['a'] }); new Thing('a', { label: g.urn }, { parent: g }); g.registerOutputs({ out: 1, s: pulumi.secret('z') });`,
    ),
    preview(
      `const g = new Group('g', { size: 2, list: ['a'] }); new Thing('a', { label: g.urn }, { parent: g }); g.registerOutputs({ out: 2 });`,
    ),
    up(undefined),
    up(`const g = new Group('g', { size: 2 });`),
    destroy(),
  ),
  test(
    'made-components',
    up(
      `${MADE}const made = new Made('m'); exports.inside = made.inside; exports.grown = pulumi.runtime.call('probe:index:Made/grow', { __self__: made }, made).grown;`,
    ),
    up(`${MADE}function place() { return new Made('m'); }\nfor (const one of [1]) place();`),
    preview(undefined),
    destroy(),
  ),
  test(
    'nested-components',
    up(
      `const g = new Group('g'); const h = new Group('h', {}, { parent: g }); new Thing('a', { fixed: 1 }, { parent: h }); h.registerOutputs({ h: 1 }); g.registerOutputs();`,
    ),
    up(
      `const g = new Group('g'); const h = new Group('h', {}, { parent: g }); new Thing('a', { fixed: 2 }, { parent: h }); h.registerOutputs({ h: 1 }); g.registerOutputs();`,
    ),
    up(''),
    run('stack', 'export'),
  ),
  test(
    'get',
    up(
      `const r = Thing.get ? null : null; const a = new Thing('read', {}, { id: 'existing' }); exports.label = a.computed;`,
      [],
      { world: { existing: { outputs: { label: 'seen', computed: 'c1' } } } },
    ),
    preview(undefined),
    up(undefined, [], { world: { existing: { outputs: { label: 'seen', computed: 'c2' } } } }),
    refresh([], { world: { existing: { outputs: { label: 'other', computed: 'c2' } } } }),
    up(''),
  ),
  test('get-missing', up(`new Thing('read', {}, { id: 'nowhere' });`, [], { world: { nowhere: null } })),
  test(
    'created-then-read',
    up(`new Thing('a', { label: 'x' });`),
    preview(`new Thing('a', {}, { id: 'a-0-0' });`),
    up(undefined),
    up(`new Thing('a', { label: 'x' });`),
  ),
  test(
    'invoke',
    up(
      `const r = pulumi.runtime.invoke('probe:index:ask', { q: 1, s: pulumi.secret('z'), list: [1] }); exports.r = r; exports.o = pulumi.runtime.invokeOutput('probe:index:ask', { q: new Thing('a', { label: 'x' }).computed });`,
    ),
    preview(undefined),
    up(`exports.r = pulumi.runtime.invoke('probe:index:ask', { fail: 'no answer' });`),
  ),
  test(
    'dynamic',
    up(
      `${DYNAMIC} const a = new Dynamic('a', { v: 1, w: 1 }); exports.made = a.made; new Dynamic('b', { v: 1, w: a.made });`,
    ),
    preview(
      `${DYNAMIC} const a = new Dynamic('a', { v: 2, w: 1 }); exports.made = a.made; new Dynamic('b', { v: 1, w: a.made });`,
    ),
    up(undefined),
    refresh(),
    up(`${DYNAMIC} new Dynamic('a', { v: 3, w: 1, first: true });`),
    destroy(),
  ),
  test(
    'dynamic-fails',
    up(`${DYNAMIC} new Dynamic('a', { v: 1, fail: 'no' });`),
    run('config', 'set', 'k', 'v'),
    up(`${DYNAMIC} new Dynamic('a', { v: 1 });`),
    preview(undefined),
  ),
  test(
    'import-command',
    up(''),
    bring(['probe:index:Thing', 'brought', 'there'], {
      world: { there: { inputs: { label: 'x' }, outputs: { label: 'x', computed: 'c' } } },
    }),
    run('stack', 'export'),
    up(`new Thing('brought', { label: 'x' }, { protect: true });`),
    bring(['probe:index:Thing', 'absent', 'nowhere'], { world: { nowhere: null } }),
  ),
  test(
    'config',
    run('config', 'set', 'plain', 'text'),
    run('config', 'set', '--secret', 'token', 'hush hush'),
    run('config', 'set', '--path', 'deep.list[0]', '1'),
    run('config', 'set', '--path', 'deep.map.key', 'true'),
    run('config', 'set', 'probe:region', 'north'),
    run('config', '--json'),
    run('config', '--json', '--show-secrets'),
    run('config', 'get', '--json', 'token'),
    prints('config', 'get', 'token'),
    run('config', 'rm', 'plain'),
    run('config', 'rm', 'absent'),
    up(
      `exports.deep = config.requireObject('deep'); exports.token = config.requireSecret('token'); new Thing('a', {});`,
    ),
    run('config', 'set-all', '--plaintext', 'a=1', '--secret', 'b=2'),
    run('config', 'rm-all', 'a', 'b'),
  ),
  test(
    'config-texts',
    run('config', 'set', 'yes', 'yes'),
    run('config', 'set', 'number', '010'),
    run('config', 'set', 'float', '1e3'),
    run('config', 'set', 'empty', ''),
    run('config', 'set', 'nil', 'null'),
    run('config', 'set', 'lines', 'one\ntwo\n'),
    run('config', 'set', 'colon', 'a: b # c'),
    run('config', 'set', 'quotes', `it's "so"`),
    run('config', 'set', 'separator', 'a\u2028b\u0085c'),
    run('config', 'set', '--path', 'obj', '{"a":[1,"two",null,true],"h":"<&>"}', '--json'),
    run('config', '--json'),
    up(
      `for (const k of ['yes', 'number', 'float', 'empty', 'nil', 'lines', 'colon', 'quotes', 'separator']) exports[k] = config.get(k);`,
    ),
  ),
  test(
    'config-removals',
    run(
      ...[
        'config',
        'set-all',
        '--path',
        '--plaintext',
        'o.a=1',
        '--plaintext',
        'o.b=2',
        '--plaintext',
        'o.c.d=3',
      ],
      ...['--plaintext', 'l[0]=v', '--plaintext', 'l[1]=w', '--plaintext', 'l[2]=x', '--plaintext', 'l[3]=y'],
      ...['--plaintext', 'l[4]=z', '--plaintext', 'k=v', '--plaintext', 'n=v', '--secret', 'o.s=hush'],
    ),
    run('config', 'set', 'o.a', 'literal'),
    run('config', 'rm-all', '--path', 'o.a', 'l[0]', 'l[1]'),
    run('config', 'remove-all', 'o.a', 'absent', 'k'),
    run('config', 'rm-all', '--path', 'o.c.d', 'o.c.e', 'absent.x', 'l[7]'),
    run('config', 'rm-all', '--path', 'l[0]', 'l["x"]'),
    run('config', 'rm-all', 'n', 'one:two:three:four'),
    run('config', 'rm-all', '--path', 'n', 'l[0'),
    run('config', 'rm-all', '--path', 'n.x'),
    run('config', 'rm-all'),
    run('config', 'delete-all', '--path', 'o.b', 'o.s', 'o.c', 'l[0]'),
    run('config', 'delete', '--path', 'l[0]'),
    run('config', 'remove', '--path', 'o'),
  ),
  test(
    'provider-config',
    run('config', 'set', 'probe:region', 'north'),
    run('config', 'set', '--secret', 'probe:key', 'hush'),
    up(`new Thing('a', { label: 'x' });`),
    run('config', 'set', 'probe:region', 'south'),
    preview(undefined),
    up(undefined),
  ),
  test(
    'stack-commands',
    up(`new Thing('a', { label: 'x' }); exports.o = 1;`),
    run('stack', 'history', '--json'),
    run('stack', 'ls', '--json'),
    run('stack', 'export'),
    run('stack', 'tag', 'ls', '--json'),
    destroy(),
    run('stack', 'rm', '--yes', 'dev'),
  ),
  test(
    'state-commands',
    up(
      `const g = new Group('g'); const a = new Thing('a', {}, { parent: g }); new Thing('b', { label: a.computed }, { protect: true });`,
    ),
    run('state', 'rename', '--yes', thing('b'), 'c'),
    run('state', 'unprotect', '--all', '--yes'),
    run('state', 'protect', '--yes', urn('probe:index:Thing', 'c')),
    run('state', 'delete', '--yes', urn('shop:index:Group', 'g')),
    run('stack', 'export'),
  ),
  test('stack-rename', up(`new Thing('a', {});`), run('stack', 'export')),
  test(
    'many-outputs-of-providers',
    up(
      `const a = new Thing('a', { list: [1, { x: pulumi.secret(2) }], label: 'x' }); exports.list = a.list; exports.urn = a.urn; exports.id = a.id; exports.whole = a;`,
    ),
    run('stack', 'output', '--json'),
    up(undefined),
  ),
  test('empty-program', preview(''), up(''), up(''), refresh(), destroy(), run('stack', 'export')),
];
