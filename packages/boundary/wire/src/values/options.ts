/**
 * Encoding for peers that lack a capability [VAL-3]. The defaults keep everything but output values, so that a value
 * reads back as it was written.
 */
export interface EncodeOptions {
  /** Writes unknowns as their sentinel. If false, leaves out the property or the list element. Defaults to true. */
  readonly keepUnknowns?: boolean;
  /** Makes an unknown an error; takes precedence over `keepUnknowns`. */
  readonly rejectUnknowns?: boolean;
  /** Marks secrets. If false, writes the bare value. Defaults to true. */
  readonly keepSecrets?: boolean;
  /** Writes references as such. If false, writes the id, or the URN if there is no id. Defaults to true. */
  readonly keepResources?: boolean;
  /**
   * Writes output values as such. If false, writes their content, and their dependencies are lost. Defaults to false.
   */
  readonly keepOutputValues?: boolean;
  /** Reduces assets and archives to their hash. Never used for a Node program, which cannot read that form. */
  readonly elideAssetContents?: boolean;
  /** Writes byte strings as such. If false, they are an error. Defaults to true. */
  readonly keepByteStrings?: boolean;
  /** Leaves out properties at the top level whose name starts with `__`. */
  readonly skipInternalKeys?: boolean;
}

/** Parts of a received value to keep. The defaults keep everything but output values. */
export interface DecodeOptions {
  /** Reads unknowns. If false, drops the property; a list element becomes null. Defaults to true. */
  readonly keepUnknowns?: boolean;
  /** Makes an unknown an error; takes precedence over `keepUnknowns`. */
  readonly rejectUnknowns?: boolean;
  /** Reads output values as such. If false, reads their content. Defaults to false. */
  readonly keepOutputValues?: boolean;
}

/** Maximum depth of nested containers. */
export const MAX_DEPTH = 10_000;
