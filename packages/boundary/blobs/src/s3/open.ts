import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { messageOf } from '@cairn/diagnostics';
import type { BlobStore } from '../blob-store.js';
import { ObjectBlobStore } from '../object/object-store.js';
import { maskedUrl, refuseBucketUrl } from '../object/bucket-url.js';
import { retryBudget, systemRetryPorts } from '../object/retrying.js';
import { parseS3Url } from './s3-address.js';
import type { S3Address } from './s3-address.js';
import { S3ObjectClient } from './s3-client.js';
import type { S3Library } from './s3-client.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Milliseconds: to connect; without a byte in either direction. */
const TIMEOUTS = { connect: 10_000, silence: 30_000 } as const;

/** Number of requests under way at the same time. */
const SOCKETS = 64;

/**
 * Opens the bucket that an `s3://` address names. Loads the vendor's library; makes no request. Fails with
 * `CAIRN-BACKEND-URL`.
 */
export async function openS3(url: string, env: Env = process.env): Promise<BlobStore> {
  const address = parseS3Url(url, env);
  const { sdk, client } = await quietly(() => connect(url, address));
  const { retryCapacity } = address;
  return new ObjectBlobStore(new S3ObjectClient(maskedUrl(url), sdk, client, address), {
    prefix: address.prefix,
    retry: {
      ...systemRetryPorts,
      ...(retryCapacity !== undefined && { budget: retryBudget(retryCapacity) }),
    },
  });
}

async function connect(url: string, address: S3Address): Promise<{ sdk: S3Library; client: S3Client }> {
  const sdk = await import('./sdk.js');
  const region = await regionOf(url, address, sdk);
  return { sdk, client: new sdk.S3Client(clientConfig({ ...address, region })) };
}

/** Returns the region from the address, the environment or the vendor's files. A custom endpoint accepts any region. */
async function regionOf(url: string, address: S3Address, sdk: S3Library): Promise<string> {
  if (address.region !== undefined) return address.region;
  const { profile, endpoint } = address;
  const probe = new sdk.S3Client({ ...(profile !== undefined && { profile }) });
  try {
    return await probe.config.region();
  } catch (thrown) {
    if (endpoint !== undefined) return 'us-east-1';
    return refuseBucketUrl(
      url,
      `no region is known for it: ${messageOf(thrown)}`,
      'Add ?region=REGION, or set AWS_REGION.',
    );
  } finally {
    probe.destroy();
  }
}

/**
 * Returns the library's settings for an address. Missing ones have its own defaults: the environment and the vendor's
 * files.
 */
function clientConfig(address: S3Address): S3ClientConfig {
  const { endpoint, region, profile, requestChecksums, responseChecksums } = address;
  return {
    // Cairn's own rule decides about retries.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: TIMEOUTS.connect,
      socketTimeout: TIMEOUTS.silence,
      httpAgent: { maxSockets: SOCKETS, keepAlive: true },
      httpsAgent: { maxSockets: SOCKETS, keepAlive: true },
    },
    followRegionRedirects: true,
    forcePathStyle: address.pathStyle,
    useAccelerateEndpoint: address.accelerate,
    useDualstackEndpoint: address.dualstack,
    useFipsEndpoint: address.fips,
    ...(profile !== undefined && { profile }),
    ...(endpoint !== undefined && { endpoint }),
    ...(endpoint === undefined && address.insecure && { tls: false }),
    ...(region !== undefined && { region }),
    ...(requestChecksums !== undefined && { requestChecksumCalculation: requestChecksums }),
    ...(responseChecksums !== undefined && { responseChecksumValidation: responseChecksums }),
    ...(address.anonymous && UNSIGNED),
  };
}

const UNSIGNED: Pick<S3ClientConfig, 'credentials' | 'signer'> = {
  credentials: { accessKeyId: '', secretAccessKey: '' },
  signer: { sign: async (request) => request },
};

const QUIET = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED';

/**
 * Runs work without the library's warning on standard error, at its first use, about versions of Node that it will not
 * support one day. Cairn's users do not need it. Programs and providers that Cairn starts keep their own setting.
 */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const before = process.env[QUIET];
  process.env[QUIET] = 'true';
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env[QUIET];
    else process.env[QUIET] = before;
  }
}
