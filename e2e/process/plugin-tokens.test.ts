import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { archive, archiveFile } from '../support/archives.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/** Shows which servers get a token when plugins are downloaded from releases. */

const why = spawnSync('openssl', ['version']).status === 0 ? '' : ' (needs openssl)';

(why === '' ? describe : describe.skip)(`tokens for releases${why}`, () => {
  let box: Sandbox;
  let server: Server;
  let port: number;
  /** Host, path and authorization of every request. */
  let asked: string[];

  beforeAll(async () => {
    box = sandbox();
    const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => path.join(box.home, name));
    const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const made = spawnSync('openssl', [
      ...words,
      ...names,
      '-keyout',
      key as string,
      '-out',
      certificate as string,
    ]);
    expect(made.status).toBe(0);
    box.env['NODE_EXTRA_CA_CERTS'] = certificate;
    server = createServer({ key: readFileSync(key as string), cert: readFileSync(certificate as string) });
    server.on('request', (request, response) => {
      const { host = '', authorization = '-' } = request.headers;
      const at = request.url ?? '';
      asked.push(`${host.split(':')[0]} ${at.replace(/[^/]*\.tar\.gz$/, 'ARCHIVE')} ${authorization}`);
      const name = archiveFile('resource', 'shop', '1.0.0');
      const content = { 'pulumi-resource-shop': '#!/bin/sh\n' };
      if (at.endsWith('.tar.gz')) return void response.end(archive(content));
      const assets = [{ name, url: `https://127.0.0.1:${port}/${name}` }];
      return void response.end(JSON.stringify({ tag_name: 'v1.0.0', assets }));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(async () => {
    await new Promise((closed) => server.close(closed));
    box.remove();
  });
  beforeEach(() => (asked = []));

  const github = '/repos/rocks/pulumi-shop/releases';
  const gitlab = '/api/v4/projects/7/releases';
  test.each<[string, string, (at: string) => Record<string, string>, string[]]>([
    [
      'a GitHub that nobody has named gets none',
      'github://AT/rocks',
      () => ({ GH_HOST: 'git.example.com' }),
      [`localhost ${github}/tags/v1.0.0 -`, '127.0.0.1 /ARCHIVE -'],
    ],
    [
      "the user's own GitHub gets its token, and no other host that it names",
      'github://AT/rocks',
      (at) => ({ GITHUB_API_URL: `https://${at}/api/v3` }),
      [`localhost ${github}/tags/v1.0.0 token secret`, '127.0.0.1 /ARCHIVE -'],
    ],
    [
      'a GitLab that nobody has named gets none',
      'gitlab://AT/7',
      () => ({}),
      [`localhost ${gitlab}/v1.0.0/downloads/ARCHIVE -`],
    ],
    [
      "the user's own GitLab gets its token",
      'gitlab://AT/7',
      (at) => ({ GITLAB_HOST: at }),
      [`localhost ${gitlab}/v1.0.0/downloads/ARCHIVE Bearer other`],
    ],
  ])('%s', async (_title, place, named, expected) => {
    const at = `localhost:${port}`;
    const words = ['plugin', 'install', 'resource', 'shop', '1.0.0', '--reinstall'];
    const env = { GITHUB_TOKEN: 'secret', GITLAB_TOKEN: 'other', ...named(at) };
    expectOk(await box.cairn([...words, '--server', place.replace('AT', at)], { env }));
    expect(asked).toEqual(expected);
  });
});
