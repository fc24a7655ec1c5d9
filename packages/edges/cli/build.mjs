// Bundles the command line. Commands that only read stacks have their own script, so that starting one loads only what
// it needs.
import { writeFileSync } from 'node:fs';
import { bundleCommand } from '../../../tools/bundle.mjs';

/** Packages that remain in `node_modules`: compilers, the console, and providers, which programs import too. */
const OUTSIDE =
  /^(@cairn\/console|@cairn\/tf-bridge|@cairn\/provider-(local|random|sdk)|esbuild|typescript)$/;
const STACKS = [
  ...['changes', 'config', 'follow', 'stack-documents', 'stack-history', 'stack-output', 'stack-show'],
  ...['stack-tags', 'stacks', 'state-show'],
];

await bundleCommand({
  entries: { main: 'src/main.ts' },
  start: 'src/start/index.ts',
  groups: {
    command: ['src/main.ts'],
    stacks: STACKS.map((name) => `src/commands/${name}.ts`),
    serve: ['src/commands/serve.ts', 'src/commands/console.ts'],
    early: ['src/flows/early.ts'],
    operations: [
      ...['src/commands/operations.ts', 'src/flows/pass-view.ts'],
      ...['../../boundary/wire/src/entries/caller.ts', '../../boundary/wire/src/entries/engine-client.ts'],
    ],
  },
  isOutside: (name) => OUTSIDE.test(name),
  alias: {
    // Its main file requires its parts in a way that no bundler recognises.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
  },
});
writeFileSync(
  'dist/main.js',
  `import { createRequire } from 'node:module';

export const { runCli } = createRequire(import.meta.url)('./start.cjs').loadMain();
`,
);
