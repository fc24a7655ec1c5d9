import type { HttpServer, HttpServerOptions, ServerReply, ServerRequest } from '../http-server.js';
import { startHttpServer } from '../http-server.js';
import { signatureFault } from '../sig-v4.js';
import type { ServerKey } from './sealed-bytes.js';
import { newServerKey, openBytes, sealBytes } from './sealed-bytes.js';

const ACCOUNT = '111122223333';
const REGION = 'eu-test-1';
const IDENTITY = {
  accessKeyId: 'AKIDTEST',
  secretAccessKey: 'a secret of the test',
  region: REGION,
  service: 'kms',
};

/** A running AWS KMS. `env` contains the address and credentials for clients, `keys` the keys by id. */
export interface AwsKmsServer extends HttpServer {
  readonly env: Readonly<Record<string, string>>;
  readonly keys: ReadonlyMap<string, ServerKey>;
  readonly region: string;
  /** Points an alias at a key. */
  alias(name: string, keyId: string): void;
}

/**
 * Serves Encrypt and Decrypt of AWS KMS (JSON 1.1). Signatures and encryption contexts are checked, and ciphertext
 * blobs name their key.
 */
export async function startAwsKms(
  keyIds: readonly string[],
  options: HttpServerOptions = {},
): Promise<AwsKmsServer> {
  const keys = new Map(keyIds.map((id) => [id, newServerKey(id)]));
  const aliases = new Map<string, string>();
  const server = await startHttpServer((request) => answer(request, keys, aliases), options);
  return {
    ...server,
    keys,
    region: REGION,
    alias: (name, keyId) => void aliases.set(name, keyId),
    env: {
      AWS_ACCESS_KEY_ID: IDENTITY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: IDENTITY.secretAccessKey,
      AWS_REGION: REGION,
      AWS_ENDPOINT_URL_KMS: server.url,
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  };
}

interface KmsCall {
  readonly KeyId?: string;
  readonly Plaintext?: string;
  readonly CiphertextBlob?: string;
  readonly EncryptionContext?: Readonly<Record<string, string>>;
}

function answer(
  request: ServerRequest,
  keys: ReadonlyMap<string, ServerKey>,
  aliases: ReadonlyMap<string, string>,
): ServerReply {
  const fault = signatureFault(request, IDENTITY);
  if (fault !== undefined) return refuse(fault, 'the security token or signature of the request is invalid');
  const call = JSON.parse(request.body.toString('utf8')) as KmsCall;
  const context = JSON.stringify(Object.entries(call.EncryptionContext ?? {}).sort());
  switch (request.headers['x-amz-target']) {
    case 'TrentService.Encrypt': {
      const key = keys.get(keyIdOf(call.KeyId ?? '', aliases));
      if (key === undefined) return refuse('NotFoundException', `Key '${call.KeyId}' does not exist`);
      if (!key.enabled) return refuse('DisabledException', `${arn(key)} is disabled.`);
      const sealed = sealBytes(key, Buffer.from(call.Plaintext ?? '', 'base64'), context);
      const blob = Buffer.concat([Buffer.from(key.id.padEnd(36)), sealed]);
      return reply({
        CiphertextBlob: blob.toString('base64'),
        KeyId: arn(key),
        EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
      });
    }
    case 'TrentService.Decrypt': {
      const blob = Buffer.from(call.CiphertextBlob ?? '', 'base64');
      const key = keys.get(blob.subarray(0, 36).toString('latin1').trim());
      if (key === undefined) return refuse('InvalidCiphertextException', '');
      if (call.KeyId !== undefined && keyIdOf(call.KeyId, aliases) !== key.id)
        return refuse(
          'IncorrectKeyException',
          'The key ID in the request does not identify a CMK that can perform this operation.',
        );
      if (!key.enabled) return refuse('KMSInvalidStateException', `${arn(key)} is pending deletion.`);
      const bytes = openBytes(key, blob.subarray(36), context);
      if (bytes === undefined) return refuse('InvalidCiphertextException', '');
      return reply({
        Plaintext: bytes.toString('base64'),
        KeyId: arn(key),
        EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
      });
    }
    default:
      return refuse('UnknownOperationException', '');
  }
}

/** Returns the id for an id, an alias, or the ARN of either. */
function keyIdOf(name: string, aliases: ReadonlyMap<string, string>): string {
  const local = name.replace(new RegExp(`^arn:aws:kms:${REGION}:${ACCOUNT}:`), '');
  if (local.startsWith('alias/')) return aliases.get(local) ?? '';
  return local.replace(/^key\//, '');
}

/** Returns the ARN of a key. */
function arn(key: ServerKey): string {
  return `arn:aws:kms:${REGION}:${ACCOUNT}:key/${key.id}`;
}

function reply(body: object): ServerReply {
  return {
    status: 200,
    headers: { 'content-type': 'application/x-amz-json-1.1' },
    body: JSON.stringify(body),
  };
}

function refuse(type: string, message: string): ServerReply {
  return {
    status: 400,
    headers: { 'content-type': 'application/x-amz-json-1.1' },
    body: JSON.stringify({ __type: type, message }),
  };
}
