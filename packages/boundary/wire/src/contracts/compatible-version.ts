/**
 * Pulumi release whose behaviour Cairn has. Version ranges of programs, plugins and projects are checked against it.
 */
export const COMPATIBLE_VERSION = '3.260.0';
