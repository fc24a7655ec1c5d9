// Written by tools/provider-classes.mjs from the schema of the provider.
import { CustomResource } from '@cairn/sdk';
import type { CustomResourceOptions, Input, Output } from '@cairn/sdk';

/** Random bytes that are secret, for keys. */
export class RandomBytes extends CustomResource {
  constructor(name: string, args: RandomBytesArgs, options?: CustomResourceOptions) {
    super('cairn-random:index:Bytes', name, args, options);
  }

  /**
   * The bytes in base64.
   *
   * Secret.
   */
  get base64(): Output<string> {
    return this.outputOf('base64');
  }

  /**
   * The bytes in hexadecimal.
   *
   * Secret.
   */
  get hex(): Output<string> {
    return this.outputOf('hex');
  }

  /** Arbitrary values. When one changes, a new value is drawn. */
  get keepers(): Output<{ readonly [key: string]: unknown } | undefined> {
    return this.outputOf('keepers');
  }

  /** Number of bytes. */
  get length(): Output<number> {
    return this.outputOf('length');
  }
}

/** What a {@link RandomBytes} is made of. */
export interface RandomBytesArgs {
  /** Arbitrary values. When one changes, a new value is drawn. */
  readonly keepers?: Input<{ readonly [key: string]: Input<unknown> }> | undefined;
  /** Number of bytes. */
  readonly length: Input<number>;
}

/** Random bytes written in several ways, for names. */
export class RandomId extends CustomResource {
  constructor(name: string, args: RandomIdArgs, options?: CustomResourceOptions) {
    super('cairn-random:index:Id', name, args, options);
  }

  /** The bytes in base64. */
  get b64Std(): Output<string> {
    return this.outputOf('b64Std');
  }

  /** The bytes in base64url without padding. */
  get b64Url(): Output<string> {
    return this.outputOf('b64Url');
  }

  /** Number of random bytes. */
  get byteLength(): Output<number> {
    return this.outputOf('byteLength');
  }

  /** The bytes as one decimal number. */
  get dec(): Output<string> {
    return this.outputOf('dec');
  }

  /** The bytes in hexadecimal. */
  get hex(): Output<string> {
    return this.outputOf('hex');
  }

  /** Arbitrary values. When one changes, a new value is drawn. */
  get keepers(): Output<{ readonly [key: string]: unknown } | undefined> {
    return this.outputOf('keepers');
  }

  /** Text put before each written form. */
  get prefix(): Output<string | undefined> {
    return this.outputOf('prefix');
  }
}

/** What a {@link RandomId} is made of. */
export interface RandomIdArgs {
  /** Number of random bytes. */
  readonly byteLength: Input<number>;
  /** Arbitrary values. When one changes, a new value is drawn. */
  readonly keepers?: Input<{ readonly [key: string]: Input<unknown> }> | undefined;
  /** Text put before each written form. */
  readonly prefix?: Input<string> | undefined;
}

/** A random integer in a range. */
export class RandomInteger extends CustomResource {
  constructor(name: string, args: RandomIntegerArgs, options?: CustomResourceOptions) {
    super('cairn-random:index:Integer', name, args, options);
  }

  /** Arbitrary values. When one changes, a new value is drawn. */
  get keepers(): Output<{ readonly [key: string]: unknown } | undefined> {
    return this.outputOf('keepers');
  }

  /** Maximum. */
  get max(): Output<number> {
    return this.outputOf('max');
  }

  /** Minimum. */
  get min(): Output<number> {
    return this.outputOf('min');
  }

  /** The number. */
  get result(): Output<number> {
    return this.outputOf('result');
  }
}

/** What a {@link RandomInteger} is made of. */
export interface RandomIntegerArgs {
  /** Arbitrary values. When one changes, a new value is drawn. */
  readonly keepers?: Input<{ readonly [key: string]: Input<unknown> }> | undefined;
  /** Maximum. */
  readonly max: Input<number>;
  /** Minimum. */
  readonly min: Input<number>;
}

/** A random text that is secret. */
export class RandomPassword extends CustomResource {
  constructor(name: string, args: RandomPasswordArgs, options?: CustomResourceOptions) {
    super('cairn-random:index:Password', name, args, options);
  }

  /** Arbitrary values. When one changes, a new value is drawn. */
  get keepers(): Output<{ readonly [key: string]: unknown } | undefined> {
    return this.outputOf('keepers');
  }

  /** Number of characters. */
  get length(): Output<number> {
    return this.outputOf('length');
  }

  /** Use lower-case letters. */
  get lower(): Output<boolean | undefined> {
    return this.outputOf('lower');
  }

