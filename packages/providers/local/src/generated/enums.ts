// Written by tools/provider-classes.mjs from the schema of the provider.
export type LocalFileEncoding = 'utf8' | 'base64';

export type LocalSensitiveFileEncoding = 'utf8' | 'base64';
