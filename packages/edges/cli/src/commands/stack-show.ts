import { isUrn, urnName } from '@cairn/addresses';
import { fullStackName, organizationOf } from '@cairn/backends';
import type { LostStateNote, StackId } from '@cairn/backends';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { lockText, locksOfPersons, outputsOf } from '@cairn/operations/stacks';
import type { OpenStack } from '@cairn/operations/stacks';
import { goStruct, isJsonObject } from '@cairn/state';
import type { Json, JsonObject, Manifest, SerializedDeployment, SerializedResource } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import { plainJson } from '@cairn/operations/stacks';
import { outputLines } from '../display/value-text.js';
import { withStackForFlags } from '../flows/open-stack.js';
import { isFull } from '../flows/stack-choice.js';
import { warnOfSecrets } from '../terminal/tell.js';
import { visibleName } from '../terminal/controls.js';
import { formatAge } from '../terminal/duration.js';
import { printJson } from '../terminal/json-output.js';
import { paintFor } from '../terminal/paint.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';

/** `stack` */
export const run: Command<
  Switches<'json' | 'showIds' | 'showName' | 'showSecrets' | 'showUrns'> & Texts<'output'>
> = ({ flags }, context) =>
  withStackForFlags(context, flags, async (stack) => {
    const json = wantsJson(flags);
    if (flags.showName) {
      context.stdout.write(`${isFull(flags) ? fullStackName(stack.id) : stack.id.stack}\n`);
      return EXIT.ok;
    }
    const deployment = await readShown(context, stack, json);
    const show = flags.showSecrets;
    if (show) warnOfSecrets(context);
    if (json) printJson(context, await stackJson(stack, deployment, show));
    else await printStack(context, flags, stack, deployment);
    return EXIT.ok;
  });

/** Reads the state of a stack. If a service has lost it, the text about the stack comes before the failure. */
async function readShown(
  context: CommandContext,
  { backend, url, id }: OpenStack,
  json: boolean,
): Promise<SerializedDeployment | undefined> {
  try {
    return (await backend.read(id, { integrity: 'skip' })).deployment;
  } catch (thrown) {
    const lost = json ? undefined : await lostStateOf({ backend, id });
    if (lost !== undefined) for (const text of headLines(id, url, lost)) context.stdout.write(`${text}\n`);
    throw thrown;
  }
}

function lostStateOf({ backend, id }: Pick<OpenStack, 'backend' | 'id'>): Promise<LostStateNote | undefined> {
  return backend.lostState?.(id).catch(() => undefined) ?? Promise.resolve(undefined);
}

function headLines(id: StackId, url: string, lost: LostStateNote | undefined): readonly string[] {
  const what = lost?.what === 'update' ? 'records of an update' : 'the newest state';
  return [
    ...[`Stack ${id.stack} of project ${id.project}`, `    Backend: ${url}`],
    ...(lost === undefined ? [] : [`    Lost: ${what}, noticed ${lost.noticed}`]),
  ];
}

function wantsJson(flags: Switches<'json'> & Texts<'output'>): boolean {
  const output = flags.output ?? 'default';
  if (output !== 'default' && output !== 'json')
    throw cairnError('CAIRN-USAGE', `--output takes default or json, not ${JSON.stringify(output)}`);
  return output === 'json' || flags.json;
}

/** Returns a stack as `cairn stack --output json` prints it [EVT-5]. Secrets are `[secret]` unless they are shown. */
async function stackJson(
  { ports, backend, url, id }: OpenStack,
  deployment: SerializedDeployment | undefined,
  show: boolean,
): Promise<JsonObject> {
  const running = await backend.currentOperation(id).catch(() => undefined);
  const lost = await lostStateOf({ backend, id });
  const operation =
    running &&
    goStruct({
      kind: running.kind,
      author: running.author,
      started: new Date(running.started).toISOString(),
    });
  return goStruct({
    organization: organizationOf(id),
    project: id.project,
    stack: id.stack,
    backend: url,
    ...(operation === undefined ? {} : { currentOperation: operation }),
    ...(lost === undefined ? {} : { lostState: goStruct({ ...lost }) }),
    tags: await backend.tags(id),
    ...(deployment === undefined ? {} : { manifest: manifestJson(deployment.manifest) }),
    resources: (deployment?.resources ?? []).map(({ urn, type, id: own, parent }) =>
      goStruct({
        ...{ urn, type, name: isUrn(urn) ? urnName(urn) : urn },
        ...(own === undefined || own === '' ? {} : { id: own }),
        ...(parent === undefined || parent === '' ? {} : { parent }),
      }),
    ),
    outputs: plainJson(deployment === undefined ? emptyMap : await outputsOf(ports, deployment, show), show),
  });
}

function manifestJson({ time, version, plugins = [] }: Manifest): JsonObject {
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  const rows = plugins.filter(isJsonObject).map((plugin) =>
    goStruct({
      ...{ name: text(plugin['name']), kind: text(plugin['type']) },
      ...(text(plugin['version']) === '' ? {} : { version: text(plugin['version']) }),
    }),
  );
  return goStruct({
    ...(time.startsWith('0001-') ? {} : { time }),
    ...(version === '' ? {} : { pulumiVersion: version }),
    ...(rows.length === 0 ? {} : { plugins: rows }),
  });
}

/** Prints a stack's content and outputs as text. */
async function printStack(
  context: CommandContext,
  flags: Switches<'showIds' | 'showSecrets' | 'showUrns'>,
  { ports, backend, url, id }: OpenStack,
  deployment: SerializedDeployment | undefined,
): Promise<void> {
  const resources = deployment?.resources ?? [];
  const line = (text: string): boolean => context.stdout.write(`${text}\n`);
  for (const text of headLines(id, url, await lostStateOf({ backend, id }))) line(text);
  for (const lock of await locksOfPersons({ backend, id }))
    line(`    L${visibleName(lockText(lock)).slice(1)}`);
  if (deployment !== undefined)
    line(`    Last update: ${formatAge(new Date(deployment.manifest.time), context.now())}`);
  line(`Resources (${resources.length}):`);
  for (const text of tree(resources, { urns: flags.showUrns, ids: flags.showIds })) line(`    ${text}`);
  if (deployment === undefined) return;
  const show = flags.showSecrets;
  const outputs = await outputsOf(ports, deployment, show);
  for (const text of outputLines(outputs, show, paintFor(context.terminal.colour))) line(text);
}

interface TreeOptions {
  readonly urns: boolean;
  readonly ids: boolean;
}

/**
 * Lists resources below their parents, in the order of the state. Resources that no chain of parents connects to the
 * top become roots.
 */
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
