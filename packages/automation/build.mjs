// Bundles the package; the SDK stays a dependency. What runs operations is split off, so that importing costs little.
// Declarations are made by tsc and name no package inside.
import { bundleLibrary } from '../../tools/bundle.mjs';

await bundleLibrary({
  entryPoints: { index: 'src/index.ts' },
  isDependency: (path) => path.startsWith('@cairn/sdk'),
});
