import { spawnSync } from 'node:child_process';
import { expectOk } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { ownProgram } from '../support/own-program.js';

/**
 * A program that sends the engine requests that no SDK sends, one after the other (`ODD`: their names and code), and
 * reports the answers.
 */
const RUNNER = `
const grpc = require('@grpc/grpc-js');
const proto = require('@pulumi/pulumi/proto/resource_pb');
const engineProto = require('@pulumi/pulumi/proto/engine_pb');
const callbackProto = require('@pulumi/pulumi/proto/callback_pb');
const { ResourceMonitorClient } = require('@pulumi/pulumi/proto/resource_grpc_pb');
const { EngineClient } = require('@pulumi/pulumi/proto/engine_grpc_pb');
const { Struct } = require('google-protobuf/google/protobuf/struct_pb');
const flag = (name) => process.argv[process.argv.indexOf('--' + name) + 1];
const credentials = grpc.credentials.createInsecure();
const monitor = new ResourceMonitorClient(flag('monitor'), credentials);
const engine = new EngineClient(flag('engine'), credentials);
const call = (client, method, request) =>
  new Promise((resolve, reject) => client[method](request, (error, answer) => (error ? reject(error) : resolve(answer))));
const filled = (request, fields) => {
  for (const [name, value] of Object.entries(fields)) request['set' + name](value);
  return request;
};
const object = (value) => Struct.fromJavaScript(value);
const SIGNATURE = '4dabf18193072939515e22adb298388d';
const stash = (fields) =>
  call(monitor, 'registerResource', filled(new proto.RegisterResourceRequest(),
    { Type: 'pulumi:index:Stash', Name: 'odd', Custom: true, Parent: root, Object: object({ input: 'x' }), ...fields }));
const read = (fields) =>
  call(monitor, 'readResource', filled(new proto.ReadResourceRequest(),
    { Type: 'pulumi:index:Stash', Name: 'odd', Id: 'x', Parent: root, ...fields }));
const timeouts = (fields) => filled(new proto.RegisterResourceRequest.CustomTimeouts(), fields);
const invoke = (fields) => call(monitor, 'invoke', filled(new proto.ResourceInvokeRequest(), { Args: object({}), ...fields }));
const method = (fields) => call(monitor, 'call', filled(new proto.ResourceCallRequest(), { Args: object({}), ...fields }));
const outputs = (urn) => call(monitor, 'registerResourceOutputs',
  filled(new proto.RegisterResourceOutputsRequest(), { Urn: urn, Outputs: object({ a: 1 }) }));
const hook = (name) => call(monitor, 'registerResourceHook',
  filled(new proto.RegisterResourceHookRequest(), { Name: name, Callback: filled(new callbackProto.Callback(), { Target: '127.0.0.1:1', Token: 't' }) }));
const pkg = (fields) => call(monitor, 'registerPackage', filled(new proto.RegisterPackageRequest(), fields));
const log = (fields) => call(engine, 'log', filled(new engineProto.LogRequest(), fields));
const shutdown = () => call(monitor, 'signalAndWaitForShutdown', new (require('google-protobuf/google/protobuf/empty_pb').Empty)());
let root = '';
(async () => {
  root = (await stash({ Type: 'pulumi:pulumi:Stack', Name: 'shop-dev', Custom: false, Parent: '', Object: object({}) })).getUrn();
  await stash({ Name: 'kept' });
  for (const [name, code] of JSON.parse(process.env.ODD || '[]')) {
    const odd = new Function(...Object.keys(tools), 'return (' + code + ')')(...Object.values(tools));
    const answer = await Promise.resolve().then(odd).then(() => 'taken', (error) => grpc.status[error.code] + ' ' + error.details);
    console.log('ANSWER ' + name + ': ' + answer);
  }
  monitor.close();
  engine.close();
})();
const tools = { proto, engineProto, callbackProto, object, SIGNATURE, stash, read, timeouts, invoke, method, outputs, hook, pkg, log, shutdown, filled, call, monitor, engine, root: () => root };
`;

let box: Sandbox;
beforeAll(() => {
  box = ownProgram(RUNNER);
});
afterAll(() => box.remove());

interface Entry {
  readonly urn: string;
}
const stored = async (): Promise<readonly string[]> => {
  const { stdout } = expectOk(await box.cairn(['stack', 'export']));
  const { deployment } = JSON.parse(stdout) as { deployment: { resources?: readonly Entry[] } };
  return (deployment.resources ?? []).map(({ urn }) => urn.split('::').slice(3).join('::')).sort();
};
const processes = (): readonly string[] =>
  spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(box.directory));
const up = (odd: readonly (readonly [string, string])[]) =>
  box.cairn(['up', '--yes', '--skip-preview'], { env: { ODD: JSON.stringify(odd) } });
