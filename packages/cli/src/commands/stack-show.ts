import { ROOT_STACK_TYPE, isUrn, urnName } from '@cairn/addresses';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { blindingStateCrypter } from '@cairn/crypters';
import { decodeResource } from '@cairn/state';
import type { SerializedResource } from '@cairn/state';
import { outputLines } from '../display/summary.js';
import { stateCrypter } from '@cairn/operations/stacks';
import { stackJson } from '../session/stack-json.js';
import { formatAge } from '../terminal/duration.js';
import { visibleName } from '../terminal/controls.js';
import { paintFor } from '../terminal/paint.js';
import { printJson } from '../terminal/json-output.js';
import type { Command, Flags } from './command-spec.js';
import { withStack } from '../session/open-stack.js';
import { warnOfSecrets } from '../session/tell.js';

export const run: Command = async ({ flags }, world) =>
  withStack(world, flags, async (stack) => {
    const { ports, backend, url, id } = stack;
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
      printJson(world, await stackJson(stack, deployment, show));
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
    const crypter = show ? await stateCrypter(ports, deployment) : blindingStateCrypter;
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

/** Resources below their parents, in the order of the state; those whose parents lead nowhere stand for themselves. */
function tree(resources: readonly SerializedResource[], options: TreeOptions): readonly string[] {
  const known = new Set(resources.map((resource) => resource.urn));
  const children = new Map<string | undefined, SerializedResource[]>();
  for (const resource of resources) {
    const { parent } = resource;
    const above = parent !== undefined && parent !== '' && known.has(parent) ? parent : undefined;
    const siblings = children.get(above);
    if (siblings === undefined) children.set(above, [resource]);
    else siblings.push(resource);
  }
  const lines: string[] = [];
  const shown = new Set<SerializedResource>();
  const walk = (resource: SerializedResource, indent: string): void => {
    if (shown.has(resource)) return;
    shown.add(resource);
    lines.push(...linesOf(resource, indent, options));
    if (resource.delete === true) return;
    for (const child of children.get(resource.urn) ?? []) walk(child, `${indent}  `);
  };
  for (const resource of [...(children.get(undefined) ?? []), ...resources]) walk(resource, '');
  return lines;
}

function linesOf(resource: SerializedResource, indent: string, options: TreeOptions): readonly string[] {
  const name = isUrn(resource.urn) ? urnName(resource.urn) : resource.urn;
  const marks = [
    resource.delete === true ? 'pending delete' : '',
    resource.protect === true ? 'protected' : '',
  ].filter(Boolean);
  return [
    `${indent}${resource.type}  ${name}${marks.length === 0 ? '' : `  (${marks.join(', ')})`}`,
    ...(options.urns ? [`${indent}    URN: ${resource.urn}`] : []),
    ...(options.ids && resource.id !== undefined ? [`${indent}    ID: ${resource.id}`] : []),
  ].map((line) => visibleName(line));
}
