import path from 'node:path';
import { root } from '../setup.mjs';
import { packageFolder } from '../workspaces.mjs';

const ground = ['addresses', 'diagnostics', 'values'];

/**
 * The packages, bottom to top: which each may import. A row may name rows above it only; tests may import `testkit` and
 * `sdk` as well. Rows stand in the order of the floors
 * (docs/packages.md).
 */
export const packagePlan = {
  // ground
  addresses: [],
  diagnostics: ['addresses'],
  values: ['addresses'],
  retries: ['diagnostics'],
  protobuf: [],
  pcl: ground,
  // boundary
  wire: [...ground, 'protobuf'],
  tfplugin: [...ground, 'protobuf'],
  crypters: ['diagnostics', 'retries', 'values'],
  files: ['diagnostics', 'retries'],
  archives: [],
  blobs: ['diagnostics', 'retries', 'files'],
  changes: ['diagnostics'],
  state: [...ground, 'crypters'],
  workspace: [...ground, 'crypters', 'files'],
  processes: ['diagnostics', 'retries'],
  'http-api': [],
  // machines
  engine: [...ground, 'wire', 'crypters', 'state', 'changes', 'pcl'],
  backends: [...ground, 'state', 'changes', 'blobs', 'crypters', 'retries', 'http-api'],
  'plugin-host': [...ground, 'archives', 'wire', 'processes', 'retries'],
  codegen: [...ground, 'state', 'pcl'],
  'language-node': [...ground, 'wire', 'processes', 'codegen'],
  'tf-bridge': [...ground, 'archives', 'files', 'wire', 'processes', 'tfplugin'],
  graphs: ['addresses', 'diagnostics', 'state'],
  'changes-daemon': ['addresses', 'diagnostics', 'changes'],
  // authors
  sdk: [...ground, 'wire', 'processes'],
  'provider-sdk': [...ground, 'wire', 'sdk', 'retries'],
  'provider-terraform': [...ground, 'wire', 'tfplugin', 'provider-sdk'],
  // providers
  'provider-random': ['provider-sdk', 'provider-terraform', 'sdk'],
  'provider-local': ['provider-sdk', 'provider-terraform', 'sdk', 'retries'],
  'provider-postgresql': ['provider-sdk', 'provider-terraform', 'sdk', 'retries'],
  // app
  operations: [
    ...ground,
    ...['wire', 'crypters', 'files', 'archives', 'state', 'changes', 'backends', 'plugin-host', 'workspace'],
    ...['language-node', 'engine', 'pcl', 'processes', 'codegen', 'tf-bridge'],
  ],
  'provider-check': [...ground, 'wire', 'processes', 'plugin-host', 'engine', 'operations'],
  // edges
  automation: [
    ...ground,
    ...[
      'operations',
      'engine',
      'state',
      'workspace',
      'sdk',
      'provider-random',
      'provider-local',
      'tf-bridge',
    ],
  ],
  'state-server': [
    'addresses',
    'diagnostics',
    'values',
    'blobs',
    'crypters',
    'state',
    'http-api',
    'backends',
    'changes-daemon',
  ],
  console: [...ground, 'http-api', 'state', 'engine', 'backends'],
  agent: [
    ...['addresses', 'diagnostics', 'files', 'archives', 'blobs'],
    ...['changes', 'workspace', 'processes', 'http-api', 'changes-daemon'],
  ],
  cli: ['*'],
  // testing
  testkit: ['*'],
  e2e: ['*'],
  example: ['sdk', 'provider-random', 'provider-local', 'provider-postgresql'],
};

/**
 * The floors inside packages, bottom to top: what each folder (or file) directly in the `src` of a package may import,
 * types included. A row may name rows above it only. The linter says it in the editor (`eslint.config.mjs`);
 * `import-graph.test.ts` holds the code to it.
 */
