// The program every system runs: N resources, each with 0 to 3 earlier ones as dependencies and about 300 bytes of
// input. The graph is the same for everyone: it comes from a small generator with a fixed seed.

/** Indexes of the resources that resource `index` depends on. */
export function dependenciesOf(index) {
  let seed = (index + 1) * 2654435761;
  const next = () => {
    seed = (Math.imul(seed ^ (seed >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return seed;
  };
  const count = index === 0 ? 0 : next() % 4;
  const found = new Set();
  for (let at = 0; at < count; at++) found.add(next() % index);
  return [...found];
}

const body = `
const n = Number(process.env.BENCH_N);
const changed = Number(process.env.BENCH_CHANGED ?? -1);
const filler = 'x'.repeat(240);
const linked = process.env.BENCH_INDEPENDENT === undefined;
const items = [];
for (let i = 0; i < n; i++) {
  items.push(new Item('item-' + i, { text: filler + (i === changed ? 'changed' : ''), number: i, inputs: linked ? dependenciesOf(i).map((d) => items[d].number) : [] }));
}
`;

/** A program on our SDK. */
export const cairnProgram = `import { CustomResource } from '@cairn/sdk';
${dependenciesOf.toString()}
class Item extends CustomResource {
  constructor(name, props) {
    super('bench:index:Item', name, { ...props });
  }
  get number() {
    return this.outputOf('number');
  }
}
${body}`;

/** The same program on @pulumi/pulumi. */
export const pulumiProgram = `const pulumi = require('@pulumi/pulumi');
${dependenciesOf.toString()}
class Item extends pulumi.CustomResource {
  constructor(name, props) {
    super('bench:index:Item', name, { ...props });
  }
}
${body}`;

/**
 * The same graph for terraform, on its builtin resource. `changed` is the index of a resource with another input, or
 * -1.
 */
export function terraformProgram(n, changed) {
  const blocks = ['terraform {\n}\n'];
  const filler = 'x'.repeat(240);
  for (let index = 0; index < n; index++) {
    const inputs = dependenciesOf(index).map((at) => `terraform_data.item_${at}.output.number`);
    const text = filler + (index === changed ? 'changed' : '');
    blocks.push(
      `resource "terraform_data" "item_${index}" {\n  input = { text = "${text}", number = ${index}, inputs = [${inputs.join(', ')}] }\n}\n`,
    );
  }
  return blocks.join('');
}
