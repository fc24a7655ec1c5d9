import { OUTPUTS_FILES } from './answers.js';
import { LOG } from './log.js';
import { TERRAFORM_FILES } from './terraform.js';

/**
 * The files of a run's project. A program declares the resources in `want.json`; every effect of a provider is a line
 * in `effects.log`, appended at once: `create|update|delete OBJECT VALUE`. At the effect or look that `point.txt` names
 * (`before|after create a-1`, `read a-1`) the provider makes `reached` and continues when `go` is there, so that the
 * harness can kill any process at that point.
 */

/** On @cairn/sdk, as a module. */
const CAIRN_PROGRAM = `
import { CustomResource } from '@cairn/sdk';
import { readFileSync } from 'node:fs';
import { declare } from './declare.cjs';
import { Thing } from '@cairn-sdks/things';
class Any extends CustomResource {
  constructor(type: string, name: string, inputs: Record<string, unknown>, options: object) { super(type, name, inputs, options); }
}
declare(JSON.parse(readFileSync('want.json', 'utf8')), (type, name, inputs, options) =>
  type === 'terraform' ? new Thing(name, inputs, options) : new Any(type, name, inputs, options));
`;

/** On @pulumi/pulumi, with dynamic providers. */
const PULUMI_PROGRAM = `
import * as pulumi from '@pulumi/pulumi';
import { readFileSync } from 'node:fs';
const { declare } = require('./declare.cjs');

const effect = async (what: string, object: string, value: number): Promise<void> => {
  const fs = require('fs');
  const line = what + ' ' + object;
  const read = (file: string): string => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '');
  const point = async (when: string): Promise<void> => {
    if (read('point.txt') !== when + ' ' + line) return;
    fs.rmSync('point.txt', { force: true });
    fs.writeFileSync('reached', '');
    while (!fs.existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await point('before');
  fs.appendFileSync('effects.log', line + ' ' + value + '\\n');
  await point('after');
};
const objectOf = (inputs: any): string => inputs.name + '-' + inputs.version;
const provider: pulumi.dynamic.ResourceProvider = {
  diff: async (id, olds, news) => ({
    changes: olds.version !== news.version || olds.value !== news.value,
    replaces: olds.version === news.version ? [] : ['version'],
  }),
  create: async (inputs) => {
    await effect('create', objectOf(inputs), inputs.value);
    return { id: objectOf(inputs), outs: inputs };
  },
  update: async (id, olds, news) => {
    await effect('update', id, news.value);
    return { outs: news };
  },
  delete: async (id, inputs) => effect('delete', id, inputs.value),
};
class Dynamic extends pulumi.dynamic.Resource {
  constructor(name: string, inputs: pulumi.Inputs, options: pulumi.CustomResourceOptions) { super(provider, name, inputs, options); }
}
class Any extends pulumi.CustomResource {}
declare(JSON.parse(readFileSync('want.json', 'utf8')), (type: string, name: string, inputs: pulumi.Inputs, options: pulumi.CustomResourceOptions) =>
  type === 'dynamic' ? new Dynamic(name, inputs, options) : new Any(type, name, inputs, options));
`;

/** Declaration of each kind; shared by both programs. */
const DECLARE = `
const shell = (what, one) => 'exec sh effect.sh ' + what + ' ' + one.name + '-' + one.version + ' "$VALUE"';
const declared = {
  file: (one) => ['cairn-local:index:File', { path: one.name + '-' + one.version + '.txt', content: String(one.value) }],
  directory: (one) => ['cairn-local:index:Directory', { path: one.name + '-' + one.version + '.dir' }],
  command: (one) => ['cairn-local:index:Command', {
    create: shell('create', one), update: shell('update', one), delete: shell('delete', one),
    triggers: [one.version], environment: { VALUE: String(one.value) },
  }],
  seen: (one) => ['seen:index:Thing', { name: one.name, version: one.version, value: one.value }],
  blind: (one) => ['blind:index:Thing', { name: one.name, version: one.version, value: one.value }],
  terraform: (one) => ['terraform', { name: one.name, version: one.version, value: one.value }],
  dynamic: (one) => ['dynamic', { name: one.name, version: one.version, value: one.value }],
};
exports.declare = (want, make) => {
  const made = new Map();
  for (const one of want) {
    const [type, inputs] = declared[one.kind](one);
    const options = { dependsOn: one.dependsOn.map((name) => made.get(name)), deleteBeforeReplace: one.deleteFirst };
    made.set(one.name, make(type, one.name, inputs, options));
  }
};
`;

