import { isResource } from '../resource/state.js';
import type { AnyResource } from '../resource/state.js';
import { isOutput, isPending, isThenable, sourceOf } from './brand.js';
import type { Source } from './brand.js';
import { isPlainObject, plainResolution, union } from './resolution.js';
import type { Resolution } from './resolution.js';

/**
 * Unwraps promises and outputs anywhere inside a value. Returns at once if nothing is pending. A secret or a dependency
 * anywhere inside applies to the whole. Resources remain as they are and count as dependencies.
 */
export function gather(value: unknown): Source {
  if (typeof value !== 'object' || value === null) return plainResolution(value);
  if (isOutput(value)) {
    const source = sourceOf(value);
    return isPending(source) ? source.then(inner) : inner(source);
  }
  if (isThenable(value)) return Promise.resolve(value).then(gather);
  if (isResource(value)) return { value, secret: false, dependencies: new Set([value]) };
  if (Array.isArray(value)) return gatherList(value, (items) => items);
  if (!isPlainObject(value)) return plainResolution(value);
  const keys = Object.keys(value);
  return gatherList(Object.values(value), (items) =>
    Object.fromEntries(keys.map((key, index) => [key, items[index]])),
  );
}

/** Unwraps outputs inside an output's value too. */
function inner(outer: Resolution): Source {
  if (typeof outer.value !== 'object' || outer.value === null) return outer;
  const found = gather(outer.value);
  return isPending(found) ? found.then((resolution) => merge(outer, resolution)) : merge(outer, found);
}

function merge(outer: Resolution, found: Resolution): Resolution {
  return {
    value: found.value,
    secret: outer.secret || found.secret,
    dependencies: union(outer.dependencies, found.dependencies),
  };
}

function gatherList(items: readonly unknown[], build: (values: readonly unknown[]) => unknown): Source {
  const sources = items.map(gather);
  if (sources.some(isPending)) {
    return Promise.all(sources).then((resolutions) => combine(resolutions, build));
  }
  return combine(sources as Resolution[], build);
}

function combine(parts: readonly Resolution[], build: (values: readonly unknown[]) => unknown): Resolution {
  let isSecret = false;
  let dependencies: Set<AnyResource> | undefined;
  for (const part of parts) {
    isSecret ||= part.secret;
    if (part.dependencies.size === 0) continue;
    dependencies ??= new Set();
    for (const resource of part.dependencies) dependencies.add(resource);
  }
  const value = build(parts.map((part) => part.value));
  return dependencies === undefined
    ? { ...plainResolution(value), secret: isSecret }
    : { value, secret: isSecret, dependencies };
}
