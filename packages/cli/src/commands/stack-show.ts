import { ROOT_STACK_TYPE, isUrn, urnName } from '@cairn/addresses';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { blindingStateCrypter } from '@cairn/crypters';
import { decodeResource } from '@cairn/state';
import type { SerializedResource } from '@cairn/state';
import { outputLines } from '../display/summary.js';
import { warnOfSecrets, withStack } from '../session/open-stack.js';
import { stateCrypter } from '../session/secrets.js';
import { stackJson } from '../session/stack-json.js';
import { formatAge } from '../terminal/duration.js';
import { paintFor } from '../terminal/paint.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandCode, Flags } from './command-spec.js';

export const run: CommandCode['run'] = async ({ flags }, world) =>
  withStack(world, flags, async (stack) => {
    const { backend, url, id } = stack;
    const json = wantsJson(flags);
    if (flags.on('show-name')) {
      world.stdout.write(`${id.stack}\n`);
      return EXIT.ok;
    }
    const { deployment } = await backend.read(id, { integrity: 'skip' });
    const resources = deployment?.resources ?? [];
    const show = flags.on('show-secrets');
    if (show) warnOfSecrets(world);
    if (json) {
      printJson(world, await stackJson(world, stack, deployment, show));
      return EXIT.ok;
    }
    const line = (text: string): boolean => world.stdout.write(`${text}\n`);
    line(`Stack ${id.stack} of project ${id.project}`);
    line(`    Backend: ${url}`);
    if (deployment !== undefined)
      line(`    Last update: ${formatAge(new Date(deployment.manifest.time), world.now())}`);
    line(`Resources (${resources.length}):`);
    for (const text of tree(resources, { urns: flags.on('show-urns'), ids: flags.on('show-ids') }))
      line(`    ${text}`);
    const root = resources.find((resource) => resource.type === ROOT_STACK_TYPE);
    if (root === undefined || deployment === undefined) return EXIT.ok;
    const crypter = show ? await stateCrypter(world, deployment) : blindingStateCrypter;
    const { outputs } = decodeResource(root, crypter, 'the state');
    for (const text of outputLines(outputs, show, paintFor(world.terminal.colour))) line(text);
    return EXIT.ok;
  });

function wantsJson(flags: Flags): boolean {
  const output = flags.text('output') ?? 'default';
  if (output !== 'default' && output !== 'json')
    throw cairnError('CAIRN-USAGE', `--output takes default or json, not ${JSON.stringify(output)}`);
  return output === 'json' || flags.on('json');
}

interface TreeOptions {
  readonly urns: boolean;
  readonly ids: boolean;
}

/** Resources below their parents, in the order of the state. */
function tree(resources: readonly SerializedResource[], options: TreeOptions): readonly string[] {
  const known = new Set(resources.map((resource) => resource.urn));
  const children = new Map<string, SerializedResource[]>();
  for (const resource of resources) {
    const parent = resource.parent !== undefined && known.has(resource.parent) ? resource.parent : '';
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [resource]);
    else siblings.push(resource);
  }
  const lines: string[] = [];
  const walk = (parent: string, indent: string): void => {
    for (const resource of children.get(parent) ?? []) {
      const name = isUrn(resource.urn) ? urnName(resource.urn) : resource.urn;
      const marks = [
        resource.delete === true ? 'pending delete' : '',
        resource.protect === true ? 'protected' : '',
      ].filter(Boolean);
      lines.push(`${indent}${resource.type}  ${name}${marks.length === 0 ? '' : `  (${marks.join(', ')})`}`);
      if (options.urns) lines.push(`${indent}    URN: ${resource.urn}`);
      if (options.ids && resource.id !== undefined) lines.push(`${indent}    ID: ${resource.id}`);
      if (resource.delete !== true) walk(resource.urn, `${indent}  `);
    }
  };
  walk('', '');
  return lines;
}
