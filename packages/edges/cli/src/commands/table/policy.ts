import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import { policyFlags } from '../../flags/operation.js';
import { configFileFlag, jsonFlag, stackFlag } from '../../flags/stack.js';

/** Commands for policy packs: to run them over a state, and to write them. */
export const policyCommands: readonly CommandSpec[] = [
  command({
    path: ['policy', 'analyze'],
    summary: 'Run policy packs on the state of the stack or on an exported state, without changing it',
    args: [],
    flags: [
      stackFlag,
      configFileFlag,
      ...policyFlags,
      jsonFlag,
      { name: 'diff', summary: 'Show what each remediation would change' },
      {
        name: 'file',
        value: 'file',
        summary: 'Analyze this exported state instead of the state of the stack',
      },
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
          'Template: typescript (default), a folder, a git address, npm:PACKAGE, or the name of a Pulumi policy template',
        required: false,
      },
    ],
    flags: [
      {
        name: 'dir',
        value: 'directory',
        summary: 'Create the pack in this directory (default: the current one)',
      },
      { name: 'force', short: 'f', summary: 'Write to a directory that is not empty' },
      { name: 'generate-only', short: 'g', summary: 'Only write the files, without installing dependencies' },
      {
        name: 'yes',
        short: 'y',
        summary: 'Do not ask; fail if there are several templates to choose from',
      },
      { name: 'offline', short: 'o', summary: 'Use only templates on this machine, without fetching any' },
      {
        name: 'runtime-options',
        value: 'key=value,…',
        holds: 'list',
        summary: 'Write these runtime options to PulumiPolicy.yaml',
      },
    ],
    examples: ['cairn policy new --dir rules', 'cairn policy new ./templates/strict --dir rules'],
    load: () => import('../policy-new.js').then(({ run }) => run),
  }),
];
