// A pool of lanes: as many side by side as there are slots, longest first.

/**
 * Runs every lane once, `run(lane)`, and returns their results in the order of their ends. A lane starts when the lanes
 * in its `after` have ended and `width` slots are free (1, or `all`). Longer ones start first, by `length(lane)` with
 * the lanes that wait for them. A lane that needs all slots waits for them, and shorter ones wait behind it.
 * `isFatal(result)`: lanes after it do not run. `skip(lane, cause)` makes the result of a lane that does not run.
 */
export async function runPool(lanes, { slots, length, run, isFatal, skip }) {
  const rank = ranks(lanes, length);
  const waiting = [...lanes].sort((a, b) => rank(b) - rank(a));
  const ended = new Map();
  const results = [];
  const running = new Set();
  let free = slots;
  const widthOf = (lane) => (lane.width === 'all' ? slots : Math.min(slots, lane.width ?? 1));
  const finish = (lane, result) => {
    ended.set(lane.name, result);
    results.push(result);
  };
  const fatalFor = (lane) => (lane.after ?? []).find((name) => ended.has(name) && isFatal(ended.get(name)));
  const isReady = (lane) => (lane.after ?? []).every((name) => ended.has(name));
  while (waiting.length > 0 || running.size > 0) {
    const ready = waiting.filter(isReady);
    const next = ready[0];
    if (next !== undefined && fatalFor(next) !== undefined) {
      waiting.splice(waiting.indexOf(next), 1);
      finish(next, skip(next, fatalFor(next)));
      continue;
    }
    if (next === undefined || widthOf(next) > free) {
      await Promise.race(running);
      continue;
    }
    waiting.splice(waiting.indexOf(next), 1);
    free -= widthOf(next);
    const one = run(next).then((result) => {
      free += widthOf(next);
      running.delete(one);
      finish(next, result);
    });
    running.add(one);
  }
  return results;
}

/** Length of a lane and of the longest row of lanes that wait for it. */
function ranks(lanes, length) {
  const known = new Map();
  const rank = (lane, above) => {
    if (above.includes(lane)) throw new Error('lanes wait for each other');
    if (!known.has(lane)) {
      const behind = lanes.filter(({ after = [] }) => after.includes(lane.name));
      known.set(lane, length(lane) + Math.max(0, ...behind.map((each) => rank(each, [...above, lane]))));
    }
    return known.get(lane);
  };
  return (lane) => rank(lane, []);
}
