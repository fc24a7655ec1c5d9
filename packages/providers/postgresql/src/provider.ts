import { toProvider } from '@cairn/provider-sdk';
import type { Provider } from '@cairn/provider-sdk';
import { postgresqlProvider } from './definition.js';

/** Creates an instance for the engine's process; see `cairn.provider` in package.json. */
export default function provider(): Provider {
  return toProvider(postgresqlProvider);
}
