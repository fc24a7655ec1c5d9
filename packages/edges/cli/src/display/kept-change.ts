import { ROOT_STACK_TYPE, urnName, urnType } from '@cairn/addresses';
import type { StepView } from '@cairn/engine';
import type { Paint } from '../terminal/paint.js';

/** Changes to a resource whose object stays the same. */
export type KeptChange = 'moved' | 'protected' | 'unprotected';

/** Display of each: its mark, the words for the plan and for completion, and the name of its colour. */
export const KEPT_CHANGES = {
  moved: { glyph: '=>', plan: 'move', done: 'moved', colour: 'cyan' },
  protected: { glyph: '~ ', plan: 'protect', done: 'protected', colour: 'yellow' },
  unprotected: { glyph: '~ ', plan: 'unprotect', done: 'no longer protected', colour: 'yellow' },
} as const satisfies Record<
  KeptChange,
  {
    readonly glyph: string;
    readonly plan: string;
    readonly done: string;
    readonly colour: keyof Paint;
  }
>;

/**
 * Returns the change made by a step that leaves the object as it is. Returns undefined if there is none, or for another
 * step.
 */
export function keptChange({ kind, old, new: news }: StepView): KeptChange | undefined {
  if (kind !== 'same' || old === undefined || news === undefined) return undefined;
  if (old.urn !== news.urn) return 'moved';
  if (old.protect === news.protect) return undefined;
  return news.protect ? 'protected' : 'unprotected';
}

/** Describes the previous place of a resource; empty if it did not move. */
export function movedFrom({ old, new: news }: Pick<StepView, 'old' | 'new'>): string {
  if (old === undefined || news === undefined || old.urn === news.urn) return '';
  if (urnName(old.urn) !== urnName(news.urn)) return `was ${urnName(old.urn)}`;
  if (old.parent === news.parent) return `was ${old.urn}`;
  return old.parent === undefined || urnType(old.parent) === ROOT_STACK_TYPE
    ? 'was below the stack'
    : `was below ${urnName(old.parent)}`;
}
