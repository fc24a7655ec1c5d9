import { foldGraph } from './fold.js';
import type { Graph } from './graph.js';
import { dotText } from './dot.js';
import type { DotOptions } from './dot.js';
import { htmlPage } from './html/page.js';
import { graphSection, resourceSection } from './html/sections.js';
import { markup } from './markup.js';
import { MERMAID_LIMITS, mermaidText } from './mermaid.js';
import { svgDocument } from './svg.js';

/** Formats in which a graph can be written. */
export const GRAPH_FORMATS = ['dot', 'mermaid', 'svg', 'html'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

const BY_ENDING: Readonly<Record<string, GraphFormat>> = {
  dot: 'dot',
  gv: 'dot',
  mmd: 'mermaid',
  mermaid: 'mermaid',
  svg: 'svg',
  html: 'html',
  htm: 'html',
};

/** Returns the format that the extension of a file names, if any. */
export function formatOfFile(file: string): GraphFormat | undefined {
  const ending = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
}

/** A graph as the text of a file. */
interface GraphText {
  readonly text: string;
  /** A sentence that the reader should know about it, if any. */
  readonly note: string | undefined;
}

/** Writes a graph in a format. `title` appears above the drawing, where the format has one. */
export function graphText(
  graph: Graph,
  format: GraphFormat,
  title: string,
  options: DotOptions = {},
): GraphText {
  const colours = { parent: options.parentColor, dependency: options.dependencyColor };
  switch (format) {
    case 'dot':
      return { text: dotText(graph, options), note: undefined };
    case 'mermaid': {
      const text = mermaidText(graph);
      const { characters, edges } = MERMAID_LIMITS;
      const isLarge = text.length > characters || graph.edges.length > edges;
      const note = `Mermaid draws at most ${edges} edges and ${characters} characters by default; SVG and HTML have no such limit`;
      return { text, note: isLarge ? note : undefined };
    }
    case 'svg': {
      const drawings = foldGraph(graph);
      const [whole = EMPTY_DRAWING] = drawings;
      const note = `Resources are folded, because they are too many for one drawing; HTML has a drawing of each part`;
      return { text: svgDocument(whole, colours), note: drawings.length > 1 ? note : undefined };
    }
    case 'html': {
      const facts = markup`<ul class="facts"><li><b>${graph.nodes.length}</b> resources</li><li><b>${graph.edges.length}</b> edges</li></ul>`;
      const body = [facts, graphSection(graph), resourceSection(graph)];
      return { text: htmlPage({ title, body, colours }), note: undefined };
    }
  }
}

const EMPTY_DRAWING = { number: 0, title: '', boxes: [], edges: [] } as const;
