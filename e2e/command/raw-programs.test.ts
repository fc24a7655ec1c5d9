import { expectOk } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { ownProgram } from '../support/own-program.js';

/** Calls the engine as any program may: without stack outputs, and without a root stack or with another name for it. */
const RUNNER = `
const grpc = require('@grpc/grpc-js');
const proto = require('@pulumi/pulumi/proto/resource_pb');
const { ResourceMonitorClient } = require('@pulumi/pulumi/proto/resource_grpc_pb');
const { Struct } = require('google-protobuf/google/protobuf/struct_pb');
const flag = (name) => process.argv[process.argv.indexOf('--' + name) + 1];
const client = new ResourceMonitorClient(flag('monitor'), grpc.credentials.createInsecure());
const call = (method, request) =>
  new Promise((resolve, reject) => client[method](request, (error, answer) => (error ? reject(error) : resolve(answer))));
async function register(type, name, custom, parent, inputs) {
  const request = new proto.RegisterResourceRequest();
  request.setType(type);
  request.setName(name);
  request.setCustom(custom);
  request.setParent(parent);
  request.setObject(Struct.fromJavaScript(inputs));
  return (await call('registerResource', request)).getUrn();
}
(async () => {
  const mode = JSON.parse(process.env.PULUMI_CONFIG)['shop:config:mode'];
  const root = mode === 'no root' ? '' : await register('pulumi:pulumi:Stack', mode, false, '', {});
  await register('pulumi:index:Stash', 'kept', true, root, { input: 'x' });
  if (mode === 'with outputs') {
    const request = new proto.RegisterResourceOutputsRequest();
    request.setUrn(root);
    request.setOutputs(Struct.fromJavaScript({ answer: 'told' }));
    await call('registerResourceOutputs', request);
  }
  client.close();
})();
`;

describe('programs that end without the outputs of a stack, or name it differently', () => {
  let box: Sandbox;
  const names = async (): Promise<readonly string[]> => {
    const { stdout } = expectOk(await box.cairn(['stack', 'export']));
    const { deployment } = JSON.parse(stdout) as { deployment: { resources?: { urn: string }[] } };
    return (deployment.resources ?? []).map(({ urn }) => urn.split('::').slice(2).join(' '));
  };
  beforeAll(() => {
    box = ownProgram(RUNNER);
  });
  afterAll(() => box.remove());

  test.each(['shop-dev', 'another name', 'with outputs', 'no root'])('%s', async (mode) => {
    const up = ['up', '--yes', '--skip-preview', '--config', `mode=${mode}`];
    const end = expectOk(await box.cairn(up));
    expect(await names()).toEqual(
      expect.arrayContaining([expect.stringMatching(/pulumi:index:Stash kept$/) as string]),
    );
    if (mode === 'with outputs') {
      expect(end.stdout).toMatch(/answer *: "told"/);
      expect(JSON.parse(expectOk(await box.cairn(['stack', 'output', '--json'])).stdout)).toEqual({
        answer: 'told',
      });
    }
    expectOk(await box.cairn([...up, '--expect-no-changes']));
    expectOk(await box.cairn(['destroy', '--yes']));
    expect(await names()).toEqual([]);
  });
});
