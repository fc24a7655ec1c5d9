/** Ends a switch over value kinds; does not compile while a kind is missing. */
export function unreachableKind(kind: never): never {
  throw new TypeError(`unexpected kind of property value: ${String(kind)}`);
}
