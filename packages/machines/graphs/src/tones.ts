import type { Tone } from './graph.js';

/** Colours of a tone: that of the line, and that of the area behind texts. */
interface Colours {
  readonly line: string;
  readonly area: string;
}

/** Colours on light and on dark ground; texts on either area have a contrast of at least 4.5. */
export const TONES: Readonly<Record<Tone, { readonly light: Colours; readonly dark: Colours }>> = {
  same: { light: { line: '#8c959f', area: '#f6f8fa' }, dark: { line: '#6e7681', area: '#21262d' } },
  create: { light: { line: '#1a7f37', area: '#dafbe1' }, dark: { line: '#3fb950', area: '#0f2d19' } },
  update: { light: { line: '#9a6700', area: '#fff8c5' }, dark: { line: '#d29922', area: '#332405' } },
  replace: { light: { line: '#8250df', area: '#fbefff' }, dark: { line: '#a371f7', area: '#2b1e47' } },
  delete: { light: { line: '#cf222e', area: '#ffebe9' }, dark: { line: '#f85149', area: '#3c1316' } },
  read: { light: { line: '#0969da', area: '#ddf4ff' }, dark: { line: '#58a6ff', area: '#0c2d5b' } },
  failed: { light: { line: '#82071e', area: '#ffcecb' }, dark: { line: '#ff7b72', area: '#67060c' } },
};

/** Names of the tones, in the order of legends. */
export const TONE_NAMES = Object.keys(TONES) as readonly Tone[];

/** Default colours of edges, those of the DOT of Pulumi. */
export const EDGE_COLOURS = { parent: '#AA6639', dependency: '#246C60' } as const;
