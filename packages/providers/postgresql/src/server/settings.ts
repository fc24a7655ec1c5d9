import { s } from '@cairn/provider-sdk';
import type { ValuesOf } from '@cairn/provider-sdk';

/** Configuration of an instance of the provider: the server and the user. Missing values have libpq's defaults. */
export const configuration = {
  host: s.string().optional().describe('Name, address or folder of the socket. PGHOST, else localhost.'),
  port: s.integer({ min: 1, max: 65535 }).optional().describe('PGPORT, else 5432.'),
  user: s
    .string()
    .optional()
    .describe('The role to connect as. PGUSER, else the name of the user of the operating system.'),
  password: s.string().secret().optional().describe('PGPASSWORD, else the file that PGPASSFILE names.'),
  database: s
    .string()
    .default('postgres')
    .describe('Database for statements that belong to no database; it must always exist.'),
  sslMode: s
    .oneOf('disable', 'require', 'verify-full')
    .optional()
    .describe('require encrypts, verify-full also checks the certificate. PGSSLMODE, else disable.'),
  sslRootCert: s.string().optional().describe('Certificate of the authority for verify-full, PEM.'),
  connectTimeout: s.integer({ min: 1 }).default(15).describe('Seconds to wait for a connection.'),
};

export type ServerSettings = ValuesOf<typeof configuration>;
