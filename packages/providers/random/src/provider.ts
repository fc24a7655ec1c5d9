import { toProvider } from '@cairn/provider-sdk';
import type { Provider } from '@cairn/provider-sdk';
import { randomProvider } from './definition.js';

/** Creates an instance for the engine's process; see `cairn.provider` in package.json. */
export default function provider(): Provider {
  return toProvider(randomProvider);
}
