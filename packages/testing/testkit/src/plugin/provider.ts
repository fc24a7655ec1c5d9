import type { Provider } from '@cairn/wire';
import { ItemProvider } from './item-provider.js';

/** The same provider for the engine's own process; see the `cairn` section of the package file. */
export default (): Provider => new ItemProvider();
