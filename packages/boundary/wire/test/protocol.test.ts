import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadSync } from '@grpc/proto-loader';
import type { MessageTypeDefinition, PackageDefinition, ServiceDefinition } from '@grpc/proto-loader';
import { Secret } from '@cairn/values';
import * as analyzer from '../src/generated/pulumi/analyzer.js';
import * as callback from '../src/generated/pulumi/callback.js';
import * as converter from '../src/generated/pulumi/converter.js';
import * as engine from '../src/generated/pulumi/engine.js';
import * as events from '../src/generated/pulumi/events.js';
import * as language from '../src/generated/pulumi/language.js';
import * as plugin from '../src/generated/pulumi/plugin.js';
import * as provider from '../src/generated/pulumi/provider.js';
import * as resource from '../src/generated/pulumi/resource.js';
import * as resourceStatus from '../src/generated/pulumi/resource_status.js';
import { methodPath } from '../src/rpc/method.js';
import type { ServiceDefinition as Generated } from '../src/rpc/method.js';
import { decodeStruct, encodeStruct, encodeValue } from '../src/values/index.js';
import { WIRE_SIGNATURES, SIGNATURE_KEY } from '../src/values/signatures.js';

const root = join(__dirname, '../../../..');
const protoDir = join(root, 'proto');

/** Reads the proto files with another implementation of protobuf. */
function reference(): PackageDefinition {
  const files = readdirSync(protoDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.proto'),
  );
  return loadSync(files, {
    includeDirs: [protoDir],
    keepCase: false,
    enums: Number,
    arrays: true,
    objects: false,
  });
}

const definition = reference();

describe('generated code', () => {
  test('is up to date with proto/', () => {
    expect(() =>
      execFileSync(process.execPath, [join(root, 'tools/generate-wire.mjs'), '--check'], { stdio: 'pipe' }),
    ).not.toThrow();
  }, 60_000);

  const services: readonly (readonly [string, Generated])[] = [
    ['pulumirpc.Analyzer', analyzer.AnalyzerDefinition],
    ['pulumirpc.Callbacks', callback.CallbacksDefinition],
    ['pulumirpc.Converter', converter.ConverterDefinition],
    ['pulumirpc.Engine', engine.EngineDefinition],
    ['pulumirpc.Events', events.EventsDefinition],
    ['pulumirpc.LanguageRuntime', language.LanguageRuntimeDefinition],
    ['pulumirpc.PackageResolver', plugin.PackageResolverDefinition],
    ['pulumirpc.ResourceProvider', provider.ResourceProviderDefinition],
    ['pulumirpc.ResourceMonitor', resource.ResourceMonitorDefinition],
    ['pulumirpc.ResourceStatus', resourceStatus.ResourceStatusDefinition],
  ];
  test.each(services)(
    '%s has every method of the file, by the same path and streaming',
    (name, generated) => {
      const expected = Object.values(definition[name] as ServiceDefinition).map((method) => [
        method.path,
        method.requestStream,
        method.responseStream,
      ]);
      const actual = Object.values(generated.methods).map((method) => [
        methodPath(generated, method),
        method.requestStream,
        method.responseStream,
      ]);
      expect(actual.sort()).toEqual(expected.sort());
    },
  );
});

type Loose = { [field: string]: unknown };

/** Reads Cairn's bytes with the other implementation, and the other's bytes with Cairn's. */
function otherSide(message: string): { decode(bytes: Uint8Array): Loose; encode(value: Loose): Uint8Array } {
  for (const entry of Object.values(definition)) {
    if ('format' in entry) continue;
    for (const method of Object.values(entry as ServiceDefinition)) {
      const request = (method.requestType as MessageTypeDefinition<object, object>).type as { name: string };
      if (request.name === message) {
        return {
          decode: (bytes) => method.requestDeserialize(Buffer.from(bytes)) as Loose,
          encode: method.requestSerialize,
        };
      }
      const response = (method.responseType as MessageTypeDefinition<object, object>).type as {
        name: string;
      };
      if (response.name === message) {
        return {
          decode: (bytes) => method.responseDeserialize(Buffer.from(bytes)) as Loose,
          encode: method.responseSerialize,
        };
      }
    }
  }
  throw new Error(`no method takes or gives ${message}`);
}

