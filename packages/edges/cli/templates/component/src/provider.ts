import { toProvider } from '@cairn/provider-sdk';
import { definition } from './definition.js';

/** Entry that Cairn loads into its own process. */
export default () => toProvider(definition);
