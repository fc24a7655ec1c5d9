// node provider.mjs SOCKET: outputs are the inputs, ids are counted, nothing exists.
import { serve } from './channel.mjs';

let created = 0;
const methods = {
  check: ({ inputs }) => ({ inputs }),
  diff: ({ old, inputs }) => ({ changed: old.text !== inputs.text }),
  create: ({ inputs }) => ({ id: `floor-${(created += 1)}`, outputs: inputs }),
  update: ({ inputs }) => ({ outputs: inputs }),
  delete: () => ({}),
};

const stop = await serve(process.argv[2], async ({ method, ...request }) => methods[method](request));
process.send('ready');
process.once('disconnect', stop);
