import { Config, interpolate } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
import { RandomPassword, RandomPet } from '@cairn/provider-random';

const config = new Config();
const name = new RandomPet('name', { length: 2 });
const password = new RandomPassword('password', { length: 20 });

new LocalFile('greeting', {
  path: 'hello.txt',
  content: interpolate`${config.get('greeting') ?? 'Hello'} from ${name.result}\n`,
});

export const pet = name.result;
export const login = password.result; // a secret: shown as [secret], stored encrypted
