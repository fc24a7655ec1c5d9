import { visibleName } from '@cairn/diagnostics';
import { framesOf } from './graph.js';
import type { Graph, GraphNode } from './graph.js';
import { TONES, TONE_NAMES } from './tones.js';

/** Limits of Mermaid as GitHub and GitLab run it. */
export const MERMAID_LIMITS = { characters: 50_000, edges: 500 } as const;

/** Writes a graph in the language of Mermaid, for Markdown: a box per resource, a subgraph per component. */
export function mermaidText(graph: Graph): string {
  const frames = framesOf(graph);
  const used = TONE_NAMES.map((tone) => ({
    tone,
    ids: graph.nodes.filter(({ mark }) => mark?.tone === tone).map(({ index }) => `n${index}`),
  })).filter(({ ids }) => ids.length > 0);
  const lines = [
    ...boxLines(undefined),
    ...graph.edges.map(({ from, to, kind }) => `n${from} ${kind === 'parent' ? '-.->' : '-->'} n${to}`),
    ...used.flatMap(({ tone, ids }) => {
      const { line, area } = TONES[tone].light;
      return [
        `classDef ${tone}Step fill:${area},stroke:${line},color:#1f2328`,
        `class ${ids.join(',')} ${tone}Step`,
      ];
    }),
  ];
  return `flowchart LR\n${lines.map((line) => `  ${line}\n`).join('')}`;

  function boxLines(frame: number | undefined): readonly string[] {
    return (frames.get(frame) ?? []).flatMap((index) => {
      const node = graph.nodes[index] as GraphNode;
      if (!frames.has(index)) return [`n${index}["${label(node)}"]`];
      return [`subgraph n${index} ["${label(node)}"]`, ...boxLines(index).map((line) => `  ${line}`), 'end'];
    });
  }
}

/** Returns type, name and change. The type comes first because names may look like a list of Markdown. */
function label({ type, name, mark }: GraphNode): string {
  const fate = mark === undefined || mark.words === '' ? [] : [`${mark.glyph} ${mark.words}`.trim()];
  return [type, name, ...fate].map(escaped).join('<br/>');
}

/** Writes everything but letters, digits and a few signs as a code of Mermaid's. */
function escaped(text: string): string {
  return visibleName(text).replace(/[^\p{L}\p{N} _.:/-]/gu, (found) => `#${found.codePointAt(0)};`);
}
