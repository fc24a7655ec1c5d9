import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import { policyFlags } from '../../flags/operation.js';
import { configFileFlag, jsonFlag, stackFlag } from '../../flags/stack.js';

/** Commands for policy packs: to run them over a state, and to write them. */
export const policyCommands: readonly CommandSpec[] = [
  command({
    path: ['policy', 'analyze'],
    summary: 'Run policy packs over the state of the stack, or over an exported state; nothing is changed',
    args: [],
    flags: [
      stackFlag,
      configFileFlag,
      ...policyFlags,
      jsonFlag,
      { name: 'diff', summary: 'Show what each remediation would change' },
      { name: 'file', value: 'file', summary: 'Analyze this export of a state instead of that of the stack' },
    ],
    examples: [
      'cairn policy analyze --policy-pack ../rules',
      'cairn policy analyze --policy-pack ../rules --file state.json',
    ],
    load: () => import('../policy-analyze.js').then(({ run }) => run),
  }),
  command({
    path: ['policy', 'new'],
    aliases: ['create', 'setup'],
    summary: 'Create a policy pack from a template',
    args: [
      {
        name: 'template',
        summary:
          'typescript (default), a folder, a git address, npm:PACKAGE, or a name among the policy templates of Pulumi',
        required: false,
      },
    ],
    flags: [
      { name: 'dir', value: 'directory', summary: 'Directory to create the pack in (default: here)' },
      { name: 'force', short: 'f', summary: 'Write into a directory that is not empty' },
      { name: 'generate-only', short: 'g', summary: 'Write the files only: no dependencies' },
      {
        name: 'yes',
        short: 'y',
        summary: 'Ask nothing; fail where one of several templates is to be chosen',
      },
      { name: 'offline', short: 'o', summary: 'Fetch no templates: those on this machine only' },
      {
        name: 'runtime-options',
        value: 'key=value,…',
        holds: 'list',
        summary: 'Options of the runtime, written into PulumiPolicy.yaml',
      },
    ],
    examples: ['cairn policy new --dir rules', 'cairn policy new ./templates/strict --dir rules'],
    load: () => import('../policy-new.js').then(({ run }) => run),
  }),
];
