/** Arrows between items, by index. */
export type Arrow = readonly [from: number, to: number];

/**
 * Splits items into layers. Each item comes after all that it needs, and as close as possible to the items that need
 * it. An arrow of a circle leads back. Items without arrows are in no layer. O(items + arrows).
 */
export function layersOf(count: number, arrows: readonly Arrow[]): readonly (readonly number[])[] {
  const { after, before } = neighbours(count, arrows);
  const open = before.map((needs) => needs.length);
  const layer = new Array<number>(count).fill(0);
  const isPlaced = new Array<boolean>(count).fill(false);
  const ready = [...before.keys()].filter((item) => open[item] === 0);
  let next = 0;
  for (let at = 0; at < count; at++) {
    // Only circles are left: the first item that is not placed begins.
    while (at >= ready.length) {
      if (isPlaced[next] === false && open[next] !== 0) {
        open[next] = 0;
        ready.push(next);
      }
      next += 1;
    }
    const item = ready[at] as number;
    isPlaced[item] = true;
    for (const other of after[item] ?? []) {
      if (open[other] === 0) continue;
      layer[other] = Math.max(layer[other] ?? 0, (layer[item] ?? 0) + 1);
      open[other] = (open[other] ?? 0) - 1;
      if (open[other] === 0) ready.push(other);
    }
  }
  const layers: number[][] = [];
  for (let item = 0; item < count; item++) {
    const needers = after[item] ?? [];
    const isSource = before[item]?.length === 0;
    if (isSource && needers.length === 0) continue;
    const own = isSource ? Math.max(0, smallest(needers.map((other) => layer[other] ?? 0)) - 1) : layer[item];
    (layers[own ?? 0] ??= []).push(item);
  }
  return layers.filter((items) => items !== undefined);
}

/** Returns the smallest number. A loop, because there may be more numbers than a call can have arguments. */
function smallest(numbers: readonly number[]): number {
  return numbers.reduce((least, each) => Math.min(least, each), Infinity);
}

/** Number of sweeps over all layers: the first from the left, the second from the right, and so on. */
const SWEEPS = 4;

/** Orders the items of each layer by the middle of their neighbours in adjacent layers, so that fewer arrows cross. */
export function orderLayers(
  layers: readonly (readonly number[])[],
  count: number,
  arrows: readonly Arrow[],
): readonly (readonly number[])[] {
  const { after, before } = neighbours(count, arrows);
  const place = new Array<number>(count).fill(0);
  const note = (items: readonly number[]): void =>
    items.forEach((item, index) => {
      place[item] = (index + 0.5) / items.length;
    });
  layers.forEach(note);
  let ordered = layers;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const around = sweep % 2 === 0 ? before : after;
    const inTurn = sweep % 2 === 0 ? ordered : ordered.toReversed();
    const done = inTurn.map((items) => {
      const middles = new Map(items.map((item) => [item, middleOf(around[item] ?? [], place, item)]));
      const sorted = items.toSorted((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0) || a - b);
      note(sorted);
      return sorted;
    });
    ordered = sweep % 2 === 0 ? done : done.toReversed();
  }
  return ordered;
}

function middleOf(around: readonly number[], place: readonly number[], item: number): number {
  if (around.length === 0) return place[item] ?? 0;
  return around.reduce((sum, other) => sum + (place[other] ?? 0), 0) / around.length;
}

function neighbours(
  count: number,
  arrows: readonly Arrow[],
): { readonly after: readonly number[][]; readonly before: readonly number[][] } {
  const after = Array.from({ length: count }, (): number[] => []);
  const before = Array.from({ length: count }, (): number[] => []);
  for (const [from, to] of arrows) {
    after[from]?.push(to);
    before[to]?.push(from);
  }
  return { after, before };
}
