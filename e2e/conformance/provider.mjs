// The providers of the programs in ./level-2.ts, one package each, as plugin processes.
import process from 'node:process';
import { equal, isSecret, isUnknown, propertyMap, secret } from '@cairn/values';
import { InitFailedError, ProviderError } from '@cairn/wire';
import { providerService } from '@cairn/wire/provider-server';
import { startServer } from '@cairn/wire/server';

const CAPABILITIES = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: false,
  supportsPreview: true,
  supportsAutonaming: false,
  acceptByteStrings: true,
};
let objects = 0;
let running = 0;
const flaky = new Set();

const echo = { outputs: (inputs) => inputs };
const open = (value) => (isSecret(value) ? value.value : value);

/** Differences between the packages: `check` names an input that is refused, `outputs` returns an object's outputs. */
const PACKAGES = {
  simple: {
    ...echo,
    check: ({ value }) => (typeof open(value) === 'boolean' || isUnknown(open(value)) ? undefined : 'value'),
  },
  primitive: echo,
  nestedobject: echo,
  'asset-archive': echo,
  large: echo,
  output: {
    outputs: (inputs, preview) =>
      preview ? inputs : { ...inputs, output: 'hello '.repeat(Number(open(inputs.value))).trim() },
  },
  fail_on_create: {
    ...echo,
    create: () => {
      throw new ProviderError('FAILED_PRECONDITION', 'failed create');
    },
  },
  flaky: {
    ...echo,
    create: ({ name, inputs }) => {
      if (flaky.has(name)) return;
      flaky.add(name);
      throw new InitFailedError('flaky-id', inputs, inputs, ['not ready'], false, 'flaky create');
    },
  },
  read: echo,
  replaceonchanges: { ...echo, replaces: ['replaceProp'] },
  sync: {
    ...echo,
    // Ends when all three are under way.
    create: async () => {
      running += 1;
      while (running < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    },
  },
  config: { outputs: (_inputs, _preview, config) => ({ text: String(open(config.name) ?? '') }) },
  'simple-invoke': {
    ...echo,
    invoke: (token, args) => {
      if (token.endsWith(':unit')) return { result: 'Hello world' };
      if (token.endsWith(':secretInvoke'))
        return { response: args.secretResponse ? secret(`${args.value} world`) : `${args.value} world` };
      return { result: `${args.value} world` };
    },
  },
};

/** Serves a package until a call ends it. */
export async function serve(name, version) {
  const own = PACKAGES[name];
  let config = {};
  const made = (inputs, preview) => propertyMap(own.outputs(inputs, preview, config));
  const provider = {
    handshake: async () => CAPABILITIES,
    getPluginInfo: async () => ({ version }),
    getSchema: async () => JSON.stringify({ name, version }),
    checkConfig: async ({ news }) => ({ inputs: news, failures: [] }),
    diffConfig: async () => diff([]),
    configure: async ({ inputs }) => {
      config = inputs;
      return CAPABILITIES;
    },
    check: async ({ news }) => {
      const refused = own.check?.(news);
      const failures =
        refused === undefined ? [] : [{ property: refused, reason: 'is not what it should be' }];
      return { inputs: news, failures };
    },
    diff: async ({ oldInputs, news }) => {
      const keys = [...new Set([...Object.keys(oldInputs), ...Object.keys(news)])];
      return diff(
        keys.filter((key) => !equal(oldInputs[key] ?? null, news[key] ?? null)),
        own.replaces,
      );
    },
    create: async (request) => {
      const { inputs, preview } = request;
      if (!preview) await own.create?.(request);
      return {
        id: preview ? '' : `${name}-${(objects += 1)}`,
        outputs: made(inputs, preview),
        refreshBeforeUpdate: false,
      };
    },
    read: async ({ id, inputs, state }) => ({
      id,
      inputs: inputs ?? propertyMap({ value: true }),
      outputs: propertyMap({ ...(state ?? { value: true }), ...(name === 'read' && { read: `read ${id}` }) }),
      refreshBeforeUpdate: false,
    }),
    update: async ({ news, preview }) => ({ outputs: made(news, preview), refreshBeforeUpdate: false }),
    delete: async () => {},
    invoke: async ({ token, args }) => ({ result: propertyMap(own.invoke(token, args)), failures: [] }),
    parameterize: () => refused('parameterize'),
    construct: () => refused('construct'),
    call: () => refused('call'),
    cancel: async () => {},
    close: async () => {},
  };
  const server = await startServer({ services: [providerService(provider)], stream: true });
  const leave = () => process.exit(0);
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  process.stdout.write(`${server.port}\n`);

  function refused(what) {
    return Promise.reject(new ProviderError('UNIMPLEMENTED', `${name} has no ${what}`));
  }
}

function diff(changed, replaces = []) {
  return {
    changes: changed.length > 0 ? 'some' : 'none',
    replaceKeys: changed.filter((key) => replaces.includes(key)),
    changedKeys: changed,
    stableKeys: [],
    detailedDiff: undefined,
    deleteBeforeReplace: false,
  };
}
