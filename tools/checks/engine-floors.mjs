/**
 * The floors of the engine, bottom to top: what each folder (or file) directly in `packages/engine/src` may import,
 * types included. A row may name rows above it only. The linter says it in the editor (`eslint.config.mjs`);
 * `import-graph.test.ts` holds the code to it.
 */
export const engineFloors = {
  /** Data and small functions without effects. */
  model: [],
  /** What the engine needs from outside. */
  'ports.ts': ['model'],
  /** What this run has done so far. */
  ledger: ['model'],
  /** The entries before it. */
  prior: ['model', 'ledger'],
  /** The rules. */
  decide: ['model', 'ledger', 'prior'],
  /** What providers may not say. */
  contract: ['model', 'decide'],
  /** What a plan allows. */
  'saved-plan': ['model', 'ledger', 'decide'],
  /** The only writer. */
  record: ['model'],
  /** Providers, as instances and as entries. */
  providers: ['model', 'ports.ts'],
  /** Policy packs. */
  policy: ['model', 'ports.ts'],
  /** Answers what a rule asks. */
  inspect: ['model', 'decide', 'contract', 'providers', 'policy'],
  /** Chains of steps as tasks of a change, done and undone. */
  execute: ['model', 'ports.ts', 'prior', 'decide', 'contract', 'record', 'providers'],
  /** What earlier changes left. */
  recover: ['model', 'decide', 'record', 'providers', 'execute'],
  /** Declarative resources in state. */
  snippets: ['model'],
  /** The door that the program talks to. */
  monitor: ['model', 'ports.ts', 'decide', 'providers', 'execute', 'snippets'],
  /** An operation from its request to its result. */
  operation: [
    'model',
    'ports.ts',
    'ledger',
    'prior',
    'decide',
    'contract',
    'saved-plan',
    'record',
    'providers',
    'policy',
    'inspect',
    'execute',
    'recover',
    'snippets',
    'monitor',
  ],
  'index.ts': ['model', 'ports.ts', 'decide', 'saved-plan', 'execute', 'recover', 'operation'],
};

/** The table as settings of the linter: one for each folder, which refuses imports that go up. */
export function floorRules(source, floors) {
  const names = Object.keys(floors);
  return names
    .filter((name) => !name.endsWith('.ts'))
    .map((name) => {
      const refused = names.filter((other) => other !== name && !floors[name].includes(other));
      const ends = refused.map((other) =>
        other.endsWith('.ts') ? other.replace(/ts$/, 'js$') : `${other}/`,
      );
      return {
        files: [`${source}/${name}/**/*.ts`],
        ignores: ['**/*.test.ts'],
        rules: {
          'no-restricted-imports': [
            'error',
            {
              patterns: [
                {
                  regex: `^(\\.\\./)+(${ends.join('|').replaceAll('.', '\\.')})`,
                  message: `${name}/ stands below it, or beside it (tools/checks/engine-floors.mjs).`,
                },
              ],
            },
          ],
        },
      };
    });
}
