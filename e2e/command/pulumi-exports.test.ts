import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * Calls the exports of `@pulumi/pulumi` that no other test here uses, in a program under Cairn: an expression with the
 * names of the program's head, and the stack's output. The checklist looks for the names
 * (docs/maintainers/pulumi-checklist.md).
 */
const HEAD = `
const pulumi = require('@pulumi/pulumi');
const { asset, iterable, log, runtime } = pulumi;
const pet = new pulumi.CustomResource('cairn-random:index:Pet', 'pet', { prefix: 'p', result: undefined });
const group = new pulumi.ComponentResource('test:index:Group', 'group', {});
const known = pulumi.output('known');
const hidden = pulumi.secret('hidden');
const [later, resolveLater] = pulumi.deferredOutput();
resolveLater(pulumi.output('later'));
const tried = (work) => { try { return work(); } catch (error) { return String(error); } };
const asked = (promise) => promise.then(() => 'answered', (error) => error.message.split(':')[0]);
`;

const URN = 'urn:pulumi:dev::shop';
const RUN: Readonly<Record<string, readonly [expression: string, output: unknown]>> = {
  getOrganization: ['pulumi.getOrganization()', 'organization'],
  getProject: ['pulumi.getProject()', 'shop'],
  getStack: ['pulumi.getStack()', 'dev'],
  getRootDirectory: [`require('path').isAbsolute(pulumi.getRootDirectory())`, true],
  requirePulumiVersion: [`asked(pulumi.requirePulumiVersion('>=3.1.0'))`, 'answered'],
  deferredOutput: ['later', 'later'],
  getAllResources: ['pulumi.getAllResources(pet.id).then((all) => all.size)', 1],
  output: ['pulumi.output({ a: Promise.resolve(1) })', { a: 1 }],
  secret: ['pulumi.secret(1)', '[secret]'],
  unsecret: ['pulumi.unsecret(hidden)', 'hidden'],
  isSecret: ['pulumi.isSecret(hidden)', true],
  all: ['pulumi.all([known, later])', ['known', 'later']],
  concat: [`pulumi.concat('a-', known)`, 'a-known'],
  interpolate: ['pulumi.interpolate`b-${known}`', 'b-known'],
  jsonStringify: ['pulumi.jsonStringify({ known })', '{"known":"known"}'],
  jsonParse: [`pulumi.jsonParse(pulumi.output('{"a":[1]}'))`, { a: [1] }],
  recover: [`pulumi.recover(pulumi.output(Promise.resolve(1)), () => 2)`, 1],
  isUnknown: ['pulumi.isUnknown(pulumi.unknown)', true],
  containsUnknowns: ['pulumi.containsUnknowns({ a: [pulumi.unknown] })', true],
  Output: ['pulumi.Output.isInstance(pulumi.Output.create(1))', true],
  createUrn: [
    `pulumi.createUrn('a', 'test:index:Thing', group)`,
    `${URN}::test:index:Group$test:index:Thing::a`,
  ],
  allAliases: [
    `pulumi.allAliases([], 'new', 'test:index:Thing', group, 'group', '${URN}::test:index:Group::old').length`,
    0,
  ],
  mergeOptions: [
    `pulumi.mergeOptions({ dependsOn: [pet] }, { dependsOn: [group], protect: true }).dependsOn.length`,
    2,
  ],
  invokeOptionsFromResourceOptions: [
    `Object.keys(pulumi.invokeOptionsFromResourceOptions({ parent: group, version: '1.0.0' })).length`,
    4,
  ],
  invokeOutputOptionsFromResourceOptions: [
    'pulumi.invokeOutputOptionsFromResourceOptions({ dependsOn: [pet] }).dependsOn.length',
    1,
  ],
  resourceType: ['pulumi.resourceType(pet)', 'cairn-random:index:Pet'],
  resourceName: ['pulumi.resourceName(pet)', 'pet'],
  rootStackResource: ['String(pulumi.rootStackResource)', 'undefined'],
  DependencyResource: [`new pulumi.DependencyResource('${URN}::a:b:C::d').urn`, `${URN}::a:b:C::d`],
  DependencyProviderResource: [
    `new pulumi.DependencyProviderResource('${URN}::pulumi:providers:a::d::id').id`,
    'id',
  ],
  isGrpcError: [`pulumi.isGrpcError(new Error('x'))`, false],
  RunError: [`pulumi.RunError.isInstance(new pulumi.RunError('x'))`, true],
  ResourceError: [`pulumi.ResourceError.isInstance(new pulumi.ResourceError('x', pet))`, true],
  InputPropertyError: [`new pulumi.InputPropertyError({ propertyPath: 'a', reason: 'b' }).propertyPath`, 'a'],
  InputPropertiesError: [`new pulumi.InputPropertiesError({ message: 'x', errors: [] }).message`, 'x'],
  Config: [`new pulumi.Config('other').get('none') ?? 'none'`, 'none'],
  utils: ['typeof pulumi.utils.hasTrueBooleanMember', 'function'],
  'iterable.toObject': [`iterable.toObject(['a', 'b'], (each) => [each, 1])`, { a: 1, b: 1 }],
  'iterable.groupBy': [`iterable.groupBy(['a', 'b'], (each) => ['of', each])`, { of: ['a', 'b'] }],
  'asset.Asset': [
    `[asset.Asset, asset.Archive].map((each) => each.isInstance(new each.prototype.constructor()))`,
    [true, true],
  ],
  'asset.RemoteAsset': [`new asset.RemoteAsset('https://a.example/b').uri`, 'https://a.example/b'],
  'asset.RemoteArchive': [
    `new asset.RemoteArchive('https://a.example/b.zip').uri`,
    'https://a.example/b.zip',
  ],
  'log.debug': [`asked(log.debug('d'))`, 'answered'],
  'log.warn': [`asked(log.warn('w', pet))`, 'answered'],
  'log.hasErrors': ['log.hasErrors()', false],
  'runtime.invokeSingle': [
    `asked(runtime.invokeSingle('cairn-random:index:none', {}))`,
    'invocation of cairn-random',
  ],
  'runtime.getResource': ['typeof runtime.getResource', 'function'],
  'runtime.existsResource': [`runtime.existsResource('cairn-random:index:Pet', 'brave-otter')`, true],
  'runtime.allConfig': [`runtime.allConfig()['shop:size']`, '3'],
  'runtime.getConfig': [`runtime.getConfig('shop:size')`, '3'],
  'runtime.serializeFunction': [
    `runtime.serializeFunction(() => 7).then(({ text }) => text.includes('exports.handler'))`,
    true,
  ],
  'runtime.serializeFunctionAsync': [
    'runtime.serializeFunctionAsync(() => 7).then((text) => typeof text)',
    'string',
  ],
  'runtime.computeCodePaths': ['runtime.computeCodePaths().then((paths) => paths instanceof Map)', true],
  'runtime.hasMonitor': ['runtime.hasMonitor()', true],
  'runtime.hasEngine': ['runtime.hasEngine()', true],
  'runtime.getMonitor': ['typeof runtime.getMonitor().registerResource', 'function'],
  'runtime.getEngine': ['typeof runtime.getEngine().log', 'function'],
  'runtime.getCallbacks': ['runtime.getCallbacks() !== undefined', true],
  'runtime.isDryRun': ['runtime.isDryRun()', false],
  'runtime.getStackResource': ['runtime.getStackResource().urn', `${URN}::pulumi:pulumi:Stack::shop-dev`],
  'runtime.rootPulumiStackTypeName': ['runtime.rootPulumiStackTypeName', 'pulumi:pulumi:Stack'],
  'runtime.supportsParameterization': ['runtime.supportsParameterization()', true],
  'runtime.registerStackTransformation': ['transformed', ['test:index:Late']],
};

