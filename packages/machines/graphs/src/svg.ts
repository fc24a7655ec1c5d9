import type { BoxEdge, Drawing } from './fold.js';
import { layOut } from './layout/layout.js';
import { MEASURES } from './layout/layout.js';
import type { PlacedBox } from './layout/layout.js';
import { Markup, markup } from './markup.js';
import { EDGE_COLOURS, TONES, TONE_NAMES } from './tones.js';

/** Options of a drawing. */
interface SvgOptions {
  /** Returns the address within the page to which a box links. Without it boxes are not links. */
  readonly linkOf?: ((box: PlacedBox['box']) => string | undefined) | undefined;
}

/** Draws a drawing as an element for a page that has {@link SVG_STYLE}. */
export function svgElement(drawing: Drawing, { linkOf }: SvgOptions = {}): Markup {
  const { width, height, boxes, edges } = layOut(drawing);
  const { number } = drawing;
  const places = new Map(boxes.map((placed) => [placed.box.id, placed]));
  const title = drawing.title === '' ? 'Graph of resources' : `Resources of ${drawing.title}`;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="group" aria-label="${title}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" data-drawing="${number}">
<defs>${(['dependency', 'parent'] as const).map(
    (kind) =>
      markup`<marker id="${kind}-${number}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip ${kind}" d="M0 0 8 4 0 8z"/></marker>`,
  )}</defs>
${boxes.filter(({ box }) => box.open).map((placed) => frameElement(placed, linkOf))}
${edges.map((edge) => edgeElement(edge, places, number))}
${boxes.filter(({ box }) => !box.open).map((placed) => boxElement(placed, linkOf))}
</svg>`;
}

/** Draws a drawing as a file of its own. */
export function svgDocument(drawing: Drawing, colours: EdgeColours = {}): string {
  const style = new Markup(
    `<style>${paletteStyle(colours)}${SVG_STYLE}.graph{background:var(--ground)}</style>`,
  );
  const { text } = svgElement(drawing);
  const end = text.indexOf('>') + 1;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text.slice(0, end)}\n${style.text}${text.slice(end)}\n`;
}

/** Colours of edges, in the notation of CSS. */
export interface EdgeColours {
  readonly parent?: string | undefined;
  readonly dependency?: string | undefined;
}

/** Style of the drawings; colours are those of {@link paletteStyle}. */
export const SVG_STYLE = [
  '.graph{font-family:system-ui,sans-serif;max-width:none}',
  '.graph text{fill:var(--text)}',
  `.graph .name{font-size:${MEASURES.nameSize}px;font-weight:600}`,
  `.graph .type{font-size:${MEASURES.typeSize}px;fill:var(--faint)}`,
  '.graph rect{fill:var(--area);stroke:var(--line);stroke-width:1.4}',
  '.graph .frame>a>rect,.graph .frame>rect{fill-opacity:.35;stroke-dasharray:none}',
  '.graph .edge{fill:none;stroke-width:1.3;stroke-opacity:.75}',
  '.graph .edge.dependency{stroke:var(--dependency)}.graph .tip.dependency{fill:var(--dependency)}',
  '.graph .edge.parent{stroke:var(--parent);stroke-dasharray:4 3}.graph .tip.parent{fill:var(--parent)}',
  ...TONE_NAMES.map((tone) => `.${tone}{--line:var(--${tone}-line);--area:var(--${tone}-area)}`),
].join('\n');

/** Returns colours as properties of CSS, for light and dark grounds. */
export function paletteStyle({ parent, dependency }: EdgeColours = {}): string {
  const tones = (ground: 'light' | 'dark'): string =>
    TONE_NAMES.map((tone) => {
      const { line, area } = TONES[tone][ground];
      return `--${tone}-line:${line};--${tone}-area:${area};`;
    }).join('');
  const edges = (parentColour: string, dependencyColour: string): string =>
    `--parent:${parent ?? parentColour};--dependency:${dependency ?? dependencyColour};`;
  return `:root{color-scheme:light dark;--ground:#fff;--text:#1f2328;--faint:#59636e;--rule:#d1d9e0;--link:#0969da;${edges(EDGE_COLOURS.parent, EDGE_COLOURS.dependency)}${tones('light')}}
@media (prefers-color-scheme:dark){:root{--ground:#0d1117;--text:#f0f6fc;--faint:#9198a1;--rule:#3d444d;--link:#4493f8;${edges('#d9985f', '#56b3a4')}${tones('dark')}}}
`;
}

