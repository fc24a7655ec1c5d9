/** Where a plugin was found and how it is run. */
export type PluginLocation =
  /** Already running on this port of 127.0.0.1. */
  | { readonly kind: 'attached'; readonly port: number }
  /** A module of our own kind, loaded into this process. */
  | {
      readonly kind: 'in-process';
      readonly module: string;
      readonly npmName: string;
      readonly version: string;
    }
  /** Such a module, served by a process of its own; `server`: the script that does it. */
  | { readonly kind: 'served-module'; readonly module: string; readonly server: string }
  /** A program of the operating system. */
  | { readonly kind: 'executable'; readonly path: string }
  /** A script for node. */
  | { readonly kind: 'script'; readonly path: string }
  /** A directory whose manifest names the language runtime that runs it. */
  | { readonly kind: 'directory'; readonly path: string };

/** What one place to look at has to say: the plugin, and what the user should know about finding it there. */
export interface Finding {
  readonly location: PluginLocation;
  readonly warning?: string | undefined;
}
