import { toProvider } from '@cairn/provider-sdk';
import { definition } from './definition.js';

/** What Cairn loads into its own process. */
export default () => toProvider(definition);
