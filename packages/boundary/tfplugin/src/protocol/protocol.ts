import { ProviderDefinition as Provider5 } from '../generated/tfplugin/tfplugin5.js';
import { ProviderDefinition as Provider6 } from '../generated/tfplugin/tfplugin6.js';

type Methods5 = typeof Provider5.methods;
type Methods6 = typeof Provider6.methods;

/** Names in protocol 5 of methods that have other names there, by their names in protocol 6. */
const NAMES_IN_5 = {
  getProviderSchema: 'getSchema',
  validateProviderConfig: 'prepareProviderConfig',
  validateResourceConfig: 'validateResourceTypeConfig',
  validateDataResourceConfig: 'validateDataSourceConfig',
  configureProvider: 'configure',
  stopProvider: 'stop',
} as const satisfies Partial<Record<keyof Methods6, keyof Methods5>>;

/** Name of a method that both protocols have, as in protocol 6. */
export type ProviderMethod = Extract<keyof Methods6, keyof Methods5> | keyof typeof NAMES_IN_5;

/**
 * Provider service of one protocol [TFV-11], in the names and messages of protocol 6. It encodes to the protocol's own
 * form. Parts that protocol 5 lacks are not written, and are absent in decoded messages.
 */
interface ProviderProtocol {
  readonly version: 5 | 6;
  readonly service: { readonly fullName: string; readonly methods: ProviderMethods };
}

/** Definitions of methods, by their names in protocol 6. */
export type ProviderMethods = Pick<Methods6, ProviderMethod>;

function methods5(): ProviderMethods {
  const names = Object.keys(Provider6.methods) as (keyof Methods6)[];
  const found = names.flatMap((name) => {
    const own = (NAMES_IN_5 as Partial<Record<string, keyof Methods5>>)[name] ?? (name as keyof Methods5);
    return own in Provider5.methods ? [[name, Provider5.methods[own]] as const] : [];
  });
  // Messages have the same parts in both protocols except for those that protocol 6 adds.
  return Object.fromEntries(found) as unknown as ProviderMethods;
}

/** Protocols by their version. */
export const protocols: Readonly<Record<5 | 6, ProviderProtocol>> = {
  5: { version: 5, service: { fullName: Provider5.fullName, methods: methods5() } },
  6: { version: 6, service: { fullName: Provider6.fullName, methods: Provider6.methods } },
};
