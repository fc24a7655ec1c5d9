import { sampleTypes } from './testdata/sample-types.js';

const bucket = `
import { Config, CustomResource, ProviderResource, StackReference, all, concat, deferredOutput, interpolate, invoke, jsonParse, jsonStringify, output, recover, secret, unsecret } from '@cairn/sdk';
import type { CustomResourceOptions, Input, Output } from '@cairn/sdk';
interface Rule { host: string; ports: number[]; path?: string }
interface Website {
  endpoint: string; kind: 'plain' | 'index'; ok: boolean; rules: Rule[]; tags: Record<string, string>;
  pair: [string, number]; cache?: { seconds: number }; nothing: string | undefined; url(): string;
}
interface BucketArgs {
  name: Input<string>; size?: Input<number>; open?: Input<boolean>;
  tags?: Input<Record<string, Input<string>>>; rules?: Input<Input<Rule>[]>;
}
class Bucket extends CustomResource {
  constructor(name: string, args: BucketArgs, options?: CustomResourceOptions) { super('aws:s3:Bucket', name, { ...args }, options); }
  get arn(): Output<string> { return this.outputOf('arn'); }
  get size(): Output<number> { return this.outputOf('size'); }
  get open(): Output<boolean> { return this.outputOf('open'); }
  get website(): Output<Website> { return this.outputOf('website'); }
  get site(): Output<Website | undefined> { return this.outputOf('site'); }
  get logs(): Output<Bucket> { return this.outputOf('logs'); }
  get loose(): Output<any> { return this.outputOf('loose'); }
}
const bucket = new Bucket('b', { name: 'x' });
`;

/** An expression and the type that an editor shows for it. */
const HOVERS: readonly (readonly [expression: string, type: string])[] = [
  ['bucket.arn', 'Output<string>'],
  ['bucket.urn', 'Output<Urn>'],
  ['bucket.id', 'Output<string>'],
  ['bucket.open', 'Output<boolean>'],
  ['bucket.website', 'Output<Website>'],
  ['bucket.website.endpoint', 'Output<string>'],
  ['bucket.website.kind', 'Output<"plain" | "index">'],
  ['bucket.website.ok', 'Output<boolean>'],
  ['bucket.website.rules', 'Output<Rule[]>'],
  ['bucket.website.rules.length', 'Output<number>'],
  ['bucket.website.rules[0]', 'Output<Rule>'],
  ['bucket.website.rules[0].host', 'Output<string>'],
  ['bucket.website.rules[0].ports[1]', 'Output<number>'],
  ['bucket.website.rules[0].path', 'Output<string | undefined>'],
  ['bucket.website.tags.team', 'Output<string>'],
  ['bucket.website.pair[0]', 'Output<string>'],
  ['bucket.website.pair[1]', 'Output<number>'],
  ['bucket.website.cache', 'Output<{ seconds: number; } | undefined>'],
  ['bucket.website.cache.seconds', 'Output<number | undefined>'],
  ['bucket.website.nothing', 'Output<string | undefined>'],
  ['bucket.site.endpoint', 'Output<string | undefined>'],
  ['bucket.site.rules[0].host', 'Output<string | undefined>'],
  ['bucket.logs.arn', 'Output<string>'],
  ['bucket.logs.website.endpoint', 'Output<string>'],
  ['bucket.loose', 'Output<any>'],
  ['bucket.arn.apply((arn) => arn.length)', 'Output<number>'],
  ['bucket.arn.apply(async (arn) => ({ arn }))', 'Output<{ arn: string; }>'],
  ['bucket.arn.apply((arn) => bucket.size)', 'Output<number>'],
  ['bucket.arn.apply((arn) => [arn])', 'Output<string[]>'],
  ['bucket.website.rules.apply((rules) => rules.map(({ host }) => host))', 'Output<string[]>'],
  ['all([bucket.arn, bucket.size])', 'Output<[string, number]>'],
  ['all([bucket.arn, bucket.size])[1]', 'Output<number>'],
  ['all([bucket.arn, bucket.size]).apply(([arn, size]) => arn.repeat(size))', 'Output<string>'],
  ['all({ arn: bucket.arn, size: 1 })', 'Output<{ arn: string; size: number; }>'],
  ['all({ arn: bucket.arn }).arn', 'Output<string>'],
  ['output({ arns: [bucket.arn], later: Promise.resolve(1) })', 'Output<{ arns: string[]; later: number; }>'],
  ['output(bucket.website).endpoint', 'Output<string>'],
  ['interpolate`${bucket.arn}/*`', 'Output<string>'],
  ['concat("a", bucket.arn)', 'Output<string>'],
  ['secret("x")', 'Output<string>'],
  ['secret(bucket.website).endpoint', 'Output<string>'],
  ['unsecret(bucket.arn)', 'Output<string>'],
  ['recover(bucket.arn, () => "x")', 'Output<string>'],
  ['deferredOutput<string>()', '[output: Output<string>, resolve: (source: Input<string>) => void]'],
  ['jsonStringify({ arn: bucket.arn })', 'Output<string>'],
  ['jsonParse<{ a: number }>(bucket.arn).a', 'Output<number>'],
  ['new Config().requireSecret("x")', 'Output<string>'],
];

