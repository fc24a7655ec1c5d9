/** Random values as resources: drawn once, kept until a keeper or a rule changes. */
export {
  RandomBytes,
  RandomId,
  RandomInteger,
  RandomPassword,
  RandomPet,
  RandomShuffle,
  RandomString,
  RandomUuid,
} from './classes.js';
export type {
  RandomBytesArgs,
  RandomIdArgs,
  RandomIntegerArgs,
  RandomPasswordArgs,
  RandomPetArgs,
  RandomShuffleArgs,
  RandomStringArgs,
  RandomUuidArgs,
} from './classes.js';
