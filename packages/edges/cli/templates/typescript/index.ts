import { Config, interpolate } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
import { RandomPassword, RandomPet } from '@cairn/provider-random';

// Values that `cairn config set` sets for the stack.
const config = new Config();

// Each resource has its own name, and inputs.
const name = new RandomPet('name', { length: 2 });
const password = new RandomPassword('password', { length: 20 });

// An output of one resource is an input of another, so Cairn creates the pet before the file.
new LocalFile('greeting', {
  path: 'hello.txt',
  content: interpolate`${config.get('greeting') ?? 'Hello'} from ${name.result}\n`,
});

// Outputs of the stack: `cairn stack output` prints them.
export const pet = name.result;
export const login = password.result; // a secret: shown as [secret], stored encrypted
