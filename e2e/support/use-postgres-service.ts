// Imported before everything else: the boxes of the test file work through a state service over PostgreSQL.
import { whyNoPostgres } from '@cairn/testkit/servers';

process.env['CAIRN_E2E_SERVICE'] ??= whyNoPostgres() === undefined ? 'postgres' : 'bucket';
