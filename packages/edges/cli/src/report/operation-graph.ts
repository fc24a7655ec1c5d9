import type { StepKind } from '@cairn/engine';
import { isDrawn, resourceGraph } from '@cairn/graphs';
import type { Graph, Mark, Tone } from '@cairn/graphs';
import { glyphOf, statusText } from '../display/rows.js';
import type { Row } from '../display/rows.js';
import { shortType } from '../display/short-type.js';

/** Returns the resources of an operation, each in the colour of its step. */
export function operationGraph(rows: Iterable<Row>): Graph {
  const resources = [...rows].map((row) => {
    const { urn, type, step } = row;
    const entry = step.new ?? step.old;
    return {
      urn,
      type: shortType(type),
      custom: entry?.custom ?? true,
      refers: entry ?? {},
      mark: markOf(row),
    };
  });
  return resourceGraph(resources.filter(isDrawn));
}

/** Returns colour, sign and words of a resource's step, as on the terminal. */
export function markOf(row: Row): Mark {
  const tone = row.status === 'failed' ? 'failed' : row.kept === undefined ? STEP_TONES[row.kind] : 'update';
  const words = row.inDoubt ? 'in doubt' : statusText(row).replaceAll('**', '');
  return { tone, glyph: row.inDoubt ? '?' : glyphOf(row).trim(), words };
}

/** Colour of each kind of step. */
export const STEP_TONES: Readonly<Record<StepKind, Tone>> = {
  same: 'same',
  create: 'create',
  update: 'update',
  delete: 'delete',
  replace: 'replace',
  'create-replacement': 'replace',
  'delete-replaced': 'replace',
  read: 'read',
  'read-replacement': 'replace',
  'read-discard': 'read',
  'discard-replaced': 'read',
  refresh: 'same',
  import: 'create',
  'import-replacement': 'replace',
  'remove-pending-replace': 'read',
};
