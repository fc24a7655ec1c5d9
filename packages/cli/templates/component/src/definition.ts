import { defineComponent, defineProvider } from '@cairn/provider-sdk';
import { Site, inputs, outputs } from './site.js';

/** What programs in any language can use. */
export const definition = defineProvider({
  name: '__NAME__',
  version: '0.1.0',
  resources: {},
  components: {
    'index:Site': defineComponent({
      description: 'A folder with a page.',
      inputs,
      outputs,
      create: (name, args, options) => new Site(name, args, options),
    }),
  },
});
