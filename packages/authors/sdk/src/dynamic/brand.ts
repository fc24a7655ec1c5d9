/** What tells a dynamic provider, and where it keeps what it was made of; the same for all copies of this package. */
export const PROVIDER = Symbol.for('cairn.sdk.dynamic-provider');
