import { CustomResource } from '@cairn/sdk';
import type { CustomResourceOptions, Output } from '@cairn/sdk';
import type { ArgsOf } from '@cairn/provider-sdk';
import type { bytesResource } from './resources/bytes.js';
import type { idResource } from './resources/id.js';
import type { integerResource } from './resources/integer.js';
import type { petResource } from './resources/pet.js';
import type { shuffleResource } from './resources/shuffle.js';
import type { passwordResource, stringResource } from './resources/text.js';
import type { uuidResource } from './resources/uuid.js';

/** What a {@link RandomId} is drawn by. */
export type RandomIdArgs = ArgsOf<typeof idResource.inputs>;

/** Random bytes written in several ways, for names. */
export class RandomId extends CustomResource {
  constructor(name: string, args: RandomIdArgs, options?: CustomResourceOptions) {
    super('cairn-random:index:Id', name, args, options);
  }

  /** The bytes in hexadecimal, after the prefix. */
  get hex(): Output<string> {
    return this.outputOf('hex');
  }

  /** The bytes as one decimal number, after the prefix. */
  get dec(): Output<string> {
    return this.outputOf('dec');
  }

  /** The bytes in base64, after the prefix. */
  get b64Std(): Output<string> {
    return this.outputOf('b64Std');
  }

  /** The bytes in base64url without padding, after the prefix. */
  get b64Url(): Output<string> {
    return this.outputOf('b64Url');
  }
}

/** What a {@link RandomString} is drawn by. */
export type RandomStringArgs = ArgsOf<typeof stringResource.inputs>;

/** A random text. See {@link RandomPassword} for texts that must not be shown. */
export class RandomString extends CustomResource {
  constructor(name: string, args: RandomStringArgs, options?: CustomResourceOptions) {
    super('cairn-random:index:String', name, args, options);
  }

  /** The text. */
  get result(): Output<string> {
    return this.outputOf('result');
  }
}

/** What a {@link RandomPassword} is drawn by. */
export type RandomPasswordArgs = ArgsOf<typeof passwordResource.inputs>;

/** A random text that is secret. */
export class RandomPassword extends CustomResource {
  constructor(name: string, args: RandomPasswordArgs, options?: CustomResourceOptions) {
    super('cairn-random:index:Password', name, args, options);
  }

  /** The text, secret. */
  get result(): Output<string> {
    return this.outputOf('result');
  }
}

/** What a {@link RandomPet} is drawn by. */
export type RandomPetArgs = ArgsOf<typeof petResource.inputs>;

/** A random name that one can say, such as `brave-otter`. */
export class RandomPet extends CustomResource {
  constructor(name: string, args: RandomPetArgs = {}, options?: CustomResourceOptions) {
    super('cairn-random:index:Pet', name, args, options);
  }

  /** The name. */
  get result(): Output<string> {
    return this.outputOf('result');
  }
}

/** What a {@link RandomInteger} is drawn by. */
export type RandomIntegerArgs = ArgsOf<typeof integerResource.inputs>;

/** A random integer in a range. */
export class RandomInteger extends CustomResource {
  constructor(name: string, args: RandomIntegerArgs, options?: CustomResourceOptions) {
    super('cairn-random:index:Integer', name, args, options);
  }

  /** The number. */
  get result(): Output<number> {
    return this.outputOf('result');
  }
}

/** What a {@link RandomShuffle} is drawn by. */
export type RandomShuffleArgs = ArgsOf<typeof shuffleResource.inputs>;

/** Texts in random order, or some of them. */
export class RandomShuffle extends CustomResource {
  constructor(name: string, args: RandomShuffleArgs, options?: CustomResourceOptions) {
    super('cairn-random:index:Shuffle', name, args, options);
  }

  /** The texts in their order. */
  get results(): Output<readonly string[]> {
    return this.outputOf('results');
  }
}

/** What a {@link RandomUuid} is drawn by. */
export type RandomUuidArgs = ArgsOf<typeof uuidResource.inputs>;

/** A random UUID. */
export class RandomUuid extends CustomResource {
  constructor(name: string, args: RandomUuidArgs = {}, options?: CustomResourceOptions) {
    super('cairn-random:index:Uuid', name, args, options);
  }

  /** The UUID. */
  get result(): Output<string> {
    return this.outputOf('result');
  }
}

/** What a {@link RandomBytes} is drawn by. */
export type RandomBytesArgs = ArgsOf<typeof bytesResource.inputs>;

/** Random bytes that are secret, for keys. */
export class RandomBytes extends CustomResource {
  constructor(name: string, args: RandomBytesArgs, options?: CustomResourceOptions) {
    super('cairn-random:index:Bytes', name, args, options);
  }

  /** The bytes in base64, secret. */
  get base64(): Output<string> {
    return this.outputOf('base64');
  }

  /** The bytes in hexadecimal, secret. */
  get hex(): Output<string> {
    return this.outputOf('hex');
  }
}
