import { TestDatabases, postgresKind, why } from './postgres-kind.js';
import { useStore } from './service.js';

useStore(postgresKind(new TestDatabases()), why);
