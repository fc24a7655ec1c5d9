/** An address that does not follow its grammar. `kind` says which grammar, `text` is the offending text as given. */
export class AddressError extends Error {
  override readonly name = 'AddressError';

  constructor(
    readonly kind: 'urn' | 'type' | 'provider reference' | 'stack name' | 'project name' | 'stack reference',
    readonly text: string,
    readonly reason: string,
  ) {
    super(`invalid ${kind} ${JSON.stringify(text)}: ${reason}`);
  }
}
