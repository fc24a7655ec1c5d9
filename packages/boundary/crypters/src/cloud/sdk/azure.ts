/** The used part of the vendor's libraries; published packages bundle no more of them. */
export { AzureCliCredential, ClientSecretCredential, DefaultAzureCredential } from '@azure/identity';
export { CryptographyClient } from '@azure/keyvault-keys';
