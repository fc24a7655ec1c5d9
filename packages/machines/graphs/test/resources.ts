import type { GraphResource, Mark } from '../src/index.js';

/** Returns a URN for tests. */
export const urn = (name: string, type = 'a:b:C'): string => `urn:pulumi:dev::shop::${type}::${name}`;

/** Makes a resource for tests. `needs` and `parent` are names of others with the type `a:b:C`, or URNs. */
export function resource(
  name: string,
  options: {
    readonly needs?: readonly string[];
    readonly parent?: string;
    readonly component?: boolean;
    readonly type?: string;
    readonly mark?: Mark;
  } = {},
): GraphResource {
  const { needs = [], parent, component = false, type = 'a:b:C', mark } = options;
  const named = (each: string): string => (each.startsWith('urn:') ? each : urn(each));
  const refers = { parent: parent === undefined ? undefined : named(parent), dependencies: needs.map(named) };
  return { urn: urn(name, type), type, custom: !component, refers, mark };
}

export const CREATE: Mark = { tone: 'create', glyph: '+', words: 'create' };
export const SAME: Mark = { tone: 'same', glyph: '', words: 'unchanged' };

/** Makes resources in components of ten. Each needs some of those before it. */
export function manyResources(count: number): readonly GraphResource[] {
  return Array.from({ length: count }, (_, index) => {
    const type = `t:m:T${index % 7}`;
    const frame = Math.floor(index / 10) * 10;
    if (index === frame) return resource(`r${index}`, { component: true });
    const needs = [index - 1, index - 11].filter((each) => each > 0 && each % 10 !== 0);
    return resource(`r${index}`, {
      type,
      parent: urn(`r${frame}`),
      needs: needs.map((each) => urn(`r${each}`, `t:m:T${each % 7}`)),
    });
  });
}
