import { Config, secret } from '@cairn/sdk';
import * as files from '@cairn-sdks/files';

const config = new Config();

const site = new files.Directory('site', { path: 'site' });

// An output of one resource is an input of another: the page is made after its directory.
const page = new files.File('page', {
  path: site.path.apply((path) => `${path}/index.html`),
  content: `<h1>${config.require('greeting')}</h1>\n`,
});

const key = new files.SensitiveFile('key', {
  path: site.path.apply((path) => `${path}/key.pem`),
  content: secret('not for everybody\n'),
});

export const path = page.path;
export const size = page.size;
export const hash = page.hash;
export const content = key.content;