test('editors show Output of the value, for properties at every depth and for what is made of outputs', () => {
  const lines = HOVERS.map(([expression], at) => `export const v${at} = ${expression};`);
  const { hovers, errors } = sampleTypes(bucket + lines.join('\n'));
  expect(errors).toEqual([]);
  expect(Object.values(hovers).map((type, at) => [HOVERS[at]?.[0], type])).toEqual(HOVERS);
});

test('outputs, promises and plain values are taken for inputs, with no casts', () => {
  const { errors } = sampleTypes(`${bucket}
    new Bucket('c', { name: bucket.website.endpoint, size: bucket.website.rules.length, open: true });
    new Bucket('d', { name: Promise.resolve('x'), tags: { a: bucket.arn, b: 'y' }, rules: [{ host: 'x', ports: [1] }] });
    new Bucket('e', { name: bucket.website.kind, tags: bucket.website.tags, rules: bucket.website.rules });
    new Bucket('f', { name: bucket.loose.anything.at.all, size: all([bucket.size, 1]).apply(([a, b]) => a + b) });
    new Bucket('g', { name: new StackReference('other').requireOutput('x').apply(String) });
    new Bucket('h', { name: 'x' }, { provider: new ProviderResource('aws', 'p'), dependsOn: [bucket], parent: bucket });
    const given: Input<string> = bucket.arn;
    new Bucket('i', { name: given });
  `);
  expect(errors).toEqual([]);
});

/** A statement, and the first line of the compiler's error. */
const MISTAKES: readonly (readonly [statement: string, error: string])[] = [
  ["new Bucket('c', {});", "Argument of type '{}' is not assignable to parameter of type 'BucketArgs'."],
  ["new Bucket('c', { name: 5 });", "Type 'number' is not assignable to type 'Input<string>'."],
  [
    "new Bucket('c', { name: bucket.size });",
    "Type 'Output<number>' is not assignable to type 'Input<string>'.",
  ],
  [
    "new Bucket('c', { name: 'x', tags: { a: 5 } });",
    "Type 'number' is not assignable to type 'Input<string>'.",
  ],
  ['const text: string = bucket.arn;', "Type 'Output<string>' is not assignable to type 'string'."],
  ['const sum = bucket.size + 1;', "Operator '+' cannot be applied to types 'Output<number>' and 'number'."],
  [
    "bucket.arn === 'x';",
    "This comparison appears to be unintentional because the types 'Output<string>' and 'string' have no overlap.",
  ],
  ['bucket.arn.toUpperCase();', "Property 'toUpperCase' does not exist on type 'Output<string>'."],
  [
    'bucket.website.endpont;',
    "Property 'endpont' does not exist on type 'Output<Website>'. Did you mean 'endpoint'?",
  ],
  [
    "new Bucket('c', { name: 'x' }, { provider: bucket });",
    "Property '[PROVIDER]' is missing in type 'Bucket' but required in type 'AnyProvider'.",
  ],
  [
    "new Bucket('c', { name: 'x' }, { parent: 'b' });",
    "Type 'string' is not assignable to type 'AnyResource'.",
  ],
];

let told: readonly string[];
beforeAll(() => {
  told = sampleTypes(bucket + MISTAKES.map(([statement]) => `{ ${statement} }`).join('\n')).errors;
});

test.each(MISTAKES)('%s', (statement, error) => {
  const line = bucket.split('\n').length + MISTAKES.findIndex(([one]) => one === statement);
  const errors = told.filter((one) => one.startsWith(`${line}: `));
  expect(errors).toHaveLength(1);
  expect(errors[0]?.split('\n')[0]?.replace(/^\d+: /, '')).toBe(error);
});
