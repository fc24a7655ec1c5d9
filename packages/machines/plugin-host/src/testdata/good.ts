// A provider plugin that does what its calls ask it to. Bundled by the tests and run as a process.
import { emptyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { Provider } from '@cairn/wire';
import { providerService } from '@cairn/wire/provider-server';
import { startServer } from '@cairn/wire/server';

let handshake: unknown;
const nothing = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: true,
  supportsPreview: true,
  supportsAutonaming: false,
};
const unimplemented = (): never => {
  throw new ProviderError('UNIMPLEMENTED', 'not here');
};

const provider: Provider = {
  handshake: async (request) => {
    handshake = request;
    return nothing;
  },
  parameterize: async ({ parameters }) => ({
    name: process.env['TEST_BECOMES'] ?? (parameters as { name: string }).name,
    version: '1.0.0',
  }),
  getPluginInfo: async () => ({ version: process.env['TEST_VERSION'] ?? '1.0.0' }),
  getSchema: async () =>
    JSON.stringify({
      pid: process.pid,
      cwd: process.cwd(),
      args: process.argv.slice(2),
      env: process.env,
      handshake,
    }),
  checkConfig: async (request) => ({ inputs: request.news, failures: [] }),
  diffConfig: unimplemented,
  configure: async () => nothing,
  check: async (request) => ({ inputs: request.news, failures: [] }),
  diff: unimplemented,
  create: async () => {
    console.error('about to give up');
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => undefined);
  },
  read: async () => {
    throw new ProviderError('UNAVAILABLE', 'the cloud is down');
  },
  update: unimplemented,
  delete: unimplemented,
  invoke: async () => ({ result: emptyMap, failures: [] }),
  construct: unimplemented,
  call: unimplemented,
  ...(process.env['TEST_ATTACHABLE'] === '1' && {
    attach: async (address: string) => {
      handshake = { ...(handshake as object), attached: address };
    },
  }),
  cancel: async () => undefined,
  close: async () => undefined,
};

if (process.env['TEST_IGNORE_SIGINT'] === '1') process.on('SIGINT', () => undefined);
const server = await startServer({ services: [providerService(provider)] });
console.log(String(server.port));
console.log('a line after the port');