  /** At least so many lower-case letters. */
  get minLower(): Output<number | undefined> {
    return this.outputOf('minLower');
  }

  /** At least so many digits. */
  get minNumeric(): Output<number | undefined> {
    return this.outputOf('minNumeric');
  }

  /** At least so many special characters. */
  get minSpecial(): Output<number | undefined> {
    return this.outputOf('minSpecial');
  }

  /** At least so many upper-case letters. */
  get minUpper(): Output<number | undefined> {
    return this.outputOf('minUpper');
  }

  /** Use digits. */
  get numeric(): Output<boolean | undefined> {
    return this.outputOf('numeric');
  }

  /** The special characters to use. */
  get overrideSpecial(): Output<string | undefined> {
    return this.outputOf('overrideSpecial');
  }

  /**
   * The text.
   *
   * Secret.
   */
  get result(): Output<string> {
    return this.outputOf('result');
  }

  /** Use special characters. */
  get special(): Output<boolean | undefined> {
    return this.outputOf('special');
  }

  /** Use upper-case letters. */
  get upper(): Output<boolean | undefined> {
    return this.outputOf('upper');
  }
}

/** What a {@link RandomPassword} is made of. */
export interface RandomPasswordArgs {
  /** Arbitrary values. When one changes, a new value is drawn. */
  readonly keepers?: Input<{ readonly [key: string]: Input<unknown> }> | undefined;
  /** Number of characters. */
  readonly length: Input<number>;
  /**
   * Use lower-case letters.
   *
   * Default: `true`.
   */
  readonly lower?: Input<boolean> | undefined;
  /**
   * At least so many lower-case letters.
   *
   * Default: `0`.
   */
  readonly minLower?: Input<number> | undefined;
  /**
   * At least so many digits.
   *
   * Default: `0`.
   */
  readonly minNumeric?: Input<number> | undefined;
  /**
   * At least so many special characters.
   *
   * Default: `0`.
   */
  readonly minSpecial?: Input<number> | undefined;
  /**
   * At least so many upper-case letters.
   *
   * Default: `0`.
   */
  readonly minUpper?: Input<number> | undefined;
  /**
   * Use digits.
   *
   * Default: `true`.
   */
  readonly numeric?: Input<boolean> | undefined;
  /** The special characters to use. */
  readonly overrideSpecial?: Input<string> | undefined;
  /**
   * Use special characters.
   *
   * Default: `true`.
   */
  readonly special?: Input<boolean> | undefined;
  /**
   * Use upper-case letters.
   *
   * Default: `true`.
   */
  readonly upper?: Input<boolean> | undefined;
}

/** A random pronounceable name, such as `brave-otter`. */
export class RandomPet extends CustomResource {
  constructor(name: string, args: RandomPetArgs = {}, options?: CustomResourceOptions) {
    super('cairn-random:index:Pet', name, args, options);
  }

  /** Arbitrary values. When one changes, a new value is drawn. */
  get keepers(): Output<{ readonly [key: string]: unknown } | undefined> {
    return this.outputOf('keepers');
  }

  /** Number of words. */
  get length(): Output<number | undefined> {
    return this.outputOf('length');
  }

  /** A word put before the others. */
  get prefix(): Output<string | undefined> {
    return this.outputOf('prefix');
  }

  /** The name. */
  get result(): Output<string> {
    return this.outputOf('result');
  }

  /** Text between the words. */
  get separator(): Output<string | undefined> {
    return this.outputOf('separator');
  }
}

/** What a {@link RandomPet} is made of. */
export interface RandomPetArgs {
  /** Arbitrary values. When one changes, a new value is drawn. */
  readonly keepers?: Input<{ readonly [key: string]: Input<unknown> }> | undefined;
  /**
   * Number of words.
   *
   * Default: `2`.
   */
  readonly length?: Input<number> | undefined;
  /** A word put before the others. */
  readonly prefix?: Input<string> | undefined;
  /**
   * Text between the words.
   *
   * Default: `-`.
   */
  readonly separator?: Input<string> | undefined;
}

/** Texts in random order, or some of them. */
export class RandomShuffle extends CustomResource {
  constructor(name: string, args: RandomShuffleArgs, options?: CustomResourceOptions) {
    super('cairn-random:index:Shuffle', name, args, options);
  }

  /** The texts to put in random order. */
  get inputs(): Output<readonly string[]> {
    return this.outputOf('inputs');
  }

  /** Arbitrary values. When one changes, a new value is drawn. */
  get keepers(): Output<{ readonly [key: string]: unknown } | undefined> {
    return this.outputOf('keepers');
  }

