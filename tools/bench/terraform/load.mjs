// One process that knows the schema of a provider and uses some of its types: `load.mjs kept|asked HOME [TYPES]`.
// `kept` reads what is kept and starts no provider; `asked` starts it. Prints milliseconds as JSON.
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import {
  TerraformClient,
  keptSchema,
  schemaCacheFor,
  startProvider,
} from '../../../packages/machines/tf-bridge/dist/index.js';

const [how, home, types = '10'] = process.argv.slice(2);
const env = { ...process.env, CAIRN_HOME: home };
const found = {
  ...{ name: 'bench/large', type: 'large', source: 'bench/large', version: '1.0.0', how: 'mirror' },
  executable: process.execPath,
};
const loaded = performance.now();
const cache = await schemaCacheFor(found, env);
const use = (schema) => {
  for (const name of schema.resources.names.slice(0, Number(types)))
    if (schema.resources.get(name).block.attributes.size === 0) throw new Error(`${name} is empty`);
  return schema.resources.names.length;
};
if (how === 'kept') {
  const count = use(await keptSchema(found.name, cache));
  console.log(JSON.stringify({ count, schema: performance.now() - loaded }));
} else {
  const args = [fileURLToPath(new URL('provider.mjs', import.meta.url))];
  const provider = await startProvider({ ...found, args, cwd: '/', env, onLog: () => {} });
  const started = performance.now();
  const client = await TerraformClient.connect({ name: found.name, ...provider, schemaCache: cache });
  const count = use(client.schema);
  const schema = performance.now() - started;
  await provider.stop();
  console.log(JSON.stringify({ count, schema, start: started - loaded }));
}
