import { fail } from '@cairn/diagnostics';
import type { BucketAddress, ParameterRule } from '../object/bucket-url.js';
import {
  checkBucketParameters,
  isBooleanText,
  isGivenText,
  isTrueText,
  maskedUrl,
  parseBucketUrl,
  refuseBucketUrl,
} from '../object/bucket-url.js';
import type { Environment } from '../object/environment.js';
import { environmentValue } from '../object/environment.js';

/**
 * Source of the credentials. `default` is the machine's login (environment, workload, managed identity, Azure CLI, …).
 */
type AzureCredentials =
  | { readonly from: 'key'; readonly account: string; readonly key: string }
  | { readonly from: 'sas'; readonly token: string }
  | { readonly from: 'default' };

/**
 * Content of an `azblob://` address and of the environment. `service` is the address of the account, without
 * credentials.
 */
export interface AzureAddress {
  readonly container: string;
  readonly prefix: string;
  readonly service: string;
  readonly credentials: AzureCredentials;
}

const PARAMETERS: Readonly<Record<string, ParameterRule>> = {
  storage_account: isGivenText,
  domain: isGivenText,
  protocol: (value) => (/^https?$/.test(value) ? undefined : 'http or https'),
  cdn: isBooleanText,
  localemu: isBooleanText,
};

/** Variables that replace a parameter the address does not have, as in the other tool's driver. */
const VARIABLES: Readonly<Record<string, string>> = {
  storage_account: 'AZURE_STORAGE_ACCOUNT',
  domain: 'AZURE_STORAGE_DOMAIN',
  protocol: 'AZURE_STORAGE_PROTOCOL',
  cdn: 'AZURE_STORAGE_IS_CDN',
  localemu: 'AZURE_STORAGE_IS_LOCAL_EMULATOR',
};

/**
 * Parses `azblob://<container>[/<prefix>][?parameters]` [STORE-1]. Fails with `CAIRN-BACKEND-URL` or
 * `CAIRN-STORE-CREDENTIALS`. Credentials are an account's key, a SAS token, a connection string, or the machine's
 * login, in this order.
 */
export function parseAzureAddress(url: string, env: Environment): AzureAddress {
  const address = parseBucketUrl(url);
  checkBucketParameters(url, address, PARAMETERS);
  const { bucket: container, prefix } = address;
  const connection = connectionOf(env);
  const account = parameter(address, env, 'storage_account');
  const key = environmentValue(env, 'AZURE_STORAGE_KEY');
  const sas = environmentValue(env, 'AZURE_STORAGE_SAS_TOKEN')?.replace(/^\?/, '');
  if (key === undefined && sas === undefined && connection !== undefined)
    return { container, prefix, ...connectedTo(connection, url, account) };
  if (account === undefined) return noAccount(url);
  const service = serviceOf(url, address, env, account);
  if (key !== undefined) return { container, prefix, service, credentials: { from: 'key', account, key } };
  const credentials: AzureCredentials = sas === undefined ? { from: 'default' } : { from: 'sas', token: sas };
  return { container, prefix, service, credentials };
}

/** Returns every secret text in the credentials, for masking. */
export function azureSecrets(credentials: AzureCredentials): readonly string[] {
  if (credentials.from === 'key') return [credentials.key];
  if (credentials.from === 'default') return [];
  const signature = new URLSearchParams(credentials.token).get('sig');
  return signature === null
    ? [credentials.token]
    : [credentials.token, signature, encodeURIComponent(signature)];
}

function parameter({ params }: BucketAddress, env: Environment, name: string): string | undefined {
  return params.get(name) ?? environmentValue(env, VARIABLES[name] ?? '');
}

/** Returns `<account>.<domain>`; for emulators a path of the domain; for content delivery networks the domain alone. */
function serviceOf(url: string, address: BucketAddress, env: Environment, account: string): string {
  const protocol = parameter(address, env, 'protocol') ?? 'https';
  const rule = PARAMETERS['protocol'];
  if (rule?.(protocol) !== undefined)
    refuseBucketUrl(url, `AZURE_STORAGE_PROTOCOL cannot be "${protocol}"`, 'Use http or https.');
  const domain = parameter(address, env, 'domain') ?? 'blob.core.windows.net';
  const isTrue = (name: string): boolean => isTrueText(parameter(address, env, name) ?? null);
  if (isTrue('localemu') || /^(127\.0\.0\.1|localhost)/.test(domain))
    return `${protocol}://${domain}/${account}`;
  return isTrue('cdn') ? `${protocol}://${domain}` : `${protocol}://${account}.${domain}`;
}

type Connection = ReadonlyMap<string, string>;

/** Parses the `name=value;…` of a connection string, with names in lower case. */
function connectionOf(env: Environment): Connection | undefined {
  const text =
    environmentValue(env, 'AZURE_STORAGE_CONNECTION_STRING') ??
    environmentValue(env, 'AZURE_STORAGEBLOB_CONNECTIONSTRING');
  if (text === undefined) return undefined;
  return new Map(
    text.split(';').flatMap((entry) => {
      const cut = entry.indexOf('=');
      return cut < 0
        ? []
        : [[entry.slice(0, cut).trim().toLowerCase(), entry.slice(cut + 1).trim()] as const];
    }),
  );
}

/** Account of the emulator, the same on every machine, with the key that its makers published. */
const EMULATOR = {
  account: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  service: 'http://127.0.0.1:10000/devstoreaccount1',
} as const;

function connectedTo(
  connection: Connection,
  url: string,
  wanted: string | undefined,
): Pick<AzureAddress, 'service' | 'credentials'> {
  if (connection.get('usedevelopmentstorage')?.toLowerCase() === 'true') {
    const { account, key, service } = EMULATOR;
    return { service, credentials: { from: 'key', account, key } };
  }
  const account = connection.get('accountname');
  if (wanted !== undefined && account !== undefined && wanted !== account)
    refuseBucketUrl(
      url,
      `it means storage account "${wanted}", but AZURE_STORAGE_CONNECTION_STRING is for "${account}"`,
      'Correct the account, or unset the connection string.',
    );
  const service = connection.get('blobendpoint')?.replace(/\/+$/, '') ?? standardService(connection, account);
  const key = connection.get('accountkey');
  const sas = connection.get('sharedaccesssignature')?.replace(/^\?/, '');
  if (service !== undefined && account !== undefined && key !== undefined)
    return { service, credentials: { from: 'key', account, key } };
  if (service !== undefined && sas !== undefined)
    return { service, credentials: { from: 'sas', token: sas } };
  return fail('CAIRN-STORE-CREDENTIALS', 'cannot use AZURE_STORAGE_CONNECTION_STRING: it is incomplete', {
    hint: 'Copy the whole string from the account\'s page "Access keys": it needs AccountName and AccountKey, or BlobEndpoint and SharedAccessSignature.',
  });
}

function standardService(connection: Connection, account: string | undefined): string | undefined {
  if (account === undefined) return undefined;
  const protocol = connection.get('defaultendpointsprotocol') ?? 'https';
  return `${protocol}://${account}.blob.${connection.get('endpointsuffix') ?? 'core.windows.net'}`;
}

function noAccount(url: string): never {
  return fail('CAIRN-STORE-CREDENTIALS', `cannot open "${maskedUrl(url)}": no storage account is named`, {
    hint: 'Add ?storage_account=NAME to the address, or set AZURE_STORAGE_ACCOUNT (with AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or after `az login`) or AZURE_STORAGE_CONNECTION_STRING.',
  });
}
