import { fail } from '@cairn/diagnostics';

/** Version of a document: its format, and additions within it. */
export interface PatchLevel {
  readonly level: number;
  readonly sublevel: number;
}

/** Brings a document one step forward. It must not change its argument. */
export type Patch<D> = (document: D) => D;

/** Patches by level. The first of a level leads to it (sublevel 0); the others add to it. */
export type Patches<D> = ReadonlyMap<number, readonly Patch<D>[]>;

/** Returns the highest level that the code supports, with its highest sublevel. Without patches it is 1.0. */
export function highestLevel<D>(patches: Patches<D>): PatchLevel {
  const level = Math.max(1, ...patches.keys());
  return { level, sublevel: Math.max(0, (patches.get(level)?.length ?? 1) - 1) };
}

/**
 * Brings the document forward to the level of the code, step by step. `onStep` is called after each step, so that a run
 * after a crash continues after the last stored one [CHG-6]. A document of a later level is refused; one of a later
 * sublevel remains as it is.
 */
export async function applyPatches<D>(
  document: D,
  from: PatchLevel,
  patches: Patches<D>,
  onStep: (document: D, at: PatchLevel) => void | Promise<void> = () => undefined,
): Promise<{ readonly document: D; readonly at: PatchLevel }> {
  const highest = highestLevel(patches);
  if (from.level > highest.level) {
    fail(
      'CAIRN-STATE-TOO-NEW',
      `cannot downgrade: Cairn is too old for the current state (patch level ${from.level})`,
      {
        hint: 'Upgrade Cairn to the version that last used this state.',
      },
    );
  }
  let at = from;
  let patched = document;
  for (const step of stepsFrom(from, highest)) {
    const patch = patches.get(step.level)?.[step.sublevel];
    if (patch === undefined) {
      fail(
        'CAIRN-STATE-TOO-OLD',
        `cannot upgrade: Cairn is too new for the current state (patch level ${at.level})`,
        {
          hint: 'Use an earlier version of Cairn first, which still knows this state.',
        },
      );
    }
    patched = patch(patched);
    at = step;
    await onStep(patched, at);
  }
  if (at.level === highest.level && at.sublevel > highest.sublevel) at = highest;
  return { document: patched, at };

  function stepsFrom(start: PatchLevel, end: PatchLevel): readonly PatchLevel[] {
    const steps: PatchLevel[] = [];
    for (let level = start.level; level <= end.level; level += 1) {
      const last = (patches.get(level)?.length ?? 1) - 1;
      const first = level === start.level ? start.sublevel + 1 : 0;
      for (let sublevel = first; sublevel <= last || (sublevel === 0 && level > start.level); sublevel += 1)
        steps.push({ level, sublevel });
    }
    return steps;
  }
}
