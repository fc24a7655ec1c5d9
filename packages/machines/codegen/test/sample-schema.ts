/** Schema with every feature that code is generated for. */
export const SAMPLE = {
  name: 'sample',
  version: '1.2.3',
  description: 'A package for tests.\nIts second line.',
  meta: { moduleFormat: '(.*)(?:/[^/]*)' },
  language: {
    nodejs: { moduleToPackage: { 'storage.example/v1': 'storage/v1' }, liftSingleValueMethodReturns: true },
  },
  config: {
    variables: {
      region: { type: 'string', defaultInfo: { environment: ['SAMPLE_REGION'] } },
      retries: { type: 'integer', default: 3 },
      token: { type: 'string', secret: true },
    },
  },
  provider: {
    inputProperties: {
      region: { type: 'string', defaultInfo: { environment: ['SAMPLE_REGION'] } },
      settings: { type: 'object', additionalProperties: { type: 'integer' } },
      token: { type: 'string', secret: true },
    },
  },
  types: {
    'sample:index/Rule:Rule': {
      type: 'object',
      description: 'A rule. */ it tries to end the comment',
      properties: {
        port: { type: 'integer', default: 80, description: 'The port.' },
        host: { type: 'string' },
        next: { $ref: '#/types/sample:index%2FRule:Rule' },
      },
      required: ['host'],
    },
    'sample:index/Cat:Cat': {
      type: 'object',
      properties: { kind: { type: 'string', const: 'cat' }, lives: { type: 'integer' } },
      required: ['kind', 'lives'],
    },
    'sample:index/Dog:Dog': {
      type: 'object',
      properties: { kind: { type: 'string' }, bark: { type: 'string' } },
      required: ['kind', 'bark'],
    },
    'sample:index/Colour:Colour': {
      type: 'string',
      enum: [
        { name: 'Red', value: 'red', description: 'Like a rose.' },
        { value: 'dark-blue', deprecationMessage: 'take red' },
      ],
    },
    'sample:index/Input:Input': { type: 'object', properties: { output: { type: 'string' } } },
  },
  resources: {
    'sample:index/bucket:Bucket': {
      description: 'A bucket.',
      aliases: [{ type: 'sample:index/oldBucket:OldBucket' }],
      inputProperties: {
        name: { type: 'string' },
        kind: { type: 'string', const: 'Bucket' },
        size: { type: 'integer', default: 10 },
        secretKey: { type: 'string', secret: true },
        rules: { type: 'array', items: { $ref: '#/types/sample:index%2FRule:Rule' } },
        colour: { oneOf: [{ type: 'string' }, { $ref: '#/types/sample:index%2FColour:Colour' }] },
        pet: {
          oneOf: [{ $ref: '#/types/sample:index%2FCat:Cat' }, { $ref: '#/types/sample:index%2FDog:Dog' }],
          discriminator: {
            propertyName: 'kind',
            mapping: { cat: '#/types/sample:index%2FCat:Cat', dog: '#/types/sample:index%2FDog:Dog' },
          },
        },
        count: { type: 'integer', plain: true },
        source: { $ref: 'pulumi.json#/Asset' },
        'odd-name': { type: 'boolean' },
        odd: { $ref: '#/types/sample:index%2FInput:Input' },
        other: { $ref: '#/resources/sample:storage.example%2Fv1%2Fdelete:delete' },
        foreign: { $ref: '/aws/v6.0.0/schema.json#/types/aws:s3%2FTag:Tag' },
      },
      requiredInputs: ['name', 'kind'],
      properties: {
        name: { type: 'string' },
        secretKey: { type: 'string', secret: true },
        rules: { type: 'array', items: { $ref: '#/types/sample:index%2FRule:Rule' } },
        made: { type: 'string', deprecationMessage: 'not any more' },
        then: { type: 'string' },
        'odd-name': { type: 'boolean' },
        anything: { $ref: 'pulumi.json#/Any' },
        place: { type: 'string', replaceOnChanges: true },
      },
      required: ['name', 'made', 'then'],
      stateInputs: { properties: { name: { type: 'string' } } },
      methods: { describe: 'sample:index/bucket:Bucket/describe', purge: 'sample:index/bucket:Bucket/purge' },
    },
    'sample:storage.example/v1/delete:delete': {
      deprecationMessage: 'take Bucket',
      inputProperties: { name: { type: 'string' } },
      properties: { name: { type: 'string' } },
    },
    'sample:index/output:Output': { properties: { value: { type: 'string' } }, required: ['value'] },
    'sample:index/site:Site': {
      isComponent: true,
      inputProperties: { bucket: { $ref: '#/resources/sample:index%2Fbucket:Bucket' } },
      requiredInputs: ['bucket'],
      properties: { url: { type: 'string' } },
      required: ['url'],
    },
    'sample:index/chart:Chart': { isOverlay: true },
  },
  functions: {
    'sample:index/getBucket:getBucket': {
      description: 'Looks for a bucket.',
      inputs: {
        properties: { name: { type: 'string' }, rule: { $ref: '#/types/sample:index%2FRule:Rule' } },
        required: ['name'],
      },
      outputs: { properties: { size: { type: 'integer' } }, required: ['size'] },
    },
    'sample:index/add:add': {
      inputs: { properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a'] },
      multiArgumentInputs: ['a', 'b'],
      outputs: { type: 'number' },
    },
    'sample:index/bucket:Bucket/describe': {
      inputs: {
        properties: {
          __self__: { $ref: '#/resources/sample:index%2Fbucket:Bucket' },
          depth: { type: 'integer' },
        },
        required: ['__self__', 'depth'],
      },
      outputs: { properties: { text: { type: 'string' } }, required: ['text'] },
    },
    'sample:index/bucket:Bucket/purge': {
      inputs: { properties: { __self__: { $ref: '#/resources/sample:index%2Fbucket:Bucket' } } },
    },
  },
} as const;