/** An effect of a command. */
const EFFECT = `
line="$1 $2"
point() {
  if [ "$(cat point.txt 2>/dev/null)" = "$1 $line" ]; then
    rm -f point.txt; : > reached
    while [ ! -e go ]; do sleep 0.02; done
  fi
}
point before
echo "$line $3" >> effects.log
point after
echo "$3"
`;

/**
 * A provider of the Pulumi protocol, in a process of its own. `reads`: it looks at the log; without, its server echoes
 * its request.
 */
const plugin = (reads: boolean): string => `#!/usr/bin/env node
const fs = require('node:fs');
const path = require('node:path');
const project = path.dirname(__dirname);
const { main } = require('@pulumi/pulumi/provider');
const at = (file) => path.join(project, file);
${LOG}const objectOf = (inputs) => inputs.name + '-' + inputs.version;
const provider = {
  version: '1.0.0',
  check: async (urn, olds, news) => ({ inputs: news }),
  diff: async (id, urn, olds, news) => ({
    changes: olds.version !== news.version || olds.value !== news.value,
    replaces: olds.version === news.version ? [] : ['version'],
  }),
  create: async (urn, inputs) => {
    await effect('create', objectOf(inputs), inputs.value);
    return { id: objectOf(inputs), outs: inputs };
  },
  update: async (id, urn, olds, news) => {
    await effect('update', id, news.value);
    return { outs: news };
  },
  delete: async (id, urn, inputs) => effect('delete', id, inputs.value),
};
if (${String(reads)}) provider.read = async (id) => {
  await point('before', 'read ' + id);
  const value = valueOf(id);
  if (value === undefined) return {};
  const cut = id.lastIndexOf('-');
  const props = { name: id.slice(0, cut), version: Number(id.slice(cut + 1)), value };
  await point('after', 'read ' + id);
  return { id, props, inputs: props };
};
main(provider, process.argv.slice(2));
`;

/** Returns the files of a project whose program is on `sdk`. The plugins have to be made executable. */
export function projectFiles(sdk: 'cairn' | 'pulumi'): Readonly<Record<string, string>> {
  return {
    'Pulumi.yaml': [
      'name: shop',
      'runtime: nodejs',
      'main: index.ts',
      'plugins:',
      '  providers:',
      '    - name: seen',
      '      path: seen',
      '    - name: blind',
      '      path: blind',
      '',
    ].join('\n'),
    'package.json': JSON.stringify({
      name: 'shop',
      private: true,
      ...(sdk === 'cairn' && { type: 'module' }),
      dependencies: { '@cairn/sdk': '*', '@pulumi/pulumi': '*', '@cairn/provider-local': '*' },
    }),
    'index.ts': sdk === 'cairn' ? CAIRN_PROGRAM : PULUMI_PROGRAM,
    'declare.cjs': DECLARE,
    'effect.sh': EFFECT,
    ...OUTPUTS_FILES,
    'seen/package.json': '{ "type": "commonjs" }',
    'seen/pulumi-resource-seen': plugin(true),
    'blind/package.json': '{ "type": "commonjs" }',
    'blind/pulumi-resource-blind': plugin(false),
    ...(sdk === 'cairn' && TERRAFORM_FILES),
  };
}

/** Plugins among the files. */
export const executables = (sdk: 'cairn' | 'pulumi'): readonly string[] => [
  ...['seen/pulumi-resource-seen', 'blind/pulumi-resource-blind'],
  ...(sdk === 'cairn' ? ['things/terraform-provider-things'] : []),
];
