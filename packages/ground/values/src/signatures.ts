/** Key that makes an object a special value; its value selects the kind. */
// [VAL-1] [VAL-9]
export const SIGNATURE_KEY = '4dabf18193072939515e22adb298388d';

/** Signatures by kind of special value, in messages and in states. */
export const SIGNATURES = {
  secret: '1b47061264138c4ac30d75fd1eb44270',
  asset: 'c44067f5952c0a294b673a41bacd8c17',
  archive: '0def7320c3a5731c473e5ecbe6d01bc7',
  reference: '5cf8f73096256a8f31e491e813e4eb8e',
  bytes: '803fd3297a5875dc03ca845dda5d2a98',
} as const;
