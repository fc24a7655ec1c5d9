// An engine that answers programs at once, in a process of its own: the outputs of a resource are its inputs. Sends its
// parent the address at which it listens and, on request, the number of resources registered since the last request.
import { engineService } from '@cairn/wire/engine-server';
import { monitorService } from '@cairn/wire/monitor-server';
import { startServer } from '@cairn/wire/server';

const FEATURES = [
  'secrets',
  'resourceReferences',
  'outputValues',
  'aliasSpecs',
  'deletedWith',
  'resourceHooks',
];
const refuse = async () => {
  throw new Error('not part of the benchmark');
};
let registered = 0;

const monitor = {
  supportsFeature: async (id) => FEATURES.includes(id),
  getDeploymentInfo: refuse,
  registerResource: async ({ type, name, custom, inputs }) => {
    registered += 1;
    return {
      urn: `urn:pulumi:dev::bench::${type}::${name}`,
      id: custom ? `id-${registered}` : '',
      outputs: custom ? inputs : {},
      propertyDependencies: {},
      result: 'success',
      unknown: false,
    };
  },
  readResource: refuse,
  registerResourceOutputs: async () => {},
  invoke: refuse,
  call: refuse,
  registerPackage: refuse,
  registerStackTransform: refuse,
  registerStackInvokeTransform: refuse,
  registerResourceHook: refuse,
  registerErrorHook: refuse,
  signalAndWaitForShutdown: async () => {},
};
let root = '';
const engine = {
  log: async ({ severity, message }) => {
    if (severity === 'error') process.stderr.write(`${message}\n`);
  },
  getRootResource: async () => root,
  setRootResource: async (urn) => {
    root = urn;
  },
  startDebugging: async () => {},
  requirePulumiVersion: async () => {},
};

const server = await startServer({
  services: [monitorService(monitor), engineService(engine)],
  stream: true,
});
process.on('message', () => {
  process.send({ registered });
  registered = 0;
  root = '';
});
process.on('disconnect', () => process.exit(0));
process.send({ address: server.address });
