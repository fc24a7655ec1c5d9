/**
 * What is done where the peer lacks a capability [VAL-3]. The defaults keep everything but output
 * values, so that a value reads back as it was written.
 */
export interface EncodeOptions {
  /** Unknowns are written as their sentinel (default). False: the property, or the list element, is left out. */
  readonly keepUnknowns?: boolean;
  /** An unknown is an error; wins over `keepUnknowns`. */
  readonly rejectUnknowns?: boolean;
  /** Secrets are marked (default). False: the bare value is written. */
  readonly keepSecrets?: boolean;
  /** References are written as such (default). False: the id, or the URN where there is no id. */
  readonly keepResources?: boolean;
  /** Output values are written as such. False (default): what they hold, their dependencies are lost. */
  readonly keepOutputValues?: boolean;
  /** Assets and archives are reduced to their hash. Never towards a program in Node, which cannot read that. */
  readonly elideAssetContents?: boolean;
  /** Byte strings are written as such (default). False: they are an error. */
  readonly keepByteStrings?: boolean;
  /** Properties whose name starts with `__` are left out, at the top level. */
  readonly skipInternalKeys?: boolean;
}

/** How much of what was received is kept. The defaults keep everything but output values. */
export interface DecodeOptions {
  /** Unknowns are read (default). False: the property goes, the list element becomes null. */
  readonly keepUnknowns?: boolean;
  /** An unknown is an error; wins over `keepUnknowns`. */
  readonly rejectUnknowns?: boolean;
  /** Output values are read as such. False (default): as what they hold. */
  readonly keepOutputValues?: boolean;
}

/** Containers in containers, up to here. */
export const MAX_DEPTH = 10_000;
