import { foldGraph } from '../fold.js';
import type { GraphBox, Drawing } from '../fold.js';
import { framesOf } from '../graph.js';
import type { Graph, GraphNode, Mark } from '../graph.js';
import { markup } from '../markup.js';
import type { Markup } from '../markup.js';
import { svgElement } from '../svg.js';
import { TONE_NAMES } from '../tones.js';

/** Number of resources above which frames are closed in the list. */
const MOST_OPEN = 300;

/** Draws a graph. If it is too large for one drawing, each folded part gets one of its own. Boxes link to the list. */
export function graphSection(graph: Graph): Markup {
  const [whole, ...parts] = foldGraph(graph);
  if (whole === undefined || whole.boxes.length === 0)
    return markup`<h2>Graph</h2><p>There are no resources.</p>`;
  return markup`<section aria-labelledby="graph"><h2 id="graph">Graph</h2>
${legend(graph)}
<div class="tools" hidden data-for="graph"><button type="button" aria-pressed="false">Fit to the width</button></div>
<div class="drawing" tabindex="0" role="region" aria-label="Drawing of the graph">${svgOf(whole)}</div>
${partsOf(parts)}</section>`;
}

function partsOf(parts: readonly Drawing[]): Markup | undefined {
  if (parts.length === 0) return undefined;
  return markup`<details><summary>Drawings of ${parts.length} folded parts</summary>
${parts.map(
  (
    drawing,
  ) => markup`<details id="s${drawing.number}"><summary>${drawing.title} <span class="type">${drawing.boxes.length} boxes</span></summary><div class="drawing" tabindex="0" role="region" aria-label="${drawing.title}">${svgOf(drawing)}</div></details>
`,
)}</details>`;
}

function svgOf(drawing: Drawing): Markup {
  return svgElement(drawing, { linkOf });
}

function linkOf({ node, drawing }: GraphBox): string | undefined {
  if (drawing !== undefined) return `#s${drawing}`;
  return node === undefined ? undefined : `#r${node}`;
}

/** Explains the signs and colours of the graph. */
function legend(graph: Graph): Markup | undefined {
  const marks = new Map<string, Mark>();
  for (const { mark } of graph.nodes) if (mark !== undefined && mark.words !== '') marks.set(mark.tone, mark);
  const kinds = new Set(graph.edges.map(({ kind }) => kind));
  if (marks.size === 0 && kinds.size === 0) return undefined;
  return markup`<ul class="legend">${TONE_NAMES.flatMap((tone) => marks.get(tone) ?? []).map((mark) => markup`<li>${chip(mark)}</li>`)}${
    kinds.has('dependency') ? markup`<li>→ from what is needed to what needs it</li>` : undefined
  }${kinds.has('parent') ? markup`<li>⇢ from a parent to its child</li>` : undefined}</ul>`;
}

/** Shows the sign and words of a change in its colour. */
export function chip({ tone, glyph, words }: Mark): Markup {
  return markup`<span class="chip ${tone}">${`${glyph} ${words}`.trim()}</span>`;
}

/**
 * Lists every resource below its component, with its URN and its dependencies. `more` adds content to single resources.
 */
export function resourceSection(
  graph: Graph,
  more: (node: GraphNode) => Markup | undefined = () => undefined,
): Markup {
  const frames = framesOf(graph);
  const needs = new Map<number, Graph['edges'][number][]>();
  for (const edge of graph.edges) {
    if (edge.kind === 'parent') continue;
    const known = needs.get(edge.to);
    if (known === undefined) needs.set(edge.to, [edge]);
    else known.push(edge);
  }
  const isOpen = graph.nodes.length <= MOST_OPEN;
  return markup`<section aria-labelledby="resources-title"><h2 id="resources-title">Resources</h2>
<div class="tools" hidden data-for="resources"><input type="search" placeholder="Filter" aria-label="Filter resources"> <button type="button">Unfold all</button> <button type="button">Fold all</button></div>
<ul class="tree" id="resources">${items(undefined)}</ul></section>`;

  function items(frame: number | undefined): readonly Markup[] {
    return (frames.get(frame) ?? []).map((index) => {
      const node = graph.nodes[index] as GraphNode;
      const isFrame = frames.has(index);
      const inside = isFrame ? markup`<ul>${items(index)}</ul>` : undefined;
      const opened = isFrame && isOpen ? markup` open` : undefined;
      return markup`<li id="r${index}"><details${opened}><summary>${node.mark === undefined || node.mark.words === '' ? undefined : markup`${chip(node.mark)} `}<b>${node.name}</b> <span class="type">${node.type}</span></summary>${details(node)}${inside}</details></li>
`;
    });
  }

  function details(node: GraphNode): Markup {
    const links = (needs.get(node.index) ?? []).map(({ from, keys }) => {
      const other = graph.nodes[from] as GraphNode;
      const names = keys.length === 0 ? '' : ` (${keys.join(', ')})`;
      return markup`<div><a href="#r${from}">${other.name}</a> <span class="type">${other.type}</span>${names}</div>`;
    });
    return markup`<dl><dt>URN</dt><dd>${node.urn}</dd>${links.length === 0 ? undefined : markup`<dt>Needs</dt><dd>${links}</dd>`}</dl>${more(node)}`;
  }
}
