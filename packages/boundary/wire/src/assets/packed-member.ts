/** A file in a packed archive. Its bytes must be read, or passed over, before the next member is asked for. */
export interface PackedMember {
  readonly name: string;
  readonly size: number;
  chunks(): AsyncIterable<Uint8Array>;
}