export const floors = {
  state: {
    /** JSON of the format, and property values in it. */
    values: [],
    /** Texts and forms of documents, and the rules they keep. */
    document: ['values'],
    /** Entries in memory. */
    snapshot: ['values', 'document'],
    /** References between entries. */
    graph: ['values', 'document'],
    /** Changes of a state, and what they add up to. */
    journal: ['values', 'document', 'snapshot', 'graph'],
    /** Edits of a stored state. */
    edits: ['values', 'document', 'snapshot', 'graph'],
    'index.ts': ['values', 'document', 'snapshot', 'graph', 'journal', 'edits'],
  },
  engine: {
    /** Data and small functions without effects. */
    model: [],
    /** The engine's requirements from outside. */
    'ports.ts': ['model'],
    /** Record of this run so far. */
    ledger: ['model'],
    /** The entries before it. */
    prior: ['model', 'ledger'],
    /** The rules. */
    decide: ['model', 'ledger', 'prior'],
    /** Answers that providers must not give. */
    contract: ['model', 'decide'],
    /** Limits that a plan sets. */
    'saved-plan': ['model', 'ledger', 'decide'],
    /** The only writer. */
    record: ['model'],
    /** Providers, as instances and as entries. */
    providers: ['model', 'ports.ts'],
    /** Policy packs. */
    policy: ['model', 'ports.ts'],
    /** Answers questions of rules. */
    inspect: ['model', 'decide', 'contract', 'providers', 'policy'],
    /** Chains of steps as tasks of a change, done and undone. */
    execute: ['model', 'ports.ts', 'prior', 'decide', 'contract', 'record', 'providers'],
    /** Changes that earlier operations left. */
    recover: ['model', 'decide', 'record', 'providers', 'execute'],
    /** Declarative resources in state. */
    snippets: ['model'],
    /** The service that the program calls. */
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
    /** Words for other programs. */
    'words.ts': ['model'],
    'index.ts': [
      ...['model', 'ports.ts', 'decide', 'contract', 'saved-plan', 'providers', 'execute', 'recover'],
      ...['monitor', 'operation'],
    ],
  },
  backends: {
    'stack-id.ts': [],
    'timer.ts': [],
    'open-crypter.ts': [],
    /** Data that every store has: operations, changes, history. */
    model: ['stack-id.ts', 'open-crypter.ts'],
    'service-part.ts': ['stack-id.ts', 'model'],
    'backend-ports.ts': ['timer.ts', 'model', 'service-part.ts'],
    'bucket-part.ts': ['stack-id.ts', 'model'],
    'backend.ts': ['stack-id.ts', 'model', 'service-part.ts', 'bucket-part.ts'],
    /** A store of blobs. */
    bucket: [
      ...[
        'stack-id.ts',
        'timer.ts',
        'open-crypter.ts',
        'model',
        'backend-ports.ts',
        'bucket-part.ts',
        'backend.ts',
      ],
    ],
    /** A state service. The code of buckets reads the changes that it keeps. */
    service: [
      ...['stack-id.ts', 'timer.ts', 'model', 'service-part.ts', 'backend-ports.ts', 'backend.ts', 'bucket'],
    ],
    'open-backend.ts': ['backend-ports.ts', 'backend.ts', 'bucket', 'service'],
    /** Words for other programs. */
    'words.ts': ['model'],
    'index.ts': [
      ...['stack-id.ts', 'timer.ts', 'open-crypter.ts', 'model', 'service-part.ts', 'backend-ports.ts'],
      ...['backend.ts', 'bucket', 'service', 'open-backend.ts'],
    ],
  },
  operations: {
    /** The caller's view of a pass: displays, questions and messages. */
    'pass-view.ts': [],
    /** Progress while plugins, packages and projects are made ready. */
    'making.ts': [],
    'interaction.ts': ['making.ts', 'pass-view.ts'],
    'ports.ts': ['interaction.ts'],
    /** Which stack is meant, and how its backend, file and secrets are opened. */
    access: ['interaction.ts', 'ports.ts'],
    /** Values of the configuration. */
    config: ['ports.ts', 'access'],
    /** Changes: which is selected, what it did, requests to it. */
    changes: ['access'],
    /** Edits of stored states. */
    'state-edits': ['ports.ts', 'access'],
    /** Stacks as a whole. */
    stacks: ['ports.ts', 'access', 'config'],
    /** Removes the secrets of an operation from texts of others. */
    masking: ['ports.ts'],
    /** Entry of the parts that need no engine. */
    'stacks.ts': [
      ...['pass-view.ts', 'interaction.ts', 'ports.ts'],
      ...['access', 'config', 'changes', 'state-edits', 'stacks', 'masking'],
    ],
    /** Entry of the parts that few commands use. */
    'rare.ts': ['config', 'stacks'],
    /** Starts work before the code of an operation is loaded. */
    'early.ts': ['ports.ts', 'access'],
    /** Options of an operation. */
    options: [],
    /** Lists of objects that an import takes over. */
    imports: ['options'],
    /** Runners of languages, and what commands ask them. */
    languages: ['ports.ts', 'access'],
    /** Commit, repository and build that an operation is started from. */
    origin: [],
    /** One operation under a lease. */
    operation: [
      ...['pass-view.ts', 'ports.ts', 'access', 'config', 'stacks', 'origin'],
      ...['options', 'imports', 'masking', 'languages'],
    ],
    /** Objects of another tool, added to a state. */
    adoption: ['access', 'state-edits', 'operation'],
    /** Continuing unfinished changes. */
    recovery: [
      ...['pass-view.ts', 'interaction.ts', 'ports.ts', 'access'],
      ...['options', 'imports', 'operation'],
    ],
    /** Plugins, installed with their dependencies. */
    plugins: ['making.ts', 'ports.ts', 'access', 'languages'],
    /** Packages: schemas of plugins, and code that is generated from them. */
    packages: ['making.ts', 'ports.ts', 'access', 'languages', 'plugins'],
    /** All that a project needs. */
    projects: ['ports.ts', 'plugins', 'packages'],
    /** New projects and policy packs. */
    templates: ['making.ts', 'ports.ts', 'access', 'config', 'stacks', 'languages', 'projects'],
    /** States of Terraform. */
    terraform: ['access', 'config', 'stacks', 'operation', 'adoption'],
    'packages.ts': ['making.ts', 'plugins', 'packages', 'projects'],
    'templates.ts': ['templates'],
    'terraform.ts': ['terraform'],
    'operate.ts': ['ports.ts', 'options', 'operation', 'recovery'],
    'index.ts': [
      ...['stacks.ts', 'access', 'options', 'imports', 'masking', 'languages', 'operation', 'adoption'],
      ...['packages', 'recovery', 'operate.ts'],
    ],
  },
  codegen: {
    /** Texts, names and values as TypeScript source. */
    source: [],
    /** Package schemas, read and checked. */
    schema: [],
    /** Schemas as typed packages. */
    'typed-package': ['source', 'schema'],
    /** Contents of a state as the code that declares it. */
    program: ['source'],
    /** Programs in PCL as programs in TypeScript. */
    project: ['source', 'schema', 'typed-package'],
    'index.ts': ['schema', 'typed-package', 'program', 'project'],
  },
  agent: {
    /** Requests and runs in a register. */
    runs: [],
    /** The agent's file. */
    config: [],
    /** Work on a stack that managers ask for. */
    'stack-work.ts': ['config'],
    /** Links that approve runs: their signature, rule and page. */
    links: ['runs', 'config'],
    /** Notices for targets: messages, deliveries, calls. */
    notify: ['runs', 'config'],
    /** The agent's folder: lease, register, messages of commands. */
    folder: ['runs', 'notify'],
    /** Pull requests on GitHub, GitLab and Forgejo. */
    forges: ['runs', 'config'],
    /** Webhooks, links, health and metrics over HTTP. */
    listen: ['runs', 'config', 'forges', 'links'],
    /** The listener of an agent with a file. */
    'agent-listener.ts': ['runs', 'config', 'folder', 'listen'],
    /** Programs of stacks, from repositories and archives of buckets. */
    sources: ['config'],
    /** Calls of a Kubernetes API server: jobs, secrets, pods and their logs. */
    cluster: ['config'],
    /** Runs commands on stacks in processes of their own, in containers, or in jobs of a cluster. */
    executors: ['config', 'stack-work.ts', 'sources', 'cluster'],
    /** Each looks after one thing, again and again. */
    managers: ['runs', 'config', 'stack-work.ts', 'forges', 'notify'],
    /** The parts put together. */
    'agent.ts': [
      ...['runs', 'config', 'stack-work.ts', 'folder', 'executors', 'managers'],
      ...['forges', 'notify', 'listen', 'agent-listener.ts'],
    ],
    /** Runs that a service gives out. */
    service: ['runs', 'config', 'folder', 'forges', 'executors', 'managers', 'listen'],
    /** Part of a run in the pod of a cluster. */
    pod: ['config', 'cluster', 'executors', 'service'],
    'index.ts': ['config', 'folder', 'agent.ts', 'service', 'pod'],
  },
  cli: {
    /** The process as commands see it. */
    'command-context.ts': [],
    /** Rows of flags, and the types of their values. */
    flags: [],
    /** Definition of a command. */
    'command-spec.ts': ['command-context.ts', 'flags'],
    /** Capabilities of this terminal. */
    terminal: ['command-context.ts'],
    /** Changes and tasks as text. */
    changes: ['terminal'],
    /** Events and results as text. */
    display: ['command-context.ts', 'flags', 'terminal'],
    /** Operations and changes as pages. */
    report: ['terminal', 'display'],
    /** The person at the terminal, as operations see them. */
    flows: ['command-context.ts', 'flags', 'command-spec.ts', 'terminal', 'display', 'report'],
    /** Views of a run besides its display. */
    observe: ['command-context.ts', 'flags', 'terminal', 'flows'],
    commands: ['command-context.ts', 'flags', 'command-spec.ts', 'terminal', 'changes', 'display', 'flows'],
    /** Completion for shells. */
    completion: ['command-context.ts', 'flags', 'command-spec.ts', 'flows', 'commands'],
    'main.ts': [
      ...['command-context.ts', 'flags', 'command-spec.ts', 'terminal', 'observe', 'commands', 'completion'],
    ],
    /** Loads the bundle. */
    start: ['terminal', 'main.ts'],
  },
};

