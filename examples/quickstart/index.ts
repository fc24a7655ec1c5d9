import { Config, interpolate } from '@cairn/sdk';
import { LocalCommand } from '@cairn/provider-local';
import { RandomPassword, RandomPet } from '@cairn/provider-random';
import { Site } from './site.js';

const config = new Config();
const pet = new RandomPet('name', { length: 2 });
const admin = new RandomPassword('admin', { length: 24, special: false });

const site = new Site('site', {
  folder: 'site',
  title: interpolate`${config.get('greeting') ?? 'Hello'} from ${pet.result}`,
  password: admin.result,
});

// Runs when it is created, when an input changes, and when it is deleted.
const visit = new LocalCommand('visit', {
  create: 'wc -c < "$PAGE" | tr -d " "',
  delete: 'echo "closing $PAGE"',
  environment: { PAGE: site.page },
  triggers: [site.fingerprint],
});

export const name = pet.result;
export const page = site.page;
export const bytes = visit.stdout;
export const password = admin.result; // a secret: shown as [secret], stored encrypted
