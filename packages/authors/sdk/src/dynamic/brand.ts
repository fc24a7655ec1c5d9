/** Marker symbol of a dynamic provider; holds its definition. The same for all copies of this package. */
export const DYNAMIC_PROVIDER = Symbol.for('cairn.sdk.dynamic-provider');
