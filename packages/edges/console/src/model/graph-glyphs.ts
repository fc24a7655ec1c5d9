import type { TaskRow } from './change-page.js';
import type { DrawnResource } from './graph.js';

/** Outlines of the shapes, in a square of 14 units. */
export const SHAPES = {
  circle: 'M7 1a6 6 0 1 1 0 12a6 6 0 1 1 0-12z',
  square: 'M2 2h10v10h-10z',
  diamond: 'M7 0l7 7l-7 7l-7-7z',
  triangle: 'M7 1l7 12h-14z',
  hexagon: 'M4 1h6l4 6l-4 6h-6l-4-6z',
} as const;

type Shape = keyof typeof SHAPES;

/** Sign of a resource in a graph. The shape, and the words beside it, say what the colour says. */
export interface Glyph {
  readonly shape: Shape;
  /** Name of a colour in `style.css`. */
  readonly tone: string;
  readonly words: string;
}

const TONES = ['create', 'update', 'replace', 'delete', 'link', 'doubt'] as const;
const NAMES = Object.keys(SHAPES) as readonly Shape[];

/** Returns the glyph of each type, the most frequent type first. The first 30 types have different ones. */
export function typeGlyphs(
  nodes: readonly DrawnResource[],
): ReadonlyMap<string, Glyph & { readonly count: number }> {
  const counts = new Map<string, number>();
  for (const { type } of nodes) counts.set(type, (counts.get(type) ?? 0) + 1);
  const sorted = [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  return new Map(
    sorted.map(([type, count], index) => {
      const shape = NAMES[index % NAMES.length] as Shape;
      const tone = TONES[(index + Math.floor(index / 30)) % TONES.length] as string;
      return [type, { shape, tone, words: type === '' ? 'no type' : type, count }];
    }),
  );
}

/** Sign of each tone of a task. */
const TASK_SIGNS: Readonly<Record<TaskRow['tone'], Omit<Glyph, 'words'>>> = {
  create: { shape: 'circle', tone: 'create' },
  update: { shape: 'diamond', tone: 'update' },
  delete: { shape: 'square', tone: 'delete' },
  replace: { shape: 'hexagon', tone: 'replace' },
  same: { shape: 'circle', tone: 'quiet' },
  failed: { shape: 'triangle', tone: 'delete' },
  doubt: { shape: 'triangle', tone: 'doubt' },
};

/** Returns the glyphs of the resources that a change has tasks for, by URN. The last task of a resource counts. */
export function taskGlyphs(tasks: readonly TaskRow[]): ReadonlyMap<string, Glyph> {
  return new Map(
    tasks.flatMap(({ urn, tone, words }) =>
      urn === undefined ? [] : [[urn, { ...TASK_SIGNS[tone], words }]],
    ),
  );
}

/** Glyph of a resource that a change has no task for. */
export const NO_TASK: Glyph = { shape: 'circle', tone: 'quiet', words: 'no step' };
