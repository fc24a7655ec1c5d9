import type { Node } from './node.js';
import type { Definitions } from './read-type.js';
import { tokenParts } from './token.js';

type Kind = 'object' | 'enum' | 'resource' | 'overlay';

/** Definitions of a schema, by token. */
export class SchemaDefinitions implements Definitions {
  readonly overlays: string[] = [];
  readonly references = new Set<string>();
  readonly #types = new Map<string, 'object' | 'enum' | 'overlay'>();
  readonly #resources = new Map<string, 'resource' | 'overlay'>();

  readonly package: string;

  constructor(root: Node, name: string) {
    this.package = name;
    for (const [token, node] of root.at('types').members()) {
      const kind = node.at('enum').present ? 'enum' : 'object';
      const found = this.#kind(token, node, kind);
      if (found !== undefined) this.#types.set(token, found);
    }
    for (const [token, node] of root.at('resources').members()) {
      const found = this.#kind(token, node, 'resource');
      if (found !== undefined) this.#resources.set(token, found);
    }
  }

  type(token: string) {
    const kind = this.#types.get(token);
    return kind === undefined ? undefined : { token, kind };
  }

  resource(token: string) {
    const kind = this.#resources.get(token);
    return kind === undefined ? undefined : { token, kind };
  }

  refers(name: string): void {
    this.references.add(name);
  }

  /** Decides if code is generated for a function. */
  isOwn(token: string, node: Node): boolean {
    return this.#kind(token, node, 'resource') === 'resource';
  }

  #kind<K extends Kind>(token: string, node: Node, kind: K): K | 'overlay' | undefined {
    if (!node.isObject()) return undefined;
    if (tokenParts(token) === undefined) {
      node.error(`"${token}" is not a token`, 'Use the form package:module:Name.');
      return undefined;
    }
    if (!node.at('isOverlay').flag()) return kind;
    this.overlays.push(token);
    return 'overlay';
  }
}
