/** Certificates for the connection between a host and a plugin. */
export { certificatePem, makeCertificate } from './certificate.js';
export type { OwnCertificate } from './certificate.js';
