import type { Provider } from '@cairn/wire';
import { createBridge } from './provider/index.js';

/** Creates an instance for the engine's process; see `cairn.provider` in package.json. */
export default function provider(): Provider {
  return createBridge();
}
