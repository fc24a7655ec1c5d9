/** Package of resources whose provider is part of the program. */
// [PROV-19]
export const DYNAMIC_PACKAGE = 'cairn-dynamic';
