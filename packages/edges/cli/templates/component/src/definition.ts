import { defineProvider } from '@cairn/provider-sdk';
import { componentsOf } from '@cairn/provider-sdk/component-types';
import * as site from './site.js';

/** The provider for programs in any language: the components of `site.ts`, described by their TypeScript types. */
export const definition = defineProvider({
  name: '__NAME__',
  version: '0.1.0',
  resources: {},
  components: componentsOf(import.meta.resolve('./site.js'), site),
});
