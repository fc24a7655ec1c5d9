/** Place of a found plugin, and the way to run it. */
export type PluginLocation =
  /** Already running on this port of 127.0.0.1. */
  | { readonly kind: 'attached'; readonly port: number }
  /** Module of our own kind, loaded into this process. */
  | {
      readonly kind: 'in-process';
      readonly module: string;
      readonly npmName: string;
      readonly version: string;
    }
  /** Such a module in a process of its own. `server` is the script that serves it. */
  | { readonly kind: 'served-module'; readonly module: string; readonly server: string }
  /** Program of the operating system. */
  | { readonly kind: 'executable'; readonly path: string }
  /** Script for node. */
  | { readonly kind: 'script'; readonly path: string }
  /** Directory whose manifest names the language runtime that runs it. */
  | { readonly kind: 'directory'; readonly path: string };

/** Result of one place: the plugin, and a warning for the user about finding it there. */
export interface LocatedPlugin {
  readonly location: PluginLocation;
  readonly warning?: string | undefined;
}
