/** Reports bytes that are not an encoded message: they are cut off or have another form. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
}

/** Throws {@link MalformedMessageError} for a read past the end. */
export function truncated(): never {
  throw new MalformedMessageError('the encoded message ends too early');
}
