import { stringLiteral } from '../source/literal.js';

/** The SDK a program is written with. */
export type SdkName = 'cairn' | 'pulumi';

/** A class of an installed package that declares resources of one type. */
export interface ResourceClass {
  /** The package to import. */
  readonly module: string;
  /** Exports from the module down to the class, e.g. `['s3', 'Bucket']`. */
  readonly path: readonly string[];
}

/** How programs of one SDK are written. */
export interface Dialect {
  /** Names the SDK brings into the program whatever is used. */
  readonly reserved: readonly string[];
  /** Source of a name that the SDK exports. */
  sdk(name: string): string;
  /** The imports of a program that uses these names of the SDK. */
  imports(used: ReadonlySet<string>): readonly string[];
  /** Whether the SDK's own classes can be used for any type; otherwise each type gets a class of its own. */
  readonly genericClasses: boolean;
}

const ASSETS = new Set([
  'StringAsset',
  'FileAsset',
  'RemoteAsset',
  'FileArchive',
  'RemoteArchive',
  'AssetArchive',
]);

export const DIALECTS: Readonly<Record<SdkName, Dialect>> = {
  cairn: {
    reserved: ['ComponentResource', 'Config', 'CustomResource', 'ProviderResource', 'secret', ...ASSETS],
    genericClasses: true,
    sdk: (name) => name,
    imports: (used) =>
      used.size === 0
        ? []
        : [`import { ${[...used].sort().join(', ')} } from ${stringLiteral('@cairn/sdk')};`],
  },
  pulumi: {
    reserved: ['pulumi'],
    genericClasses: false,
    sdk: (name) => (ASSETS.has(name) ? `pulumi.asset.${name}` : `pulumi.${name}`),
    imports: () => [`import * as pulumi from ${stringLiteral('@pulumi/pulumi')};`],
  },
};
