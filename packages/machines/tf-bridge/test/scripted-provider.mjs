#!/usr/bin/env node
// A process that behaves as SCRIPT says (JSON): its first output, its certificate, and its answer for each path.
import { createServer, createSecureServer } from 'node:http2';
import { createServer as createHttp1Server } from 'node:http';
import { createServer as createSilentServer } from 'node:net';
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = JSON.parse(process.env.SCRIPT ?? '{}');
const { env } = process;
if (script.environmentTo !== undefined) writeFileSync(script.environmentTo, JSON.stringify(env));
if (env.TF_PLUGIN_MAGIC_COOKIE?.length !== 64 || script.refusesCookie) {
  process.stderr.write('This program is a plugin and is not meant to be started by hand.\n');
  process.exit(1);
}
process.on('SIGINT', () => {});
if (script.callsTo !== undefined) appendFileSync(script.callsTo, `${process.pid}\n`);
if (script.stderr !== undefined) process.stderr.write(script.stderr);
if (script.exit !== undefined) process.exit(script.exit);

const frame = (bytes) => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
};

function answer(stream, path) {
  if (script.callsTo !== undefined) appendFileSync(script.callsTo, `${path}\n`);
  const does = script.methods?.[path];
  if (does === undefined && path === '/plugin.GRPCController/Shutdown') {
    setImmediate(() => process.exit(0));
    return;
  }
  if (does === undefined) {
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '12' },
      { endStream: true },
    );
    return;
  }
  if (does.hang) return;
  if (does.panic !== undefined) {
    process.stderr.write(does.panic);
    process.exit(2);
  }
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  for (const body of does.messages ?? []) stream.write(frame(Buffer.from(body, 'base64')));
  if (does.megabytes !== undefined) stream.write(frame(Buffer.alloc(does.megabytes * 1024 * 1024, 7)));
  if (!does.open) stream.end();
}

/** Starts a server of another protocol. */
function other() {
  if (script.speaks === 'HTTP/1') return createHttp1Server((_, response) => response.end('hello'));
  return script.speaks === 'nothing' ? createSilentServer() : undefined;
}

if (script.line !== undefined) {
  process.stdout.write(script.line.repeat(script.times ?? 1));
  setInterval(() => {}, 1000);
} else if (script.silent) {
  setInterval(() => {}, 1000);
} else {
  const tls = env.PLUGIN_CLIENT_CERT !== undefined && script.certificate !== undefined;
  const server =
    other() ??
    (tls
      ? createSecureServer({
          cert: script.certificate.certificate,
          key: script.certificate.key,
          ca: env.PLUGIN_CLIENT_CERT,
          requestCert: true,
          rejectUnauthorized: true,
        })
      : createServer());
  server.on('sessionError', () => {});
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    stream.resume();
    stream.on('end', () => answer(stream, headers[':path']));
  });
  const shown = tls ? (script.shows ?? script.certificate.der) : '';
  const listening = (network, address) =>
    process.stdout.write(
      `1|${script.version ?? 6}|${network}|${address}|grpc|${shown}\n${script.after ?? ''}`,
    );
  if (script.tcp) {
    server.listen(0, '127.0.0.1', () => listening('tcp', `127.0.0.1:${server.address().port}`));
  } else {
    const path = join(mkdtempSync(join(tmpdir(), 'plugin')), 'socket');
    server.listen(path, () => listening('unix', path));
  }
}
