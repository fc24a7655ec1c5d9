#!/usr/bin/env node
/**
 * Lists which test shows which scenario of the engine: writes the table of docs/maintainers/engine-scenarios.md from
 * the titles of the tests. With `--check`, tells whether it is up to date and every scenario is accounted for.
 */
import { linkTo, scenarioPage } from './scenarios.mjs';

scenarioPage({
  file: 'maintainers/engine-scenarios.md',
  tool: 'tools/engine-scenarios.mjs',
  id: /\bLT[12]-\d{3}\b/g,
  all: 380,
  table: (shown) => {
    const rows = [...shown].map(([file, ids]) => `| ${linkTo(file)} | ${ids.join(' ')} |`);
    return ['| tests | scenarios |', '| --- | --- |', ...rows].join('\n');
  },
});
