/** Graphs of resources: a model, its layout, and DOT, Mermaid, SVG and HTML of it. */
export { foldGraph } from './fold.js';
export type { Drawing } from './fold.js';
export { GRAPH_FORMATS, formatOfFile, graphText } from './formats.js';
export type { GraphFormat } from './formats.js';
export type { Graph, Mark, Tone } from './graph.js';
export { htmlPage } from './html/page.js';
export { chip, graphSection, resourceSection } from './html/sections.js';
export { layOut } from './layout/layout.js';
export { cutText } from './layout/text-size.js';
export { Markup, markup } from './markup.js';
export { mermaidText } from './mermaid.js';
export { isDrawn, resourceGraph } from './resource-graph.js';
export type { EdgeChoice, GraphResource } from './resource-graph.js';