describe('another implementation of protobuf reads what we write', () => {
  test('a registration with values, maps, oneofs and presence', () => {
    const wire = resource.RegisterResourceRequest.fromPartial({
      type: 'a:b:C',
      name: 'ü',
      custom: true,
      protect: false,
      object: encodeStruct({ n: 1.5, l: [true, null], s: new Secret('x') }),
      propertyDependencies: new Map([
        ['n', { urns: ['u1', 'u2'] }],
        ['e', { urns: [] }],
      ]),
      aliases: [
        { alias: { $case: 'urn', value: 'u' } },
        { alias: { $case: 'spec', value: { parent: { $case: 'noParent', value: true } } } },
      ],
      customTimeouts: {},
      stackTrace: { frames: [{ pc: { uri: 'file:///a', line: 300, column: -1 } }, {}] },
      replacementTrigger: encodeValue('t'),
      pluginChecksums: new Map([['k', Buffer.from([0, 255])]]),
    });
    const read = otherSide('RegisterResourceRequest').decode(
      resource.RegisterResourceRequest.encode(wire).finish(),
    );
    expect(read).toMatchObject({
      type: 'a:b:C',
      name: 'ü',
      custom: true,
      protect: false,
      object: {
        fields: {
          n: { numberValue: 1.5 },
          l: { listValue: { values: [{ boolValue: true }, { nullValue: 0 }] } },
          s: {
            structValue: {
              fields: {
                [SIGNATURE_KEY]: { stringValue: WIRE_SIGNATURES.secret },
                value: { stringValue: 'x' },
              },
            },
          },
        },
      },
      propertyDependencies: { n: { urns: ['u1', 'u2'] }, e: { urns: [] } },
      aliases: [{ urn: 'u' }, { spec: { noParent: true } }],
      customTimeouts: {},
      stackTrace: { frames: [{ pc: { uri: 'file:///a', line: 300, column: -1 } }, {}] },
      replacementTrigger: { stringValue: 't' },
      pluginChecksums: { k: Buffer.from([0, 255]) },
    });
    expect(read).not.toHaveProperty('retainOnDelete');
  });

  test('and we read what it writes', () => {
    const bytes = otherSide('RegisterResourceRequest').encode({
      type: 'a:b:C',
      retainOnDelete: false,
      object: {
        fields: { a: { listValue: { values: [{ numberValue: -0 }, { structValue: { fields: {} } }] } } },
      },
      dependencies: ['u'],
      aliases: [{ spec: { parentUrn: 'p' } }],
    });
    const wire = resource.RegisterResourceRequest.decode(bytes);
    expect(wire).toMatchObject({
      type: 'a:b:C',
      protect: undefined,
      retainOnDelete: false,
      dependencies: ['u'],
      aliases: [{ alias: { $case: 'spec', value: { parent: { $case: 'parentUrn', value: 'p' } } } }],
    });
    expect(decodeStruct(wire.object as Uint8Array)).toEqual({ a: [-0, {}] });
  });

  test.each([
    ['absent', undefined],
    ['empty', new Uint8Array()],
  ])('an %s Struct stays so', (_name, olds) => {
    const bytes = provider.CheckRequest.encode(
      provider.CheckRequest.fromPartial({ urn: 'u', olds }),
    ).finish();
    expect('olds' in otherSide('CheckRequest').decode(bytes)).toBe(olds !== undefined);
    expect(provider.CheckRequest.decode(bytes).olds === undefined).toBe(olds === undefined);
  });

  test('feature 0 in a packed list, and 64-bit numbers', () => {
    const info = resource.DeploymentInfo.fromPartial({ supportedFeatures: [0, 16], parallel: -1 });
    const read = otherSide('DeploymentInfo').decode(resource.DeploymentInfo.encode(info).finish());
    expect(read).toMatchObject({ supportedFeatures: [0, 16], parallel: -1 });
    const list = provider.ListRequest.fromPartial({ limit: 2 ** 40, pageSize: -5 });
    expect(provider.ListRequest.decode(provider.ListRequest.encode(list).finish())).toMatchObject({
      limit: 2 ** 40,
      pageSize: -5,
    });
  });
});
