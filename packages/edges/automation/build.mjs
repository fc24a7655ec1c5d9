// Bundles the package; the SDK stays a dependency. What runs operations is split off, so that importing costs little.
// Declarations are made apart and name no package inside.
import { bundleLibrary } from '../../../tools/bundle.mjs';

const OUTSIDE = /^(esbuild|typescript|@cairn\/sdk(\/.*)?)$/;

await bundleLibrary({ entryPoints: { index: 'src/index.ts' }, isOutside: (name) => OUTSIDE.test(name) });
