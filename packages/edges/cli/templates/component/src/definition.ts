import { defineProvider } from '@cairn/provider-sdk';
import { componentsOf } from '@cairn/provider-sdk/component-types';
import * as site from './site.js';

/** What programs in any language can use: the components of `site.ts`, with what their TypeScript types say. */
export const definition = defineProvider({
  name: '__NAME__',
  version: '0.1.0',
  resources: {},
  components: componentsOf(import.meta.resolve('./site.js'), site),
});
