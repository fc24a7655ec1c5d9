import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** A plugin that answers with as little as the protocol permits: no properties at all, and the id "NaN". */
const PLUGIN = `#!/usr/bin/env node
const { Server, ServerCredentials } = require('@grpc/grpc-js');
const { ResourceProviderService } = require('@pulumi/pulumi/proto/provider_grpc_pb.js');
const pb = require('@pulumi/pulumi/proto/provider_pb.js');
const { PluginInfo } = require('@pulumi/pulumi/proto/plugin_pb.js');
const empty = new (require('google-protobuf/google/protobuf/empty_pb.js').Empty)();
const answer = (make) => (call, callback) => callback(null, make(call.request));
const inputs = (make) => answer((request) => {
  const response = make();
  response.setInputs(request.getNews());
  return response;
});
const server = new Server();
server.addService(ResourceProviderService, {
  getPluginInfo: answer(() => new PluginInfo()),
  checkConfig: inputs(() => new pb.CheckResponse()),
  configure: answer(() => new pb.ConfigureResponse()),
  check: inputs(() => new pb.CheckResponse()),
  diff: answer(() => new pb.DiffResponse()),
  create: answer(() => {
    const response = new pb.CreateResponse();
    response.setId('NaN');
    return response;
  }),
  update: answer(() => new pb.UpdateResponse()),
  delete: answer(() => empty),
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(port + '\\n');
});
`;

const program = (size: number): string => `
import { CustomResource } from '@cairn/sdk';
class Thing extends CustomResource {
  get size() { return this.outputOf('size'); }
}
const thing = new Thing('bare:index:Thing', 'thing', { size: ${size} });
export const id = thing.id;
`;

test('a provider that answers without properties reports nothing, and any text is an id', async () => {
  const box = sandbox({
    'Cairn.yaml': [
      ...['name: shop', 'runtime: nodejs', 'main: index.ts'],
      ...['plugins:', '  providers:', '    - name: bare', '      path: bare', ''],
    ].join('\n'),
    'bare/package.json': '{ "type": "commonjs" }',
    'bare/pulumi-resource-bare': PLUGIN,
    'index.ts': program(1),
  });
  chmodSync(path.join(box.directory, 'bare', 'pulumi-resource-bare'), 0o755);
  try {
    giveStack(box);
    expect(expectOk(await box.cairn(['up', '--yes', '--skip-preview'])).stdout).toMatch(/id: "?NaN"?/);
    box.write('index.ts', program(2));
    expect(expectOk(await box.cairn(['up', '--yes', '--skip-preview'])).stdout).toContain('1 updated');
    const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as {
      readonly deployment: { readonly resources: readonly Record<string, unknown>[] };
    };
    expect(deployment.resources.at(-1)).toMatchObject({ id: 'NaN', inputs: { size: 2 } });
    expect(deployment.resources.at(-1)?.['outputs'] ?? {}).toEqual({});
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));
  } finally {
    box.remove();
  }
});