  /** Number of texts to return; a larger number repeats them. Default: all. */
  get resultCount(): Output<number | undefined> {
    return this.outputOf('resultCount');
  }

  /** The texts in their order. */
  get results(): Output<readonly string[]> {
    return this.outputOf('results');
  }
}

/** What a {@link RandomShuffle} is made of. */
export interface RandomShuffleArgs {
  /** The texts to put in random order. */
  readonly inputs: Input<readonly Input<string>[]>;
  /** Arbitrary values. When one changes, a new value is drawn. */
  readonly keepers?: Input<{ readonly [key: string]: Input<unknown> }> | undefined;
  /** Number of texts to return; a larger number repeats them. Default: all. */
  readonly resultCount?: Input<number> | undefined;
}

/** A random text. */
export class RandomString extends CustomResource {
  constructor(name: string, args: RandomStringArgs, options?: CustomResourceOptions) {
    super('cairn-random:index:String', name, args, options);
  }

  /** Arbitrary values. When one changes, a new value is drawn. */
  get keepers(): Output<{ readonly [key: string]: unknown } | undefined> {
    return this.outputOf('keepers');
  }

  /** Number of characters. */
  get length(): Output<number> {
    return this.outputOf('length');
  }

  /** Use lower-case letters. */
  get lower(): Output<boolean | undefined> {
    return this.outputOf('lower');
  }

  /** At least so many lower-case letters. */
  get minLower(): Output<number | undefined> {
    return this.outputOf('minLower');
  }

  /** At least so many digits. */
  get minNumeric(): Output<number | undefined> {
    return this.outputOf('minNumeric');
  }

  /** At least so many special characters. */
  get minSpecial(): Output<number | undefined> {
    return this.outputOf('minSpecial');
  }

  /** At least so many upper-case letters. */
  get minUpper(): Output<number | undefined> {
    return this.outputOf('minUpper');
  }

  /** Use digits. */
  get numeric(): Output<boolean | undefined> {
    return this.outputOf('numeric');
  }

  /** The special characters to use. */
  get overrideSpecial(): Output<string | undefined> {
    return this.outputOf('overrideSpecial');
  }

  /** The text. */
  get result(): Output<string> {
    return this.outputOf('result');
  }

  /** Use special characters. */
  get special(): Output<boolean | undefined> {
    return this.outputOf('special');
  }

  /** Use upper-case letters. */
  get upper(): Output<boolean | undefined> {
    return this.outputOf('upper');
  }
}

/** What a {@link RandomString} is made of. */
export interface RandomStringArgs {
  /** Arbitrary values. When one changes, a new value is drawn. */
  readonly keepers?: Input<{ readonly [key: string]: Input<unknown> }> | undefined;
  /** Number of characters. */
  readonly length: Input<number>;
  /**
   * Use lower-case letters.
   *
   * Default: `true`.
   */
  readonly lower?: Input<boolean> | undefined;
  /**
   * At least so many lower-case letters.
   *
   * Default: `0`.
   */
  readonly minLower?: Input<number> | undefined;
  /**
   * At least so many digits.
   *
   * Default: `0`.
   */
  readonly minNumeric?: Input<number> | undefined;
  /**
   * At least so many special characters.
   *
   * Default: `0`.
   */
  readonly minSpecial?: Input<number> | undefined;
  /**
   * At least so many upper-case letters.
   *
   * Default: `0`.
   */
  readonly minUpper?: Input<number> | undefined;
  /**
   * Use digits.
   *
   * Default: `true`.
   */
  readonly numeric?: Input<boolean> | undefined;
  /** The special characters to use. */
  readonly overrideSpecial?: Input<string> | undefined;
  /**
   * Use special characters.
   *
   * Default: `true`.
   */
  readonly special?: Input<boolean> | undefined;
  /**
   * Use upper-case letters.
   *
   * Default: `true`.
   */
  readonly upper?: Input<boolean> | undefined;
}

/** A random UUID. */
export class RandomUuid extends CustomResource {
  constructor(name: string, args: RandomUuidArgs = {}, options?: CustomResourceOptions) {
    super('cairn-random:index:Uuid', name, args, options);
  }

  /** Arbitrary values. When one changes, a new value is drawn. */
  get keepers(): Output<{ readonly [key: string]: unknown } | undefined> {
    return this.outputOf('keepers');
  }

  /** The UUID. */
  get result(): Output<string> {
    return this.outputOf('result');
  }
}

/** What a {@link RandomUuid} is made of. */
export interface RandomUuidArgs {
  /** Arbitrary values. When one changes, a new value is drawn. */
  readonly keepers?: Input<{ readonly [key: string]: Input<unknown> }> | undefined;
}
