import { isUrn, matchesGlob, urnName } from '@cairn/addresses';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { plainJson, stackEntry } from '@cairn/operations/stacks';
import type { OpenStack } from '@cairn/operations/stacks';
import type { ResourceEntry, SerializedResource } from '@cairn/state';
import { isEmptyMap, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { keyText, valueText } from '../display/value-text.js';
import { withStackForFlags } from '../flows/open-stack.js';
import { warnOfSecrets } from '../terminal/tell.js';
import { visibleName } from '../terminal/controls.js';
import { printJson } from '../terminal/json-output.js';
import { needsAnswer } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches } from '../flags/flag-spec.js';

/** `state list` */
export const list: Command<Switches<'json'>> = ({ args: [filter], flags }, context) =>
  withStackForFlags(context, flags, async (stack) => {
    const resources = await resourcesOf(stack);
    const urns = resources
      .map(({ urn }) => urn)
      .filter((urn) => filter === undefined || matches(urn, filter));
    if (flags.json) printJson(context, urns);
    else for (const urn of urns) context.stdout.write(`${visibleName(urn)}\n`);
    return EXIT.ok;
  });

/** `state get` */
export const get: Command<Switches<'json' | 'showSecrets'>> = ({ args: [given], flags }, context) =>
  withStackForFlags(context, flags, async (stack) => {
    if (given === undefined) throw needsAnswer('no resource named', 'its URN or name as an argument');
    const resource = named(await resourcesOf(stack), given, stack);
    const show = flags.showSecrets;
    if (show) warnOfSecrets(context);
    const entry = await stackEntry(stack, resource, show);
    if (flags.json) printEntryJson(context, entry, show);
    else printEntry(context, entry, show);
    return EXIT.ok;
  });

async function resourcesOf({ backend, id }: OpenStack): Promise<readonly SerializedResource[]> {
  const { deployment } = await backend.read(id, { integrity: 'skip' });
  return deployment?.resources ?? [];
}

/** Tells whether a URN contains a text, or matches a pattern with `*` and `**`. */
function matches(urn: string, filter: string): boolean {
  return filter.includes('*') ? matchesGlob(filter, urn, ':') : urn.includes(filter);
}

/**
 * Returns the resource that a URN or a name identifies. One that is pending deletion is returned only if there is no
 * other.
 */
function named(
  resources: readonly SerializedResource[],
  given: string,
  { id }: Pick<OpenStack, 'id'>,
): SerializedResource {
  const found = resources.filter(({ urn }) => urn === given || (isUrn(urn) && urnName(urn) === given));
  const urns = new Set(found.map(({ urn }) => urn));
  if (urns.size > 1)
    throw cairnError(
      'CAIRN-STATE-RESOURCE',
      `${urns.size} resources of stack ${id.stack} are called "${given}"`,
      {
        causes: [...urns],
        hint: 'Give the URN of one of them.',
      },
    );
  const resource = found.find((each) => each.delete !== true) ?? found[0];
  if (resource !== undefined) return resource;
  throw cairnError(
    'CAIRN-STATE-RESOURCE',
    `no resource identified by "${given}" found in stack ${id.stack}`,
    {
      hint: '`cairn state list` lists the resources.',
    },
  );
}

/** Returns the properties without the engine's internal ones. */
function shown(properties: PropertyMap): PropertyMap {
  return propertyMap(Object.fromEntries(Object.entries(properties).filter(([key]) => !key.startsWith('__'))));
}

function printEntryJson(context: CommandContext, entry: ResourceEntry, show: boolean): void {
  printJson(context, {
    id: entry.id,
    inputs: plainJson(shown(entry.inputs), show),
    outputs: plainJson(shown(entry.outputs), show),
    ...(entry.delete ? { pendingDeletion: true } : {}),
    type: entry.type,
    urn: entry.urn,
  });
}

function printEntry(context: CommandContext, entry: ResourceEntry, show: boolean): void {
  const line = (text: string): boolean => context.stdout.write(`${text}\n`);
  line(`Type: ${visibleName(entry.type)}`);
  line(`URN:  ${visibleName(entry.urn)}`);
  if (entry.id !== '') line(`ID:   ${visibleName(entry.id)}`);
  if (entry.delete) line('Pending deletion: yes');
  for (const [title, properties] of [
    ['Inputs', shown(entry.inputs)],
    ['Outputs', shown(entry.outputs)],
  ] as const) {
    if (isEmptyMap(properties)) continue;
    line(`${title}:`);
    for (const key of Object.keys(properties))
      line(`    ${keyText(key)}: ${valueText(properties[key] ?? null, show, 4, true)}`);
  }
}