const kept = ['default', 'kept', 'shop-dev'];

const GONE = `'urn:pulumi:dev::shop::a:b:C::gone'`;
const value = (kind: string, rest: string): string =>
  `() => stash({ Object: object({ input: { [SIGNATURE]: '${kind}', ${rest} } }) })`;
const [SECRET, ASSET, REFERENCE, OUTPUT] = [
  '1b47061264138c4ac30d75fd1eb44270',
  'c44067f5952c0a294b673a41bacd8c17',
  '5cf8f73096256a8f31e491e813e4eb8e',
  'd0e6a833031e9bbcd3f4e8bde6ca49a4',
];

/** Requests that are refused, after which the program may continue. */
const REFUSED: readonly (readonly [name: string, code: string, answer: string])[] = [
  [
    'a type of one part',
    `() => stash({ Type: 'Stash' })`,
    'type "Stash" of "odd" is not of the form package:module:name',
  ],
  [
    'a parent that is no URN',
    `() => stash({ Parent: 'somebody' })`,
    'could not parse URN of parent "somebody"',
  ],
  [
    'a provider that is no reference',
    `() => stash({ Provider: 'somebody' })`,
    'could not parse provider reference of provider "somebody"',
  ],
  [
    'a version that is none',
    `() => stash({ Type: 'odd:a:B', Version: 'newest' })`,
    'version "newest" of odd is not a semantic version',
  ],
  [
    'an unknown package reference',
    `() => stash({ Packageref: 'nobody' })`,
    `unknown provider package 'nobody'`,
  ],
  [
    'a dependency that is no URN',
    `() => stash({ DependenciesList: ['somebody'] })`,
    'could not parse URN of dependency "somebody"',
  ],
  [
    'a deletedWith that is no URN',
    `() => stash({ Deletedwith: 'somebody' })`,
    'could not parse URN of deletedWith "somebody"',
  ],
  [
    'a replaceWith that is no URN',
    `() => stash({ ReplaceWithList: ['somebody'] })`,
    'could not parse URN of replaceWith "somebody"',
  ],
  [
    'an alias that is no URN',
    `() => stash({ AliasurnsList: ['somebody'] })`,
    'could not parse URN of alias "somebody"',
  ],
  [
    'a time limit that is no duration',
    `() => stash({ Customtimeouts: timeouts({ Create: 'soon' }) })`,
    'customTimeouts.create "soon" is not a duration',
  ],
  [
    'a path that does not parse',
    `() => stash({ IgnorechangesList: ['a[b'] })`,
    'ignoreChanges "a[b" is not a property path',
  ],
  [
    'variables for what is no provider',
    `() => { const request = new proto.RegisterResourceRequest(); request.getEnvvarmappingsMap().set('A', 'B'); return call(monitor, 'registerResource', filled(request, { Type: 'pulumi:index:Stash', Name: 'odd', Custom: true, Parent: root() })); }`,
    'envVarMappings can only be used with provider resources',
  ],
  ['an unknown signature', value('odd', ''), 'unrecognized signature "odd"'],
  ['a secret without a value', value(SECRET, ''), 'a secret has no value'],
  ['a reference without a URN', value(REFERENCE, ''), 'a reference has no "urn"'],
  [
    'an output with odd dependencies',
    value(OUTPUT, 'value: 1, dependencies: [1]'),
    '"dependencies" of an output value is not a list of URNs',
  ],
  ['outputs of what is no URN', `() => outputs('gone')`, 'could not parse URN of urn "gone"'],
  [
    'a question that the package does not know',
    `() => invoke({ Tok: 'pulumi:pulumi:nothing' })`,
    'invocation of pulumi:pulumi:nothing returned an error: the builtin package pulumi has no function pulumi:pulumi:nothing',
  ],
  [
    'a hook named twice',
    `async () => { await hook('a'); await hook('a'); }`,
    'resource hook already registered for name "a"',
  ],
  ['a package without a name', `() => pkg({ Name: '' })`, 'a package that is registered needs a name'],
  [
    'a package with a version that is none',
    `() => pkg({ Name: 'odd', Version: 'newest' })`,
    'version "newest" of package odd is not a semantic version',
  ],
  [
    'a transform without a target',
    `() => call(monitor, 'registerStackTransform', new callbackProto.Callback())`,
    'the callback has no target',
  ],
  ['a message of unknown severity', `() => log({ Severity: 9, Message: 'odd news' })`, 'unknown severity 9'],
  [
    'debugging that nobody asked for',
    `() => call(engine, 'startDebugging', filled(new engineProto.StartDebuggingRequest(), { Message: 'm' }))`,
    'debugging was not asked for (m)',
  ],
  [
    'a version of Pulumi that this is not',
    `() => call(engine, 'requirePulumiVersion', filled(new engineProto.RequirePulumiVersionRequest(), { PulumiVersionRange: '<1.0.0' }))`,
    'the program requires a Pulumi version in the range "<1.0.0"',
  ],
  [
    'a range of versions that is none',
    `() => call(engine, 'requirePulumiVersion', filled(new engineProto.RequirePulumiVersionRequest(), { PulumiVersionRange: 'soon' }))`,
    '"soon" is not a range of versions',
  ],
];

