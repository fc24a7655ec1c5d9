import type { ConfigItems, ConfigType } from '../project/project.js';
import type { ConfigTree } from './config-tree.js';
import { isConfigList, isConfigMap } from './config-tree.js';

const TYPES = ['string', 'integer', 'boolean', 'array', 'object'] as const satisfies readonly ConfigType[];

/** Names of the config types. */
export const configTypes: readonly ConfigType[] = TYPES;

/** Tells whether the text names a config type. */
export function isConfigType(text: string): text is ConfigType {
  return (TYPES as readonly string[]).includes(text);
}

type Check = (value: ConfigTree, items: ConfigItems | undefined) => boolean;

/** Checks of declared types on decrypted values [CFG-3]. */
const CHECKS: Readonly<Record<ConfigType, Check>> = {
  string: (value) => typeof value === 'string',
  integer: (value) =>
    typeof value === 'bigint' ||
    (typeof value === 'number' && Number.isInteger(value)) ||
    (typeof value === 'string' && /^[-+]?\d+$/.test(value)),
  boolean: (value) => typeof value === 'boolean' || value === 'true' || value === 'false',
  array: (value, items) => {
    if (!isConfigList(value)) return false;
    return items === undefined || value.every((item) => hasConfigType(item, items.type, items.items));
  },
  object: (value) => isConfigMap(value),
};

/** Tells whether a decrypted value has the declared type. */
export function hasConfigType(value: ConfigTree, type: ConfigType, items: ConfigItems | undefined): boolean {
  return CHECKS[type](value, items);
}

/** Describes a declared type, e.g. `array<string>`. */
export function configTypeText(type: ConfigType, items: ConfigItems | undefined): string {
  return items === undefined ? type : `${type}<${configTypeText(items.type, items.items)}>`;
}
