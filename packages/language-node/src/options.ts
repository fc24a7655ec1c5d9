/** What the Node language host works with. */
export interface NodeLanguageHostOptions {
  /** Our environment; the program inherits it. `CAIRN_HOME` decides where transpiled files are kept. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Type-check the program before it runs. Default: `runtime.options.typecheck`, else no. */
  readonly typecheck?: boolean | undefined;
  /** The node executable. Default: the one we run on. */
  readonly node?: string | undefined;
  /** Path of the built loader module. Default: the one of this package. */
  readonly loader?: string | undefined;
  /** Milliseconds between interrupt and kill [PRG-5]. Default 5000. */
  readonly interruptGraceMs?: number | undefined;
}