const coordinate = (value: number): number => Math.round(value * 10) / 10;

function frameElement(placed: PlacedBox, linkOf: SvgOptions['linkOf']): Markup {
  const { box, x, y, width, height, name, type } = placed;
  const left = coordinate(x + MEASURES.padding);
  const shape = markup`<title>${titleOf(placed)}</title><rect x="${coordinate(x)}" y="${coordinate(y)}" width="${coordinate(width)}" height="${coordinate(height)}" rx="8"/><text x="${left}" y="${coordinate(y + 20)}"><tspan class="name">${name}</tspan><tspan class="type" dx="8">${type}</tspan></text>`;
  return markup`<g class="frame ${toneOf(placed)}" data-box="${box.id}"${insideAttribute(box)}>${linked(shape, linkOf?.(box))}</g>
`;
}

function boxElement(placed: PlacedBox, linkOf: SvgOptions['linkOf']): Markup {
  const { box, x, y, width, height, name, type } = placed;
  const at = [coordinate(x), coordinate(y), coordinate(width), coordinate(height)] as const;
  const left = coordinate(x + MEASURES.padding);
  const pile =
    box.folded === 0
      ? undefined
      : markup`<rect x="${at[0] + 4}" y="${at[1] + 4}" width="${at[2]}" height="${at[3]}" rx="6"/>`;
  const shape = markup`<title>${titleOf(placed)}</title>${pile}<rect x="${at[0]}" y="${at[1]}" width="${at[2]}" height="${at[3]}" rx="6"/><text class="name" x="${left}" y="${coordinate(y + 18)}">${name}</text><text class="type" x="${left}" y="${coordinate(y + 33)}">${type}</text>`;
  return markup`<g class="box ${toneOf(placed)}" data-box="${box.id}"${insideAttribute(box)}>${linked(shape, linkOf?.(box))}</g>
`;
}

function insideAttribute({ inside }: PlacedBox['box']): Markup | undefined {
  return inside === undefined ? undefined : markup` data-inside="${inside}"`;
}

function linked(shape: Markup, address: string | undefined): Markup {
  return address === undefined ? shape : markup`<a href="${address}">${shape}</a>`;
}

/**
 * Returns the tone of a box. A folded box without a tone of its own has the one of its contents, or `update` if those
 * have several.
 */
function toneOf({ box: { mark, tones } }: PlacedBox): string {
  const own = mark?.tone ?? 'same';
  if (own !== 'same') return own;
  const inside = TONE_NAMES.filter((tone) => tone !== 'same' && tones.has(tone));
  return inside.length === 0 ? own : inside.length === 1 ? (inside[0] ?? own) : 'update';
}

function titleOf({ box }: PlacedBox): string {
  const { name, type, mark, folded, tones } = box;
  const counts = [...tones].map(([tone, count]) => `${count} ${tone}`);
  return [
    `${name}${type === '' ? '' : ` (${type})`}`,
    ...(mark === undefined || mark.words === '' ? [] : [mark.words]),
    ...(folded === 0 ? [] : [`${folded} inside${counts.length === 0 ? '' : `: ${counts.join(', ')}`}`]),
  ].join('\n');
}

/** Draws a curve from the right side of a box to the left side of another. At frames it ends beside the title. */
function edgeElement(edge: BoxEdge, places: ReadonlyMap<number, PlacedBox>, drawing: number): Markup {
  const start = places.get(edge.from) as PlacedBox;
  const end = places.get(edge.to) as PlacedBox;
  const [x1, y1] = [coordinate(start.x + start.width), coordinate(middle(start))];
  const [x2, y2] = [coordinate(end.x), coordinate(middle(end))];
  const bend = coordinate(Math.max(30, Math.abs(x2 - x1) / 2));
  const keys = edge.keys.length === 0 ? '' : `: ${edge.keys.join(', ')}`;
  const count = edge.count > 1 ? ` (${edge.count})` : '';
  return markup`<path class="edge ${edge.kind}" data-from="${edge.from}" data-to="${edge.to}" marker-end="url(#${edge.kind}-${drawing})" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"><title>${start.box.name} → ${end.box.name}${count}${keys}</title></path>
`;
}

function middle({ box, y, height }: PlacedBox): number {
  return box.open ? y + MEASURES.frameHead / 2 : y + height / 2;
}
