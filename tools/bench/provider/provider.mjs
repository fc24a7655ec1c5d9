// The most trivial provider there is: outputs are the inputs, ids are counted, nothing exists. It measures the engine.
// BENCH_CALL_MS: how long a check and a diff take.
const callMs = Number(process.env.BENCH_CALL_MS ?? 0);
const taken = (answer) =>
  callMs > 0 ? new Promise((resolve) => setTimeout(() => resolve(answer), callMs)) : answer;

let created = 0;

const capabilities = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: false,
  supportsPreview: true,
  supportsAutonaming: false,
};
const noDiff = {
  changes: 'none',
  replaceKeys: [],
  changedKeys: [],
  stableKeys: [],
  detailedDiff: undefined,
  deleteBeforeReplace: false,
};

export default function benchProvider() {
  return {
    handshake: async () => capabilities,
    parameterize: async () => refuse('parameterize'),
    extras: async () => ({ types: { '*': { compares: 'arguments', plainCreate: true } } }),
    getPluginInfo: async () => ({ version: '0.1.0' }),
    getSchema: async () => '{"name":"bench","version":"0.1.0"}',
    checkConfig: async ({ news }) => ({ inputs: news, failures: [] }),
    diffConfig: async () => noDiff,
    configure: async () => capabilities,
    check: async ({ news }) => taken({ inputs: news, failures: [] }),
    diff: async ({ oldInputs, news }) =>
      taken(oldInputs.text === news.text ? noDiff : { ...noDiff, changes: 'some', changedKeys: ['text'] }),
    create: async ({ inputs, preview }) => ({
      id: preview ? '' : `bench-${++created}`,
      outputs: inputs,
      refreshBeforeUpdate: false,
    }),
    read: async ({ id, inputs, state }) => ({ id, inputs, outputs: state, refreshBeforeUpdate: false }),
    update: async ({ news }) => ({ outputs: news, refreshBeforeUpdate: false }),
    delete: async () => undefined,
    invoke: async () => refuse('invoke'),
    construct: async () => refuse('construct'),
    call: async () => refuse('call'),
    cancel: async () => undefined,
    close: async () => undefined,
  };
}

function refuse(what) {
  throw new Error(`the bench provider has no ${what}`);
}
