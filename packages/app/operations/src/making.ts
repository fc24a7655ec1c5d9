import type { PackageModel, SchemaProblem } from '@cairn/codegen';
import type { PluginIdentity } from '@cairn/plugin-host/install';

/** Progress and remarks while plugins, packages and projects are prepared. */
export type Making =
  /** The package manager of a language installs dependencies. `of` is a plugin that did not start without them. */
  | { readonly t: 'dependencies'; readonly of: string | undefined }
  /** Output of a package manager, in pieces. */
  | { readonly t: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** A message of a plugin or of a language. */
  | {
      readonly t: 'message';
      readonly severity: string;
      readonly plugin: string | undefined;
      readonly text: string;
    }
  /** A warning of a language about the code that it generated. */
  | { readonly t: 'warning'; readonly summary: string; readonly detail: string }
  | { readonly t: 'plugin-started'; readonly plugin: PluginIdentity }
  /** Bytes downloaded so far; `total` is `undefined` if the server does not report it. */
  | {
      readonly t: 'plugin-progress';
      readonly plugin: PluginIdentity;
      readonly bytes: number;
      readonly total: number | undefined;
    }
  | { readonly t: 'plugin-retried'; readonly plugin: PluginIdentity; readonly why: string }
  /** Another process installs it. */
  | { readonly t: 'plugin-waits'; readonly plugin: PluginIdentity }
  /** The code of a package is in its folder. `written` is `undefined` if the plugin of a language wrote it. */
  | {
      readonly t: 'package';
      readonly model: PackageModel;
      readonly folder: string;
      readonly written: WrittenPackage | undefined;
    }
  /** An SDK of a package is in its folder. */
  | { readonly t: 'sdk'; readonly name: string; readonly folder: string }
  /** A flaw of a schema that its users cannot correct. */
  | { readonly t: 'schema-problem'; readonly problem: SchemaProblem }
  /** Types of another package become unknown. */
  | {
      readonly t: 'reference-unknown';
      readonly name: string;
      readonly reference: string;
      readonly why: string;
    }
  /** A program on `@pulumi/pulumi` gets a package for `@cairn/sdk`, since the plugin of its language is missing. */
  | { readonly t: 'package-for-own-sdk' };

/** Files of a package that was generated. */
export interface WrittenPackage {
  readonly npmName: string;
  readonly written: number;
  readonly removed: number;
  /** Existing files that are the same. */
  readonly unchanged: number;
}

type Told = { readonly interaction: { readonly making?: ((told: Making) => void) | undefined } };

/** Returns a function that passes on messages of a plugin or language. */
export function passedOn({ interaction }: Told) {
  return ({
    severity,
    plugin,
    text,
  }: {
    readonly severity: string;
    readonly plugin?: string | undefined;
    readonly text: string;
  }): void => interaction.making?.({ t: 'message', severity, plugin, text });
}

/** Returns a function that passes on the output of a tool. */
export function outputPassedOn({ interaction }: Told) {
  return (stream: 'stdout' | 'stderr', text: string): void =>
    interaction.making?.({ t: 'output', stream, text });
}
