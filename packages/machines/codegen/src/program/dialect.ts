import { stringLiteral } from '../source/literal.js';

/** SDK of a program. */
export type SdkDialect = 'cairn' | 'pulumi';

/** Class of an installed package that declares resources of one type. */
export interface ClassReference {
  /** Package to import. */
  readonly module: string;
  /** Exports from the module down to the class, e.g. `['s3', 'Bucket']`. */
  readonly path: readonly string[];
}

/** Source conventions of programs for one SDK. */
export interface Dialect {
  /** Names that the SDK always brings into the program. */
  readonly reserved: readonly string[];
  /** Returns the source of a name that the SDK exports. */
  sdk(name: string): string;
  /** Returns the imports of a program that uses these names of the SDK. */
  imports(used: ReadonlySet<string>): readonly string[];
  /** True if the SDK's own classes can be used for any type; otherwise each type gets a class of its own. */
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

export const DIALECTS: Readonly<Record<SdkDialect, Dialect>> = {
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
