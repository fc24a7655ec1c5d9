import { nearest } from '@cairn/diagnostics';
import { ProviderError } from '@cairn/wire';
import type { Capabilities, ProviderExtras } from '@cairn/wire';
import type { AnyComponent } from '../component-definition.js';
import type { AnyResourceDefinition } from '../definition.js';
import type { AnyFunction, OpenDefinition } from '../package-definition.js';
import { shapeSpec } from '../schema/property.js';
import type { ShapeSpec } from '../schema/property.js';
import { definedExtras } from './extras.js';
import { ResourceType } from './resource-type.js';

/** Types, components and functions of a definition by their full tokens. */
export class Catalogue {
  readonly definition: OpenDefinition;
  readonly configShape: ShapeSpec;
  readonly #types: ReadonlyMap<string, ResourceType>;
  /** Serves types that the definition does not list. */
  #openType: { readonly resource: AnyResourceDefinition; readonly type: ResourceType } | undefined;

  constructor(definition: OpenDefinition) {
    const { name, resources, config } = definition;
    this.definition = definition;
    this.configShape = shapeSpec(config ?? {});
    this.#types = new Map(
      Object.entries(resources).map(([token, resource]) => [
        `${name}:${token}`,
        new ResourceType(name, token, resource),
      ]),
    );
  }

  capabilities(): Capabilities {
    const { resources, components = {}, anyResource } = this.definition;
    const names = Object.values(resources).some(({ inputs }) =>
      Object.values(shapeSpec(inputs)).some(({ naming }) => naming !== undefined),
    );
    return {
      acceptSecrets: true,
      // Properties that are not checked would be stored with the references in them.
      acceptResources: anyResource === undefined,
      acceptOutputs: Object.keys(components).length > 0,
      supportsPreview: true,
      supportsAutonaming: names,
    };
  }

  extras(): ProviderExtras {
    return definedExtras(this.definition, this.#openType?.resource);
  }

  /** Makes the definition for types that are not listed, if there is one for this configuration. */
  async configure(config: Readonly<Record<string, unknown>>): Promise<void> {
    const { name, anyResource } = this.definition;
    const resource = await anyResource?.(config);
    this.#openType = resource && { resource, type: new ResourceType(name, '*', resource, true) };
  }

  typeOf(token: string): ResourceType {
    const type = this.#types.get(token) ?? this.#openType?.type;
    if (type === undefined) throw this.#unknown('resource type', token, [...this.#types.keys()]);
    return type;
  }

  functionOf(token: string): AnyFunction {
    const { functions = {} } = this.definition;
    const found = functions[this.#ownToken(token)];
    if (found === undefined) throw this.#unknown('function', token, this.#fullTokens(functions));
    return found;
  }

  /** Returns the component, or `undefined` if the token names none. */
  findComponent(token: string): AnyComponent | undefined {
    return this.definition.components?.[this.#ownToken(token)];
  }

  componentOf(token: string): AnyComponent {
    const found = this.findComponent(token);
    if (found !== undefined) return found;
    const { name, components = {} } = this.definition;
    const there = this.#fullTokens(components);
    throw unsupported(
      there.length === 0
        ? `package ${name} has no components`
        : `package ${name} has no component ${token}; it has ${there.join(', ')}`,
    );
  }

  #ownToken(token: string): string {
    return token.slice(this.definition.name.length + 1);
  }

  #fullTokens(own: object): readonly string[] {
    return Object.keys(own).map((token) => `${this.definition.name}:${token}`);
  }

  #unknown(what: string, token: string, there: readonly string[]): ProviderError {
    const { name, version } = this.definition;
    const close = nearest(token, there);
    const known = close === undefined ? `it has ${there.join(', ') || 'none'}` : `did you mean ${close}?`;
    return new ProviderError(
      'INVALID_ARGUMENT',
      `package ${name} ${version} has no ${what} ${token}; ${known}`,
    );
  }
}

/** Returns the error for a call that the definition does not support. */
export function unsupported(message: string): ProviderError {
  return new ProviderError('UNIMPLEMENTED', message);
}
