// Bundles the package. The SDK remains a dependency. The code that runs operations is split off, so that importing the
// package costs little. Declarations are built separately and name no internal package.
import { bundleLibrary } from '../../../tools/bundle.mjs';

const OUTSIDE = /^(esbuild|typescript|@cairn\/sdk(\/.*)?)$/;

await bundleLibrary({ entryPoints: { index: 'src/index.ts' }, isOutside: (name) => OUTSIDE.test(name) });
