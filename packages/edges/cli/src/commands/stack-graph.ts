import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import { GRAPH_FORMATS, formatOfFile, graphText, isDrawn, resourceGraph } from '@cairn/graphs';
import type { GraphFormat, GraphResource, Mark } from '@cairn/graphs';
import type { SerializedDeployment, SerializedResource } from '@cairn/state';
import type { Command } from '../command-spec.js';
import { firstGiven } from '../flags/flag-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import { shortType } from '../display/short-type.js';
import { withStackForFlags } from '../flows/open-stack.js';
import { isAlias } from '../terminal/called-as.js';

/** `stack graph` */
export const graph: Command<
  Texts<'dotFragment' | 'format'> &
    Switches<'ignoreDependencyEdges' | 'ignoreParentEdges' | 'shortNodeName'> &
    Texts<Colour>
> = ({ args: [file = ''], flags }, context) => {
  const format = formatOf(flags, isAlias(context) ? undefined : formatOfFile(file));
  const options = {
    parentColor: colourOf(flags, 'parentEdgeColor', format),
    dependencyColor: colourOf(flags, 'dependencyEdgeColor', format),
    shortNames: flags.shortNodeName,
    fragment: flags.dotFragment,
    // Scripts for Pulumi's command pass no format and expect its DOT.
    plain: isAlias(context) || flags.format === undefined,
  };
  return withStackForFlags(context, flags, async ({ backend, id }) => {
    const { deployment } = await backend.read(id);
    const all = deployment === undefined ? [] : stackResources(deployment);
    const resources = format === 'dot' ? all : all.filter(isDrawn);
    const made = resourceGraph(resources, {
      parents: !flags.ignoreParentEdges,
      dependencies: !flags.ignoreDependencyEdges,
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

/** Flags with a colour of edges. */
type Colour = 'parentEdgeColor' | 'dependencyEdgeColor';

/** Returns the requested format, else that of the file. Throws CAIRN-USAGE for flags of another format. */
function formatOf(
  flags: Texts<'dotFragment' | 'format'> & Switches<'shortNodeName'> & Texts<Colour>,
  byFile: GraphFormat | undefined,
): GraphFormat {
  const named = flags.format;
  const format = named === undefined ? (byFile ?? 'dot') : GRAPH_FORMATS.find((each) => each === named);
  if (format === undefined)
    throw cairnError(
      'CAIRN-USAGE',
      `--format takes ${GRAPH_FORMATS.join(', ')}, not ${JSON.stringify(named)}`,
    );
  const foreign =
    (format === 'dot' ? undefined : firstGiven(flags, ['shortNodeName', 'dotFragment'])) ??
    (format === 'mermaid' ? firstGiven(flags, ['parentEdgeColor', 'dependencyEdgeColor']) : undefined);
  if (foreign !== undefined)
    throw cairnError('CAIRN-USAGE', `--${foreign} cannot be used with the format ${format}`, {
      hint: 'Leave it out, or write another format with --format.',
    });
  return format;
}

/** Returns a colour of edges. Colours of CSS are names and hexadecimal numbers; Graphviz has others, too. */
function colourOf(flags: Texts<Colour>, name: Colour, format: GraphFormat): string | undefined {
  const colour = flags[name];
  if (colour === undefined || format === 'dot' || /^#?[0-9a-z]+$/i.test(colour)) return colour;
  throw cairnError(
    'CAIRN-USAGE',
    `--${firstGiven(flags, [name])} takes a name or a hexadecimal number such as #AA6639 here`,
    {
      hint: `For other colours of Graphviz, use --format dot.`,
    },
  );
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
