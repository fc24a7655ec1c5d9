// node program.mjs SOCKET: the program of the other engines, on a stream to the floor.
import { dependenciesOf } from '../programs.mjs';
import { connect } from './channel.mjs';

const count = Number(process.env.BENCH_N);
const changed = Number(process.env.BENCH_CHANGED ?? -1);
const parallel = Number(process.env.BENCH_PARALLEL);
const filler = 'x'.repeat(240);
const engine = connect(process.argv[2]);
const waiting = [];
let running = 0;

async function register(request) {
  if (running === parallel) await new Promise((resolve) => waiting.push(resolve));
  else running += 1;
  const outputs = await engine.ask(request);
  const next = waiting.shift();
  if (next === undefined) running -= 1;
  else next();
  return outputs;
}

async function item(index, needed) {
  const answers = await Promise.all(needed.map((at) => items[at]));
  const text = filler + (index === changed ? 'changed' : '');
  const inputs = { text, number: index, inputs: answers.map(({ number }) => number) };
  const dependencies = needed.map((at) => `bench:index:Item::item-${at}`);
  return register({ type: 'bench:index:Item', name: `item-${index}`, inputs, dependencies });
}

const items = [];
for (let index = 0; index < count; index += 1) items.push(item(index, dependenciesOf(index)));
await Promise.all(items);
engine.close();
