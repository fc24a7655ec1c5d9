/** File in a packed archive. Its bytes must be read or skipped before the next member is requested. */
export interface PackedMember {
  readonly name: string;
  readonly size: number;
  chunks(): AsyncIterable<Uint8Array>;
}