const PROGRAM = `${HEAD}
const transformed = [];
runtime.registerStackTransformation(({ type }) => { if (type === 'test:index:Late') transformed.push(type); });
new pulumi.ComponentResource('test:index:Late', 'late', {});
module.exports = {
${Object.entries(RUN)
  .map(([name, [expression]]) => `  ${JSON.stringify(name)}: tried(() => (${expression})),`)
  .join('\n')}
};
`;

let box: Sandbox;
let outputs: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  box = sandbox({
    'Pulumi.yaml': 'name: shop\nruntime: nodejs\n',
    'package.json': JSON.stringify({
      name: 'shop',
      main: 'index.js',
      dependencies: { '@pulumi/pulumi': '*' },
    }),
    'index.js': PROGRAM,
  });
  giveStack(box);
  expectOk(await box.cairn(['config', 'set', 'size', '3']));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  outputs = JSON.parse(expectOk(await box.cairn(['stack', 'output', '--json'])).stdout) as typeof outputs;
});
afterAll(() => box.remove());

test.each(Object.entries(RUN))('%s', (name, [, expected]) => {
  expect(outputs[name]).toEqual(expected);
});

test('a program with state migrations is refused before anything of the resource is recorded [PRG-15]', async () => {
  const made = `new pulumi.ComponentResource('test:index:Group', 'moved', {}, { stateMigrations: [() => undefined] });`;
  box.write('index.js', `const pulumi = require('@pulumi/pulumi');\n${made}`);
  const ended = await box.cairn(['up', '--yes', '--skip-preview']);
  expect(ended.code).not.toBe(0);
  expect(ended.text).toContain('does not support state migrations');
  expect(expectOk(await box.cairn(['stack', 'export'])).stdout).not.toContain('::moved');
});
