/** Key that distinguishes a value in disguise from a map; its values are below [VAL-9]. */
export const SIGNATURE_KEY = '4dabf18193072939515e22adb298388d';

export const SIGNATURES = {
  secret: '1b47061264138c4ac30d75fd1eb44270',
  asset: 'c44067f5952c0a294b673a41bacd8c17',
  archive: '0def7320c3a5731c473e5ecbe6d01bc7',
  reference: '5cf8f73096256a8f31e491e813e4eb8e',
  nonFinite: '8ad145fe-0d11-4827-bfd7-1abcbf086f5c',
  bytes: '803fd3297a5875dc03ca845dda5d2a98',
} as const;

/** SHA-256 of no bytes: the hash of an asset with empty text. */
export const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
