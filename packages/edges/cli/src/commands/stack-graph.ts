import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import { GRAPH_FORMATS, formatOfFile, graphText, isDrawn, resourceGraph } from '@cairn/graphs';
import type { GraphFormat, GraphResource, Mark } from '@cairn/graphs';
import type { SerializedDeployment, SerializedResource } from '@cairn/state';
import type { Command, Flags } from '../command-spec.js';
import { shortType } from '../display/short-type.js';
import { withStack } from '../flows/open-stack.js';
import { isAlias } from '../terminal/called-as.js';

/** `stack graph` */
export const graph: Command = ({ args: [file = ''], flags }, context) => {
  const format = formatOf(flags, isAlias(context) ? undefined : formatOfFile(file));
  const options = {
    parentColor: colourOf(flags, 'parent-edge-color', format),
    dependencyColor: colourOf(flags, 'dependency-edge-color', format),
    shortNames: flags.on('short-node-name'),
    fragment: flags.text('dot-fragment'),
    // Scripts for Pulumi's command pass no format and expect its DOT.
    plain: isAlias(context) || flags.text('format') === undefined,
  };
  return withStack(context, flags, async ({ backend, id }) => {
    const { deployment } = await backend.read(id);
    const all = deployment === undefined ? [] : stackResources(deployment);
    const resources = format === 'dot' ? all : all.filter(isDrawn);
    const made = resourceGraph(resources, {
      parents: !flags.on('ignore-parent-edges'),
      dependencies: !flags.on('ignore-dependency-edges'),
    });
    const { text, note } = graphText(made, format, `Stack ${id.stack} of ${id.project}`, options);
    if (file === '-') context.stdout.write(text);
    else {
      await writeFile(path.resolve(context.cwd, file), text).catch((error: unknown) => {
        throw cairnError('CAIRN-USAGE', `cannot write ${file}`, { causes: [messageOf(error)] }, error);
      });
      context.stderr.write(`Wrote the graph to ${file}\n`);
    }
    if (note !== undefined) context.stderr.write(`${note}\n`);
    return EXIT.ok;
  });
};

const COLOURS = ['parent-edge-color', 'dependency-edge-color'] as const;

/** Returns the requested format, else that of the file. Throws CAIRN-USAGE for flags of another format. */
function formatOf(flags: Flags, byFile: GraphFormat | undefined): GraphFormat {
  const named = flags.text('format');
  const format = named === undefined ? (byFile ?? 'dot') : GRAPH_FORMATS.find((each) => each === named);
  if (format === undefined)
    throw cairnError(
      'CAIRN-USAGE',
      `--format takes ${GRAPH_FORMATS.join(', ')}, not ${JSON.stringify(named)}`,
    );
  const foreign = [
    ...(format !== 'dot' && flags.on('short-node-name') ? ['short-node-name'] : []),
    ...(format !== 'dot' && flags.text('dot-fragment') !== undefined ? ['dot-fragment'] : []),
    ...(format === 'mermaid' ? COLOURS.filter((name) => flags.text(name) !== undefined) : []),
  ][0];
  if (foreign !== undefined)
    throw cairnError('CAIRN-USAGE', `--${foreign} does not go with the format ${format}`, {
      hint: 'Leave it out, or write another format with --format.',
    });
  return format;
}

/** Returns a colour of edges. Colours of CSS are names and hexadecimal numbers; Graphviz has others, too. */
function colourOf(flags: Flags, name: string, format: GraphFormat): string | undefined {
  const colour = flags.text(name);
  if (colour === undefined || format === 'dot' || /^#?[0-9a-z]+$/i.test(colour)) return colour;
  throw cairnError('CAIRN-USAGE', `--${name} takes a name or a hexadecimal number such as #AA6639 here`, {
    hint: `In DOT it may be any colour of Graphviz.`,
  });
}

/** Returns the resources of a state, each with its known problems and outstanding work. */
function stackResources({ resources, pendingOperations }: SerializedDeployment): readonly GraphResource[] {
  const inDoubt = new Set(pendingOperations.map(({ resource }) => resource.urn));
  return resources.map((resource) => ({
    urn: resource.urn,
    type: shortType(resource.type),
    custom: resource.custom,
    refers: resource,
    mark: inDoubt.has(resource.urn) ? IN_DOUBT : standing(resource),
  }));
}

const IN_DOUBT: Mark = { tone: 'failed', glyph: '?', words: 'a step is in doubt' };

function standing({
  delete: isOld,
  pendingReplacement,
  taint,
  external,
}: SerializedResource): Mark | undefined {
  if (isOld === true) return { tone: 'delete', glyph: '-', words: 'still to be deleted' };
  if (pendingReplacement === true) return { tone: 'replace', glyph: '+', words: 'still to be created again' };
  if (taint === true) return { tone: 'replace', glyph: '+-', words: 'tainted' };
  return external === true ? { tone: 'read', glyph: '>', words: 'only read' } : undefined;
}