/**
 * Returns a configuration of eslint for each package of the plan: its files import only packages of its row. Tests may
 * import `testkit` and `sdk` as well.
 */
export function packageRules(plan) {
  return Object.entries(plan)
    .filter(([, allowed]) => !allowed.includes('*'))
    .flatMap(([name, allowed]) => {
      const folder = name === 'example' ? 'examples' : path.relative(root, packageFolder(name));
      return [
        importRule([`${folder}/**/*.ts`], [name, ...allowed]),
        importRule(
          [`${folder}/**/*.test.ts`, `${folder}/test/**/*.ts`],
          [name, ...allowed, 'testkit', 'sdk'],
        ),
      ];
    });
}

/** Returns the rule that files import no packages but these. It has a name of its own, beside that of floors. */
function importRule(files, names) {
  const regex = `^@cairn/(?!(${names.join('|')})(/|$))`;
  const message = 'The table of packages does not allow this import (tools/checks/floors.mjs).';
  return {
    files,
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [{ regex, message }] }] },
  };
}

/** The tables as settings of the linter: one for each folder, which refuses imports that go up. */
export function floorRules(floors) {
  return Object.entries(floors).flatMap(([name, rows]) => folderRules(`packages/*/${name}/src`, rows));
}

function folderRules(source, rows) {
  const names = Object.keys(rows);
  return names
    .filter((name) => !name.endsWith('.ts'))
    .map((name) => {
      const refused = names.filter((other) => other !== name && !rows[name].includes(other));
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
                  message: `${name}/ stands below it, or beside it (tools/checks/floors.mjs).`,
                },
              ],
            },
          ],
        },
      };
    });
}