test('what is refused is told with the option and its text, and the program goes on', async () => {
  const end = expectOk(await up(REFUSED.map(([name, code]) => [name, code])));
  const answers = end.text.split('\n').flatMap((line) => line.split('ANSWER ').slice(1));
  for (const [name, , answer] of REFUSED) {
    const said = answers.find((each) => each.startsWith(`${name}: `)) ?? `${name} was not answered`;
    expect(said).toMatch(/: (INVALID_ARGUMENT|FAILED_PRECONDITION|UNKNOWN) /);
    expect(said).toContain(answer);
  }
  expect(end.text).not.toContain('odd news');
  expect(end.text).not.toContain('internal error');
  expect(processes()).toEqual([]);
  expect(await stored()).toEqual(kept);
});

test('a second wait for the end is refused, and the first one is not harmed', async () => {
  const odd = `async () => { const first = shutdown(); const second = await shutdown().catch((error) => error); await first; throw second; }`;
  const end = expectOk(await up([['again', odd]]));
  expect(end.text).toContain('ANSWER again: FAILED_PRECONDITION Already waiting for shutdown');
  expect(await stored()).toEqual(kept);
});

/** Requests after which the operation fails; the resource is named. */
const FATAL: readonly (readonly [name: string, code: string, error: RegExp])[] = [
  [
    'a parent that is not registered',
    `() => stash({ Parent: ${GONE} })`,
    /CAIRN-RESOURCE-PARENT\]: the parent \S+::gone of \S+::odd has not been registered/,
  ],
  [
    'a provider that nobody knows',
    `() => stash({ Provider: 'urn:pulumi:dev::shop::pulumi:providers:pulumi::gone::id' })`,
    /\n {4}odd \(pulumi:index:Stash\)\n[^]*unknown provider reference \S+::gone::id\n/,
  ],
  [
    'a dependency that is not registered',
    `() => stash({ DependenciesList: [${GONE}] })`,
    /\S+::odd refers to \S+::gone, which has not been registered/,
  ],
  [
    'a deletedWith that is not registered',
    `() => stash({ Deletedwith: ${GONE} })`,
    /\S+::odd refers to \S+::gone, which has not been registered/,
  ],
  [
    'outputs of a component that is not there',
    `() => outputs(${GONE})`,
    /cannot complete \S+::gone: its registration isn't pending/,
  ],
  ['an id that is empty', `() => read({ Id: '' })`, /cannot read \S+::odd: the id is empty/],
  [
    'a file that is not there',
    value(ASSET, `path: 'gone.txt'`),
    /cannot read file "gone.txt" of property "input": there is no such file\n[^]*\n {4}odd \(pulumi:index:Stash\)\n/,
  ],
  [
    'a folder as a file',
    value(ASSET, `path: '.'`),
    /cannot read file "." of property "input": it is a directory\n[^]*\n {4}odd \(pulumi:index:Stash\)\n/,
  ],
  [
    'an input that is not known',
    `() => stash({ Object: object({ input: '04da6b54-80e4-46f7-96ec-b56ff0331ba9' }) })`,
    /\n {4}odd \(pulumi:index:Stash\)\n[^]*pulumi:index:Stash resource 'odd': property input value \S+ has a problem: it is not known, and only a preview leaves values open\n/,
  ],
  [
    'an import of what cannot be imported',
    `() => stash({ Importid: 'x' })`,
    /cannot import \S+::odd: stash can not be imported/,
  ],
  [
    'a name used twice',
    `() => stash({ Name: 'kept' })`,
    /\n {4}kept \(pulumi:index:Stash\)\n[^]* {6}\S+ \S+::kept is registered twice\n/,
  ],
  [
    'a method that nobody has',
    `() => method({ Tok: 'pulumi:index:Stash/nothing' })`,
    /the builtin package pulumi cannot call pulumi:index:Stash\/nothing/,
  ],
];

test.each(FATAL)('%s: named, no process left, the state as it was', async (name, code, error) => {
  const end = await up([[name, code]]);
  expect(end.code).not.toBe(0);
  expect(end.text).toMatch(error);
  expect(end.text).not.toContain('internal error');
  expect(processes()).toEqual([]);
  expect(await stored()).toEqual(kept);
});

test('the next program without any of it has nothing to do', async () => {
  expectOk(await up([]));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--expect-no-changes']));
});
