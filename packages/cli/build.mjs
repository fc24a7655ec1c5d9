// Bundles the command line. One entry a process that is started by path; commands are split off, so that starting costs
// what the chosen command needs. What a program or a test imports itself stays a dependency.
import { bundle } from '../../tools/bundle.mjs';

await bundle({
  entryPoints: { main: 'src/main.ts' },
  isDependency: (path) => path.startsWith('@cairn/provider-') || path === '@cairn/tf-bridge',
  sourcemap: true,
});
