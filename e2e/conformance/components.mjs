// The package `component` of the programs in ./level-2-components.ts: outputs and arguments that are resources.
import { ComponentResource, CustomResource, output } from '@cairn/sdk';
import { defineComponent, defineProvider, defineResource, s } from '@cairn/provider-sdk';
import { main } from '@cairn/provider-sdk/plugin';

class Custom extends CustomResource {
  constructor(name, args, options) {
    super('component:index:Custom', name, args, options);
  }
  get value() {
    return this.outputOf('value');
  }
}

class RefOutput extends ComponentResource {
  constructor(name, { value }, options) {
    super('component:index:RefOutput', name, {}, options);
    this.registerOutputs({ value, ref: new Custom(`${name}-child`, { value }, { parent: this }) });
  }
}

/** Takes a resource, and makes another from its outputs. */
class RefInputOutput extends ComponentResource {
  constructor(name, { inputRef }, options) {
    super('component:index:RefInputOutput', name, {}, options);
    const made = new Custom(
      `${name}-child`,
      { value: output(inputRef).apply((it) => it.outputOf('value')) },
      { parent: this },
    );
    this.registerOutputs({ inputRef, outputRef: made });
  }
}

await main(
  defineProvider({
    name: 'component',
    version: '13.3.7',
    resources: {
      'index:Custom': defineResource({
        inputs: { value: s.string() },
        outputs: { value: s.string() },
        create: async ({ value }, { name }) => ({ id: `id-${name}`, outputs: { value } }),
        update: async (_old, { value }) => ({ value }),
        delete: async () => {},
      }),
    },
    components: {
      'index:RefOutput': defineComponent({
        inputs: { value: s.string() },
        outputs: { value: s.string(), ref: s.any() },
        create: (name, args, options) => new RefOutput(name, args, options),
      }),
      'index:RefInputOutput': defineComponent({
        inputs: { inputRef: s.any() },
        outputs: { inputRef: s.any(), outputRef: s.any() },
        create: (name, args, options) => new RefInputOutput(name, args, options),
      }),
    },
  }),
);
